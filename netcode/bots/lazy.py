"""A read that a bot works out at most once for one decision."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """As functools.cached_property, without its lock: a decision is one thread's, and the lock costs it more than most
    of its reads."""

    def __init__(self, read: Callable[[Any], T]) -> None:
        self.read = read
        self.name = read.__name__

    def __get__(self, thing: object, kind: type) -> T:
        found = self.read(thing)
        setattr(thing, self.name, found)  # not by way of __dict__, which objects of few fields do without
        return found
