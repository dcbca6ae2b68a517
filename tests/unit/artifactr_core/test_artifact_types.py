"""Artifact types: what a class declares, what an instance knows, and the commands that it makes."""

from datetime import date
from typing import Any, Self

import pytest
from artifactr import Artifact, TextArtifact
from artifactr.core import ArchiveArtifact, CreateArtifact, EditArtifact
from artifactr.core.actors import UserActor
from artifactr.core.artifacts import StoredArtifact
from artifactr.core.patches import JsonPatch
from artifactr.core.rejections import NotFound, PatchFailed, ValidationFailed
from hypothesis import given
from hypothesis import strategies as st
from lattice_files.domain.patches import JsonPatch as FilesPatch
from lattice_files.domain.patches import patched
from lattice_files.domain.schemas import Schema
from pydantic import BaseModel, Field, computed_field, field_validator

ALICE = UserActor(id="alice")


class Task(BaseModel):
    title: str
    done: bool = False


class Plan(Artifact):
    title: str
    due: date | None = None
    tasks: dict[str, Task] = Field(default_factory=dict)

    @computed_field
    def open_tasks(self) -> int:
        """How many are left."""
        return sum(not task.done for task in self.tasks.values())

    def describe_change(self, before: Self) -> str:
        """What was completed."""
        return "; ".join(
            f"completed {task.title}"
            for key, task in self.tasks.items()
            if task.done and key in before.tasks and not before.tasks[key].done
        )

    def complete(self, key: str) -> Task:
        """Mark a task as done."""
        self.tasks[key].done = True
        return self.tasks[key]


class Brief(TextArtifact):
    """A launch brief."""

    write_policy = "propose"


def read(artifact_type: type[Artifact], *, version: int = 3, **data: Any) -> StoredArtifact:  # noqa: ANN401 - JSON
    return StoredArtifact(id="art_1", kind=artifact_type.kind, version=version, data=data, updated_by=ALICE)


def applied(edit: EditArtifact, stored: StoredArtifact) -> dict[str, Any]:
    """The data after the patch, as files applies it."""
    assert isinstance(edit.patch, JsonPatch)
    return dict(patched(stored.data, FilesPatch(operations=tuple(edit.patch.operations))))


def test_a_kind_is_the_class_in_snake_case_unless_it_says_another() -> None:
    """AT-01, AT-06."""

    class ReleaseNotes(TextArtifact):
        pass

    class Other(Artifact):
        kind = "something_else"

    class Heir(Other):
        pass

    assert [it.kind for it in (ReleaseNotes, Other, Heir)] == ["release_notes", "something_else", "heir"]
    assert [it.write_policy for it in (Plan, Brief)] == ["direct", "propose"]


@pytest.mark.parametrize(
    ("name", "body", "why"),
    [
        ("Plan", {"__annotations__": {"version": int}}, "version"),
        ("Plan", {"__annotations__": {"artifact_id": str}}, "artifact_id"),
        ("Plan", {"__annotations__": {"edit": str}}, "edit"),
        ("Plan", {"__annotations__": {"kind": str}}, "kind"),
        ("Plan", {"kind": "Two Words"}, "Two Words"),
        ("Plan", {"kind": "native_docx"}, "native_docx"),
        ("Plan", {"write_policy": "sometimes"}, "sometimes"),
    ],
)
@pytest.mark.filterwarnings("ignore:Field name")  # pydantic warns of the same, and goes on
def test_a_class_that_cannot_be_a_type_is_refused_when_it_is_defined(name: str, body: dict[str, Any], why: str) -> None:
    """AT-01, AT-03: a field has no name that every artifact has."""
    with pytest.raises(TypeError, match=why):
        type(name, (Artifact,), {"__module__": __name__, **body})


def test_the_schema_is_one_that_files_takes_and_refuses_what_no_field_names() -> None:
    """AT-01, AT-02, AT-09: inside nested models too; a date is a text, and nothing computed is among the data."""
    schema = Schema.of(Plan.json_schema())
    plan = Plan(title="Launch", due=date(2026, 3, 3), tasks={"a": Task(title="Legal")})
    assert schema.errors_of(plan.to_data()) == []
    assert schema.errors_of({"title": "Launch"}) == []
    assert schema.errors_of({"title": "Launch", "owner": "bob"}) != []
    assert schema.errors_of({"title": "Launch", "tasks": {"a": {"title": "Legal", "owner": "bob"}}}) != []
    assert Schema.of(Brief.json_schema()).is_text


