"""Mutants of Python source: one small change inside one function, as a developer could make by mistake."""

import ast
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
FLIPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}  # fmt: skip
"""The replacements of a comparison: its neighbour at the boundary, or its opposite."""
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
}  # fmt: skip
_SILENT = ("debug", "info", "warning", "error", "exception")
"""Methods of a logger: log messages are not worth a mutant."""


@dataclass(frozen=True)
class Mutant:
    """One change of a file. function_line: where the function begins, its decorators included. start, end: the bytes
    that `after` replaces."""

    file: str
    line: int
    function: str
    function_line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.before}  ->  {self.after}"

    def apply(self, source: bytes) -> bytes:
        """Return the source with this change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def draw(root: Path, files: Iterable[str], seed: int, count: int) -> list[Mutant]:
    """Return this many mutants of these files, at most one for each line; the same for the same seed and source."""
    found = [mutant for file in sorted(files) for mutant in mutants(file, (root / file).read_bytes())]
    random.Random(seed).shuffle(found)
    lines: dict[tuple[str, int], Mutant] = {}
    for mutant in found:
        lines.setdefault((mutant.file, mutant.line), mutant)
    return list(lines.values())[:count]


def mutants(file: str, source: bytes) -> Iterator[Mutant]:
    """Yield every mutant of a source file: changes inside functions only, none of docstrings, annotations or logs."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for name, function, node, after in _changes(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before = source[start:end].decode()
        if isinstance(node, ast.expr):
            after = f"({after})"
        first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
        yield Mutant(file, node.lineno, name, first, start, end, " ".join(before.split()), after)


def _changes(tree: ast.Module) -> Iterator[tuple[str, Function, ast.expr | ast.stmt, str]]:
    """Yield (name of the function, the function, node, the source that replaces it)."""
    for owner in ast.walk(tree):
        for node in ast.iter_child_nodes(owner):
            if isinstance(node, Function):
                name = f"{owner.name}.{node.name}" if isinstance(owner, ast.ClassDef) else node.name
                for part in node.body:
                    for inner in _inside(part):
                        yield from ((name, node, inner, after) for after in _replacements(inner))


def _inside(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes of a function that may change; nested functions are visited on their own."""
    if isinstance(node, Function | ast.ClassDef) or _is_log(node):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or isinstance(node, ast.JoinedStr):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _inside(part)


def _is_log(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr in _SILENT
    )


def _replacements(node: ast.expr | ast.stmt) -> Iterator[str]:
    match node:
        case ast.Compare(ops=[op]):
            for flipped in FLIPS[type(op)]:
                yield ast.unparse(ast.Compare(node.left, [flipped()], node.comparators))
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield ast.unparse(ast.BoolOp(other, node.values))
        case ast.UnaryOp(op=ast.Not()):
            yield ast.unparse(node.operand)
        case ast.BinOp() if type(node.op) in SIGNS and not _is_text(node):
            yield ast.unparse(ast.BinOp(node.left, SIGNS[type(node.op)](), node.right))
        case ast.Constant(value=bool()):
            yield str(not node.value)
        case ast.Constant(value=int() | float() as number):
            yield from (str(number + 1), str(number - 1))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "return None"
        case ast.Return(value=None) | ast.Continue() | ast.Break():
            yield "pass"
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign() | ast.Delete() | ast.Raise():
            yield "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "pass"


def _is_text(node: ast.BinOp) -> bool:
    """Whether an operand is written as text or a sequence, for which another operator would only raise."""
    shapes = (ast.JoinedStr, ast.List, ast.Tuple)
    return any(
        isinstance(side, shapes) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )
