"""The servicer of `lattice.integrations.v1.IntegrationsService`; each method's contract stands in the proto."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as pb_grpc
from lattice_chassis.identity import current_identity
from lattice_chassis.telemetry import current_traceparent

from lattice_integrations.domain.registry import Registry
from lattice_integrations.grpc import from_proto, to_proto
from lattice_integrations.service import switches
from lattice_integrations.service.watch import WatchLimits, watch
from lattice_integrations.store.switch_store import SwitchStore

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


class IntegrationsServicer(pb_grpc.IntegrationsServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, store: SwitchStore, registry: Registry, limits: WatchLimits) -> None:
        self._store = store
        self._registry = registry
        self._limits = limits

    async def CheckEnabled(self, request: pb.CheckEnabledRequest, _context: Context) -> pb.CheckEnabledResponse:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        switch = await switches.check_enabled(self._store, self._registry, scope, request.key)
        return to_proto.check_enabled(switch)

    async def ListIntegrations(
        self, request: pb.ListIntegrationsRequest, _context: Context
    ) -> pb.ListIntegrationsResponse:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        states = await switches.list_integrations(self._store, self._registry, scope)
        return to_proto.list_integrations(states)

    async def SetEnabled(self, request: pb.SetEnabledRequest, _context: Context) -> pb.SetEnabledResponse:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        switch = await switches.set_enabled(
            self._store,
            self._registry,
            scope,
            from_proto.caller(current_identity(), current_traceparent()),
            from_proto.set_enabled(request),
            from_proto.request_of(request),
        )
        return to_proto.set_enabled(switch)

    async def ListSwitchChanges(
        self, request: pb.ListSwitchChangesRequest, _context: Context
    ) -> pb.ListSwitchChangesResponse:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        page = from_proto.page_of_changes(request)
        changes = await switches.list_changes(
            self._store, self._registry, scope, key=page.key, before=page.before, limit=page.limit + 1
        )
        return to_proto.list_switch_changes(request, changes, page.limit)

    async def WatchIntegrations(
        self, request: pb.WatchIntegrationsRequest, _context: Context
    ) -> AsyncIterator[pb.WatchIntegrationsResponse]:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        cursor = from_proto.cursor(request.cursor) if request.HasField("cursor") else None
        async with aclosing(watch(self._store, self._registry, scope, cursor, self._limits)) as events:
            async for event in events:
                yield to_proto.watch_event(event)
