"""What a list of choices hides of the stage, in the rows that the prompt has left. Pure."""

from tui.scene.cells import Line
from tui.scene.scene import Scene
from tui.widgets.table.stage_acts import told_since
from tui.widgets.table.stage_parts import counted, fitting, flowed, rows_of
from tui.widgets.table.stage_sum_lines import one_line
from tui.widgets.table.stage_verdict import verdict_texts


def hidden(scene: Scene, width: int, rows: int, story: bool) -> list[Line]:
    """Return the fight, where there is one, the text of the card that asks, and what has happened since the player
    acted last, in at most so many rows. story: whether the list does not tell that."""
    fight = scene.fight
    found: list[Line] = []
    if fight is not None and fight.stage == "fight" and scene.me >= 0:
        ours, theirs = counted(scene, fight)
        texts, style = verdict_texts(scene, fight)
        tone = "bold" if " on " in style and style.startswith("on-") else f"bold {style.partition(' ')[0]}"
        sums: Line = (ours, (" : ", "dim"), theirs, ("  ", ""))
        verdict = fitting([(*sums, (text.strip(), tone)) for text in texts], width, scene)
        found = [verdict, one_line(scene, fight, width)]
    text = asking_text(scene)
    if text and len(found) < rows:
        found += rows_of(flowed(((text, "dim"),), width, scene), rows - len(found), width, scene)
    found = found[:rows]
    return [*found, *told_since(scene, rows - len(found), width)] if story and rows > len(found) else found


def asking_text(scene: Scene) -> str:
    """Return the text of the card that asks the player something; "" if no card does."""
    asks = scene.you.asks if scene.you is not None else []
    return scene.printed(asks[0].card).text if asks and asks[0].card >= 0 else ""
