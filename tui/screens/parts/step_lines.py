"""What a recording shows in place of the prompt: the log of a step, what mattered in it, its place in the game."""

from msgspec import Struct
from rich.cells import cell_len

from tui.scene.cells import Glyphs, Line, block, fit, wrap
from tui.scene.scene import Scene
from tui.scene.situation import has_seals
from tui.scene.story_text import Told, chance_words
from tui.screens.replay_timeline import Step, Timeline
from tui.widgets.table.timeline import LEAST, draw_timeline, legend


class StepLines(Struct, frozen=True):
    """A step of a recording. remark: words shown instead of its log; speed: that of the recording, empty unless it
    runs."""

    timeline: Timeline
    scene: Scene
    remark: str = ""
    speed: str = ""

    def draw(self, width: int, height: int) -> list[Line]:
        """Draw the step."""
        glyphs = self.scene.glyphs
        if self.remark:
            texts = wrap(self.remark, width - 3, glyphs)
            return block([((f"   {text}", "warn"),) for text in texts], width, height, glyphs)
        texts = [line.text for line in self.timeline.lines] or ["The game begins."]
        below = self._timeline_rows(width - 3, height)
        mattered = self._mattered(width - 3, glyphs)
        texts = texts[-max(1, height - len(below) - len(mattered)) :]
        lines: list[Line] = [((f"   {fit(text, width - 3, glyphs)}", "bold"),) for text in texts]
        lines += mattered[: max(0, height - len(below) - len(lines))]
        lines += [()] * (height - len(lines) - len(below))
        return block([*lines, *((("   ", ""), *line) for line in below)], width, height, glyphs)

    def _mattered(self, width: int, glyphs: Glyphs) -> list[Line]:
        """Return what changed in this step, if it is one of those that mattered most."""
        swing, story = self.timeline.mattered.get(self.timeline.at), self.timeline.story
        if swing is None or story is None:
            return []
        header = self.timeline.header
        words = chance_words(Told(story, header.players, header.seat), swing)
        return [((f"   {row}", "hero"),) for row in wrap(f"This mattered: {words}.", width, glyphs)]

    def _timeline_rows(self, width: int, height: int) -> list[Line]:
        """Return the timeline and the place of this step; side by side where there are few rows."""
        timeline, place, glyphs = self.timeline, self._place(), self.scene.glyphs
        apart = height > 4
        room = width if apart else width - cell_len(place) - 2
        words: Line = ((place, "dim"),)
        if room < LEAST:
            return [words]
        steps = timeline.steps
        turns = [at for at, step in enumerate(steps) if begins_turn(step)]
        fights = [at for at, step in enumerate(steps) if begins_fight(step)]
        mattered = list(timeline.mattered)
        drawn = draw_timeline(turns, fights, mattered, len(steps), timeline.at, room, glyphs)
        if apart:
            return [drawn, (*words, ("    ", ""), *legend(glyphs, bool(mattered)))]
        return [(*words, ("  ", ""), *drawn)]

    def _place(self) -> str:
        timeline, scene, last = self.timeline, self.scene, self.timeline.at == len(self.timeline.steps) - 1
        minutes, seconds = divmod(timeline.steps[timeline.at].ms // 1000, 60)
        seen = f"as {scene.name(scene.me)} saw it" if scene.me >= 0 else "as spectators saw it"
        words = [f"step {timeline.at + 1} of {len(timeline.steps)}", f"{minutes}:{seconds:02}", seen]
        if timeline.steps[timeline.at].undone:
            words.insert(1, "TAKEN BACK later")
        if self.speed:
            words.append(f"running ({self.speed})")
        elif last:
            words.append("the end" if scene.view.winners else "the recording ends here, the game continued")
        elif not timeline.at and timeline.header.late:
            words.append("it begins in the middle of the game")
        return f" {scene.glyphs.dot} ".join(words)


def begins_turn(step: Step) -> bool:
    """Return whether a turn begins with this step."""
    return step.turn > 0


def begins_fight(step: Step) -> bool:
    """Return whether a fight begins with this step."""
    return step.fight


def footer_keys(scene: Scene, reading: str, running: bool, revealed: bool) -> list[tuple[str, str]]:
    """Return the bindings whose keys work now, with short words, most useful first. revealed: whether all hands are
    known."""
    keys = [("replay.next", "step"), ("replay.back", "back"), ("replay.turn", "turn"), ("replay.fight", "fight")]
    keys += [("replay.mattered", "mattered most")]
    keys += [("replay.eyes", "view")] if revealed else []
    keys += [("prompt.back", "close"), ("replay.down", "scroll")] if reading else []
    keys += [("replay.play", "stop" if running else "run"), ("replay.leave", "leave")]
    keys += [("table.read", "read")] if scene.hand() or scene.fight is not None else []
    keys += [("table.seals", "Seals")] if has_seals(scene) else []
    keys += [("table.why", "why"), ("table.rules", "rules"), ("table.others", "others"), ("table.log", "log")]
    keys += [("table.recap", "recap"), ("table.story", "how it went")]
    return [*keys, ("replay.first", "beginning"), ("replay.last", "end"), ("app.keys", "keys")]
