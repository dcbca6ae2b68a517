"""What a deployment declares."""

import pytest
from lattice_integrations.domain.registry import Integration, Registry
from lattice_integrations.domain.rejections import UnknownIntegration
from lattice_integrations.settings import WORDCRAFT, DeclaredIntegration, IntegrationsSettings
from pydantic import SecretStr, ValidationError

URL = SecretStr("postgresql+aiopg://service@/nowhere")


def integration(key: str, *kinds: str, on: bool = True) -> Integration:
    return Integration(key=key, title=key, enabled_by_default=on, governed_kinds=kinds)


def test_a_registry_keeps_the_order_of_its_declarations() -> None:
    """I-02."""
    registry = Registry([integration("b"), integration("c"), integration("a")])
    assert [declared.key for declared in registry] == ["b", "c", "a"]


def test_a_key_that_is_not_declared_is_unknown() -> None:
    """I-17."""
    registry = Registry([integration("a")])
    with pytest.raises(UnknownIntegration) as refused:
        registry["b"]
    assert (refused.value.reason, refused.value.key) == ("UNKNOWN_INTEGRATION", "b")
    assert "b" not in registry


@pytest.mark.parametrize(
    "contradictory",
    [
        [integration("a"), integration("a", on=False)],
        [integration("a", "native_docx"), integration("b", "native_docx")],
        [integration("")],
    ],
)
def test_a_registry_that_gives_two_answers_is_refused(contradictory: list[Integration]) -> None:
    """I-10: one key for a kind, or none."""
    with pytest.raises(ValueError, match=r"no key|declared twice|governed by"):
        Registry(contradictory)


@pytest.mark.parametrize(
    "other",
    [
        [integration("a", on=False), integration("b")],
        [integration("a")],
        [integration("b"), integration("a")],
        [integration("a", "native_docx"), integration("b")],
    ],
)
def test_registries_that_answer_differently_have_different_digests(other: list[Integration]) -> None:
    """MP-22: a position under the one is none under the other."""
    assert Registry(other).digest != Registry([integration("a"), integration("b")]).digest
    assert Registry(other).digest == Registry(list(other)).digest


def test_without_a_word_wordcraft_is_declared_and_on() -> None:
    """I-02, I-03, AMB-02."""
    (only,) = IntegrationsSettings(database_url=URL).declared()
    assert (only.key, only.enabled_by_default, only.governed_kinds) == ("files:wordcraft", True, ("native_docx",))


def test_a_deployment_declares_its_integrations_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """I-02."""
    monkeypatch.setenv("LATTICE_INTEGRATIONS_DATABASE_URL", URL.get_secret_value())
    monkeypatch.setenv(
        "LATTICE_INTEGRATIONS_REGISTRY", '[{"key": "files:sketch", "title": "Sketch", "enabled_by_default": false}]'
    )
    (only,) = IntegrationsSettings().declared()  # type: ignore[call-arg]  # the environment says it
    assert (only.key, only.enabled_by_default) == ("files:sketch", False)


def test_settings_that_contradict_themselves_stop_the_start() -> None:
    """I-10: rather than the first or the last declaration winning unseen."""
    rival = WORDCRAFT.model_copy(update={"key": "files:rival"})
    with pytest.raises(ValidationError, match="native_docx is governed by"):
        IntegrationsSettings(database_url=URL, registry=(WORDCRAFT, rival))


@pytest.mark.parametrize("key", ["", "wordcraft", "files:", "Files:WordCraft", "files:word craft", "files:a\n"])
def test_a_key_has_the_form_of_a_key(key: str) -> None:
    """VO-07."""
    with pytest.raises(ValidationError):
        DeclaredIntegration(key=key, title="T", enabled_by_default=True)
