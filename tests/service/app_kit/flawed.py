"""Apps that break their contract, each in one way."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final

from fakes.fake_app.commands import CATALOGUE
from fakes.fake_app.refusals import FileRefused, PageOutOfRange
from fakes.fake_app.server import Context, Description, FakeApp
from lattice.app.v1 import app_service_pb2 as app_pb

FAKE: Final = Description(name="fakeapp", integration_key="files:fakeapp", formats=["fake"])

Flaw = Callable[[FakeApp], None]


def _changed(method: str, change: Callable[[Any], Any]) -> Flaw:
    """A flaw in each message of a method's answer."""

    def spoil(app: FakeApp) -> None:
        whole = getattr(app, method)

        async def once(request: Any, context: Context) -> Any:  # noqa: ANN401 - any message
            return change(await whole(request, context))

        async def many(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
            async for answer in whole(requests, context):
                if (changed := change(answer)) is not None:
                    yield changed

        setattr(app, method, many if method in {"Extract", "ApplyBatch", "RenderPage"} else once)

    return spoil


def _set(method: str, set_field: Callable[[Any], object]) -> Flaw:
    """A flaw that one statement on each message makes."""

    def change(answer: Any) -> Any:  # noqa: ANN401 - any message
        set_field(answer)
        return answer

    return _changed(method, change)


def _in_end(method: str, set_field: Callable[[Any], object]) -> Flaw:
    return _set(method, lambda answer: set_field(answer.end) if answer.HasField("end") else None)


def _asked(method: str, set_field: Callable[[Any], object]) -> Flaw:
    """A flaw that takes each request for another one."""

    def spoil(app: FakeApp) -> None:
        whole = getattr(app, method)

        async def other(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
            async for request in requests:
                set_field(request)
                yield request

        async def once(request: Any, context: Context) -> Any:  # noqa: ANN401 - any message
            set_field(request)
            return await whole(request, context)

        async def many(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
            async for answer in whole(other(requests), context):
                yield answer

        setattr(app, method, many if method in {"Extract", "ApplyBatch", "RenderPage"} else once)

    return spoil


def _refused(method: str, change: Callable[[Exception], Exception]) -> Flaw:
    """A flaw in what is refused."""

    def spoil(app: FakeApp) -> None:
        whole = getattr(app, method)

        async def many(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
            try:
                async for answer in whole(requests, context):
                    yield answer
            except Exception as refusal:
                raise change(refusal) from refusal

        setattr(app, method, many)

    return spoil


def _header(request: Any, **fields: Any) -> None:  # noqa: ANN401 - any message
    """Change the header of a batch or a page, where the request carries it."""
    if request.HasField("header"):
        for name, value in fields.items():
            setattr(request.header, name, value)


def _remembers(app: FakeApp) -> None:
    """Every call but the first is answered with the file of the one before."""
    whole, last = app._content, []

    async def content(header: app_pb.FileHeader, rest: AsyncIterator[bytes]) -> bytes:
        last.append(await whole(header, rest))
        return last[-2] if len(last) > 1 else last[-1]

    app._content = content  # type: ignore[method-assign]  # that is the flaw


def _believes_headers(app: FakeApp) -> None:
    async def content(header: app_pb.FileHeader, rest: AsyncIterator[bytes]) -> bytes:
        return b"".join([chunk async for chunk in rest])

    app._content = content  # type: ignore[method-assign]  # that is the flaw


def _with_guard_unnamed(refusal: Exception) -> Exception:
    return FileRefused(guard="") if isinstance(refusal, FileRefused) else refusal


def _with_another_count(refusal: Exception) -> Exception:
    return PageOutOfRange(count=refusal.count + 1) if isinstance(refusal, PageOutOfRange) else refusal


def _without_reason(refusal: Exception) -> Exception:
    return RuntimeError(str(refusal))


def _first_index(refusal: Exception) -> Exception:
    if hasattr(refusal, "index"):
        refusal.index = 0
    return refusal


def _without_end(answer: app_pb.ExtractResponse) -> app_pb.ExtractResponse | None:
    return None if answer.HasField("end") else answer


_calls: Final[dict[str, int]] = {}


def _another_each_time(answer: app_pb.DescribeResponse) -> None:
    _calls["describe"] = _calls.get("describe", 0) + 1
    answer.version += f".{_calls['describe']}"


FLAWS: Final[Sequence[tuple[str, str, Flaw]]] = (
    ("no integration", "catalogue.describes_itself", _set("Describe", lambda it: it.ClearField("integration_key"))),
    ("a format twice", "catalogue.describes_itself", _set("Describe", lambda it: it.formats.append(it.formats[0]))),
    ("another version each time", "catalogue.answers_the_same", _set("Describe", _another_each_time)),
    (
        "an id twice",
        "catalogue.describes_its_commands",
        _set("ListCommands", lambda it: it.commands.append(it.commands[0])),
    ),
    (
        "a command without label",
        "catalogue.describes_its_commands",
        _set("ListCommands", lambda it: it.commands[0].ClearField("label")),
    ),
    (
        "an example that does not fit",
        "catalogue.explains_its_arguments",
        _set("ListCommands", lambda it: setattr(it.commands[0], "example_json", '{"text": 1}')),
    ),
    (
        "a schema that takes anything",
        "catalogue.explains_its_arguments",
        _set("ListCommands", lambda it: setattr(it.commands[0], "arguments_schema_json", "{}")),
    ),
    (
        "labels that find nothing",
        "catalogue.finds_commands_by_label",
        _asked("FindCommands", lambda it: setattr(it, "query", it.query[::-1])),
    ),
    (
        "a limit that is not kept",
        "catalogue.lists_the_first_commands",
        _asked("FindCommands", lambda it: setattr(it, "limit", 0)),
    ),
    (
        "finding something always",
        "catalogue.finds_nothing_for_nothing",
        _set("FindCommands", lambda it: it.commands.extend([] if it.commands else [CATALOGUE[0].to_proto()])),
    ),
    (
        "queries of any length",
        "catalogue.refuses_wrong_queries",
        _asked("FindCommands", lambda it: setattr(it, "query", it.query[:100])),
    ),
    ("an answer without end", "reading.reads_documents", _changed("Extract", _without_end)),
    (
        "a digest that lies",
        "reading.reads_documents",
        _in_end("Extract", lambda it: setattr(it.outputs[0], "sha256", bytes(32))),
    ),
    (
        "an output that is not summed up",
        "reading.reads_documents",
        _in_end("Extract", lambda it: it.outputs.pop()),
    ),
    (
        "a review of another length",
        "reading.reads_documents",
        _in_end("Extract", lambda it: setattr(it, "review_count", it.review_count + 1)),
    ),
    ("a guard without name", "reading.refuses_other_content", _refused("Extract", _with_guard_unnamed)),
    ("a refusal without reason", "reading.refuses_other_content", _refused("RenderPage", _without_reason)),
    (
        "no changed parts",
        "batches.applies_a_batch",
        _in_end("ApplyBatch", lambda it: it.ClearField("changed_parts")),
    ),
    (
        "agents' batches made directly",
        "batches.tracks_for_agents",
        _asked("ApplyBatch", lambda it: _header(it, mode=it.header.mode or app_pb.CHANGE_MODE_DIRECT)),
    ),
    (
        "direct batches that are tracked",
        "batches.tracks_for_agents",
        _asked("ApplyBatch", lambda it: _header(it, mode=app_pb.CHANGE_MODE_TRACKED)),
    ),
    ("refusals that name the first command", "batches.refuses_all_or_nothing", _refused("ApplyBatch", _first_index)),
    (
        "a page of another size",
        "pages.draws_pages",
        _in_end("RenderPage", lambda it: setattr(it, "width", it.width + 1)),
    ),
    (
        "a page larger than asked for",
        "pages.draws_pages",
        _asked("RenderPage", lambda it: _header(it, long_side=0)),
    ),
    (
        "the last page always",
        "pages.counts_pages",
        _asked("RenderPage", lambda it: _header(it, page=1)),
    ),
    ("a count that lies", "pages.counts_pages", _refused("RenderPage", _with_another_count)),
    (
        "sizes of any kind",
        "pages.refuses_wrong_sizes",
        _asked("RenderPage", lambda it: _header(it, long_side=min(max(it.header.long_side, 100), 1600))),
    ),
    ("headers that are believed", "streams.refuses_lies_about_content", _believes_headers),
    ("formats that are not looked at", "streams.refuses_wrong_headers", _believes_headers),
    ("large files that are taken", "streams.refuses_large_files", _believes_headers),
    ("a file that is remembered", "isolation.keeps_nothing", _remembers),
)
"""What is wrong, the check that has to find it, and how it is made."""


def flawed(flaw: Flaw) -> FakeApp:
    """A fake app with a flaw."""
    app = FakeApp(FAKE)
    flaw(app)
    return app
