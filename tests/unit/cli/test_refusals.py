"""What a person does wrong is told in a sentence, and their words are printed as they are."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice.agent.v1.threads_service_pb2 import Thread
from lattice_cli.connection import Person
from lattice_cli.invocation import Invocation
from rich.console import Console
from typer.testing import Result

Lattice = Callable[..., Result]

HOSTILE = "[/x] [bold]budget[/bold] :warning: [link=a]"


@pytest.fixture
def invocation(tmp_path: Path) -> Invocation:
    """An invocation whose console remembers what it printed."""
    person = Person(tenant="acme", workspace="main", user="alice")
    console = Console(width=200, record=True)
    return Invocation(person=person, folder=tmp_path, as_json=False, console=console)


def test_an_answer_is_printed_word_for_word(invocation: Invocation) -> None:
    invocation.show(Thread(), HOSTILE)
    assert HOSTILE in invocation.console.export_text()


def test_a_table_is_printed_word_for_word(invocation: Invocation) -> None:
    invocation.show_table([Thread(title=HOSTILE)], ("title",), lambda it: (it.title,))
    assert HOSTILE in invocation.console.export_text()


def test_a_refusal_names_a_file_word_for_word(lattice: Lattice) -> None:
    result = lattice("files", "upload", HOSTILE)
    assert result.exit_code == 1
    assert f"{HOSTILE} is no file" in result.output


def test_an_empty_file_is_not_sent(lattice: Lattice, tmp_path: Path) -> None:
    (tmp_path / "empty.docx").touch()
    result = lattice("files", "upload", str(tmp_path / "empty.docx"))
    assert result.exit_code == 1
    assert "empty.docx is empty" in "".join(result.output.split("\n"))


@pytest.mark.parametrize("option", ["--tenant", "--workspace", "--as"])
@pytest.mark.parametrize("value", ["é", "a/b", "", "x" * 201, " a", "a\n"])
def test_a_name_that_no_call_could_carry_is_refused(lattice: Lattice, option: str, value: str) -> None:
    result = lattice(option, value, "agent", "threads")
    assert result.exit_code == 2
    assert "printable ASCII" in " ".join(result.output.split())


def test_any_other_name_is_taken(lattice: Lattice) -> None:
    result = lattice("--tenant", "Acme & Sons", "--as", "o'neil@x.org", "agent", "threads")
    assert "no suite runs" in result.output


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "5",
        "{}",
        '{"artifact_id": "a"}',
        '{"artifact_id": "a", "token": 1e999}',
        '{"artifact_id": "a", "token": 99999999999999999999}',
    ],
)
@pytest.mark.parametrize("verb", ["checkin", "extend"])
def test_a_damaged_ticket_is_refused(lattice: Lattice, tmp_path: Path, verb: str, content: str) -> None:
    copy = tmp_path / "plan.docx"
    copy.touch()
    copy.with_name(".plan.docx.checkout.json").write_text(content)
    result = lattice("files", verb, str(copy))
    assert result.exit_code == 1
    assert "is damaged" in result.output


@pytest.mark.parametrize("verb", ["checkin", "extend"])
def test_a_copy_without_a_ticket_is_refused(lattice: Lattice, tmp_path: Path, verb: str) -> None:
    result = lattice("files", verb, str(tmp_path / "plan.docx"))
    assert result.exit_code == 1
    assert "was not checked out here" in result.output


@pytest.mark.parametrize(
    "batch",
    ["", "5", "{}x", '{"a": 1}', "[5]", "[null]", '[{"command": 5}]', '[{"command": "a", "arguments": 5}]', '[{}]',
     '[{"command": "\\ud800"}]', "[" * 100_000],
)  # fmt: skip
def test_a_batch_that_is_none_is_refused(lattice: Lattice, batch: str) -> None:
    result = lattice("files", "edit", "art_1", batch, "a summary")
    assert result.exit_code == 1
    assert "the batch is no JSON list" in result.output


@pytest.mark.parametrize(
    "content", ["", "[]", "5", '{"files": "x"}', '{"integrations": 1, "files": 2, "agent": 3, "spans": 4}']
)
def test_damaged_addresses_are_refused(lattice: Lattice, tmp_path: Path, content: str) -> None:
    (tmp_path / "suite.json").write_text(content)
    result = lattice("agent", "threads")
    assert result.exit_code == 1
    assert "is damaged" in result.output


def test_a_suite_that_does_not_answer_is_told_in_a_sentence(lattice: Lattice, tmp_path: Path) -> None:
    nowhere = dict.fromkeys(("integrations", "files", "agent", "spans"), "127.0.0.1:1")
    (tmp_path / "suite.json").write_text(json.dumps(nowhere))
    result = lattice("files", "list")
    assert result.exit_code == 1
    assert "a service of the suite does not answer (UNAVAILABLE)" in result.output


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(lattice: Lattice, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = lattice("--data", str(tmp_path / "file" / "data"), "--json", "up")
    assert result.exit_code == 1
    assert "Not a directory" in json.loads(result.output)["error"]


@pytest.mark.parametrize(
    "call",
    [
        ("text", "plan.docx", "--version"),
        ("text", "plan.docx", "--start"),
        ("page", "plan.docx"),
        ("edit", "plan.docx", "[]", "a summary", "--base-version"),
    ],
)
def test_a_number_that_no_call_can_hold_is_refused(lattice: Lattice, call: tuple[str, ...]) -> None:
    assert lattice("files", *call, "99999999999999999999").exit_code == 2


def test_a_suite_that_sends_its_spans_elsewhere_is_told_of_in_a_sentence(lattice: Lattice, tmp_path: Path) -> None:
    nowhere = dict.fromkeys(("integrations", "files", "agent", "spans"), "127.0.0.1:1")
    (tmp_path / "suite.json").write_text(json.dumps(nowhere))
    result = lattice("trace", "run_1")
    assert result.exit_code == 1
    assert "say with --backend where that is asked" in result.output
