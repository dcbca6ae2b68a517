"""Lists are read to their end."""

from lattice.agent.v1.threads_service_pb2 import ListThreadsRequest, ListThreadsResponse, Thread
from lattice_cli.paging import pages


async def test_every_page_is_read_in_order() -> None:
    following = {"": "second", "second": "third", "third": ""}

    async def answer(request: ListThreadsRequest) -> ListThreadsResponse:
        token = request.page_token
        return ListThreadsResponse(threads=[Thread(title=f"after {token}")], next_page_token=following[token])

    read = [it.title async for page in pages(answer, ListThreadsRequest()) for it in page.threads]
    assert read == ["after ", "after second", "after third"]
