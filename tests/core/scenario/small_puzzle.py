"""A puzzle of two cards, as text, for tests of files."""

PUZZLE = """
[[scenario]]
name = "Two weapons"
doors = ["Bearbug"]
steps = [{ by = "You", do = "kick" }, { pass = "all" }]
[scenario.seats.You]
hand = ["Prismatic Glitter", "Lukewarm Coffee of the Third Watch"]
[scenario.puzzle]
goal = "Win this fight."
hint = "Throw both."
solved = [{ event = "fight-ended", how = "killed" }]
late = "The turn is over."
why = "Both count."
solution = [
  { by = "You", do = "play", card = "Prismatic Glitter", side = "heroes" },
  { by = "You", do = "play", card = "Lukewarm Coffee of the Third Watch", side = "heroes" },
  { by = "You", do = "claim" },
]
"""
