"""What the domain answers, in the words of the contract."""

from collections.abc import Sequence
from typing import assert_never

from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.type.v1 import actor_pb2, names_pb2
from lattice_chassis.paging import Cursor, page_token

from lattice_integrations.domain.actors import Actor, ActorKind
from lattice_integrations.domain.registry import Integration
from lattice_integrations.domain.switches import Source, Switch, SwitchChange
from lattice_integrations.service.switches import States
from lattice_integrations.service.watch import Changed, Progress, WatchEvent


def check_enabled(switch: Switch) -> pb.CheckEnabledResponse:
    """The answer to CheckEnabled."""
    return pb.CheckEnabledResponse(enabled=switch.enabled, source=_source(switch.source), revision=switch.revision)


def list_integrations(states: States) -> pb.ListIntegrationsResponse:
    """The answer to ListIntegrations."""
    return pb.ListIntegrationsResponse(integrations=_states(states), cursor=_cursor(states.cursor))


def set_enabled(switch: Switch) -> pb.SetEnabledResponse:
    """The answer to SetEnabled."""
    return pb.SetEnabledResponse(switch=_switch(switch))


def list_switch_changes(
    request: pb.ListSwitchChangesRequest, changes: Sequence[SwitchChange], limit: int
) -> pb.ListSwitchChangesResponse:
    """A page of at most `limit` changes; one more in `changes` means that there is a next page."""
    page = changes[:limit]
    return pb.ListSwitchChangesResponse(
        changes=map(_change, page),
        next_page_token=page_token(request, [page[-1].revision]) if len(changes) > limit else "",
    )


def watch_event(event: WatchEvent) -> pb.WatchIntegrationsResponse:
    """One message of a watch."""
    match event:
        case States():
            snapshot = pb.SwitchSnapshot(integrations=_states(event))
            return pb.WatchIntegrationsResponse(snapshot=snapshot, cursor=_cursor(event.cursor))
        case Changed():
            return pb.WatchIntegrationsResponse(change=_change(event.change), cursor=_cursor(event.cursor))
        case Progress():
            return pb.WatchIntegrationsResponse(cursor=_cursor(event.cursor))
        case unknown:
            assert_never(unknown)


def actor(participant: Actor) -> actor_pb2.Actor:
    """A participant."""
    match participant.kind:
        case ActorKind.USER:
            return actor_pb2.Actor(user=actor_pb2.UserActor(id=participant.id, name=participant.name))
        case ActorKind.AGENT:
            agent = actor_pb2.AgentActor(thread_id=participant.id, run_id=participant.run_id, name=participant.name)
            return actor_pb2.Actor(agent=agent)
        case ActorKind.EXTERNAL_AGENT:
            external = actor_pb2.ExternalAgentActor(client_id=participant.id, name=participant.name)
            return actor_pb2.Actor(external_agent=external)
        case ActorKind.SYSTEM:
            return actor_pb2.Actor(system=actor_pb2.SystemActor(name=participant.id))
        case unknown:
            assert_never(unknown)


def _states(states: States) -> list[pb.IntegrationState]:
    return [
        pb.IntegrationState(integration=_integration(integration), switch=_switch(switch))
        for integration, switch in states.integrations
    ]


def _integration(integration: Integration) -> pb.Integration:
    return pb.Integration(
        key=integration.key,
        title=integration.title,
        description=integration.description,
        enabled_by_default=integration.enabled_by_default,
        governed_kinds=integration.governed_kinds,
    )


def _switch(switch: Switch) -> pb.Switch:
    return pb.Switch(key=switch.key, enabled=switch.enabled, source=_source(switch.source), revision=switch.revision)


def _change(change: SwitchChange) -> pb.SwitchChange:
    message = pb.SwitchChange(
        revision=change.revision,
        key=change.key,
        enabled_before=change.enabled_before,
        source_before=_source(change.source_before),
        enabled=change.enabled,
        actor=actor(change.actor),
        reason=change.reason,
        traceparent=change.traceparent,
    )
    message.change_time.FromDatetime(change.changed_at)
    return message


def _source(source: Source) -> pb.SwitchSource.ValueType:
    match source:
        case Source.DEFAULT:
            return pb.SWITCH_SOURCE_DEFAULT
        case Source.SETTING:
            return pb.SWITCH_SOURCE_SETTING
        case unknown:
            assert_never(unknown)


def _cursor(cursor: Cursor) -> names_pb2.Cursor:
    return names_pb2.Cursor(epoch=cursor.epoch, sequence=cursor.sequence)
