"""Reading lists to their end, page by page."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol, TypeVar


class NothingThere(Exception):
    """There is nothing to read."""


class HistoryChanged(Exception):
    """What was being read from its start on was restored or erased meanwhile."""


class Page(Protocol):
    """A page of a list; its token is empty on the last one."""

    next_page_token: Any


class PagedRequest(Protocol):
    """Asks for the page that a token names; the first one without."""

    page_token: Any


APage = TypeVar("APage", bound=Page)
ARequest = TypeVar("ARequest", bound=PagedRequest)


async def pages(call: Callable[[ARequest], Awaitable[APage]], request: ARequest) -> AsyncIterator[APage]:
    """Each page of the list that `request` asks for, in order; the request's token moves along."""
    while True:
        page = await call(request)
        yield page
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token