def test_what_was_read_knows_as_what_it_was_read_and_what_is_new_does_not() -> None:
    """AT-03."""
    plan = Plan.from_stored(read(Plan, title="Launch"))
    assert (plan.title, plan.artifact_id, plan.version, plan.updated_by) == ("Launch", "art_1", 3, ALICE)
    assert not plan.archived
    with pytest.raises(LookupError, match="was not read"):
        Plan(title="Launch").version  # noqa: B018 - asking is the test


def test_what_is_of_another_kind_or_does_not_fit_the_class_is_refused() -> None:
    """AT-02: Python's validators run here, beside the schema that files has."""
    with pytest.raises(NotFound) as missing:
        Plan.from_stored(read(Brief, text="x"))
    assert (missing.value.entity, missing.value.id) == ("plan", "art_1")
    with pytest.raises(ValidationFailed) as unfit:
        Plan.from_stored(read(Plan, title=5, tasks={"a": {}}))
    assert [error.split(":")[0] for error in unfit.value.errors] == ["title", "tasks/a/title"]


def test_an_agent_sees_indented_json_or_the_text() -> None:
    """AT-07."""
    assert Plan(title="Größe").render_for_agent().splitlines()[1] == '  "title": "Größe",'
    assert Brief(text="# Launch\n").render_for_agent() == "# Launch\n"


def test_an_edit_is_made_on_a_copy_and_says_what_it_does() -> None:
    """AT-08, AT-10, AT-13: altered in place, or answered anew; whatever else the function answers is ignored."""
    stored = read(Plan, title="Launch", tasks={"a": {"title": "Legal"}})
    plan = Plan.from_stored(stored)
    edit = plan.edit(lambda it: it.complete("a"))
    assert (edit.artifact_id, edit.base_version, edit.summary) == ("art_1", 3, "completed Legal")
    assert applied(edit, stored)["tasks"] == {"a": {"title": "Legal", "done": True}}
    assert not plan.tasks["a"].done
    anew = plan.edit(lambda it: it.model_copy(update={"title": "Launched"}))
    assert applied(anew, stored)["title"] == "Launched"
    assert anew.summary == ""


def test_an_edit_that_changes_nothing_is_refused_though_the_class_would_write_it_otherwise() -> None:
    """AT-12."""
    plan = Plan.from_stored(read(Plan, title="Launch"))  # with fewer words than the class says it in
    with pytest.raises(PatchFailed):
        plan.edit(lambda it: None)


def test_an_edit_whose_result_does_not_fit_is_refused() -> None:
    """AT-02: the class validates the result as it validates what is new."""

    class Named(Artifact):
        name: str

        @field_validator("name")
        @classmethod
        def _short(cls, name: str) -> str:
            if len(name) > 5:
                raise ValueError("is too long")
            return name.strip()

    named = Named.from_stored(read(Named, name="one"))
    with pytest.raises(ValidationFailed, match="too long"):
        named.edit(lambda it: setattr(it, "name", "a long name"))
    normalised = named.edit(lambda it: setattr(it, "name", " two "))
    assert applied(normalised, read(Named, name="one")) == {"name": "two"}


def test_a_summary_is_as_long_as_files_takes_one() -> None:
    """AT-08."""

    class Wordy(Artifact):
        number: int

        def describe_change(self, before: Self) -> str:
            """Far too much."""
            return "x" * 5_000

    assert len(Wordy.from_stored(read(Wordy, number=1)).edit(lambda it: setattr(it, "number", 2)).summary) == 1_000


def test_creating_and_archiving_are_commands_too() -> None:
    """CM-01, CM-02."""
    assert Brief(text="# Launch").create("brief_1") == CreateArtifact(
        kind="brief", data={"text": "# Launch"}, artifact_id="brief_1"
    )
    archive = Brief.from_stored(read(Brief, text="x")).archive()
    assert archive == ArchiveArtifact(artifact_id="art_1", base_version=3)


WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), max_size=3
)  # what can be stored
TASKS = st.dictionaries(WORDS, st.builds(Task, title=WORDS, done=st.booleans()), max_size=4)
PLANS = st.builds(Plan, title=WORDS, due=st.none() | st.dates(), tasks=TASKS)


@given(PLANS, PLANS, st.booleans())
def test_the_patch_turns_what_is_stored_into_what_was_made_of_it(before: Plan, after: Plan, terse: bool) -> None:
    """AT-13: be it stored with all fields or only with those that are not their defaults; files takes the result."""
    data = before.model_dump(mode="json", exclude_defaults=terse, round_trip=True)
    stored = read(Plan, **data)
    if before.to_data() == after.to_data():
        return
    made = applied(Plan.from_stored(stored).edit(lambda _: after), stored)
    assert made == after.to_data()
    assert Schema.of(Plan.json_schema()).errors_of(made) == []
