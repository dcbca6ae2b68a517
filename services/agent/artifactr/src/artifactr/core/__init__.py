"""The pure rules of agent: who acts, what was recorded, and what may follow. No I/O, nothing of other layers."""

from artifactr.core.commands import AnswerDeferred

__all__ = ["AnswerDeferred"]
