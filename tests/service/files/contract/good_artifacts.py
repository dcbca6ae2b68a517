"""Good calls of ArtifactsService."""

import json
from typing import Final

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from service.files.contract.good_call import GoodCall, context, fenced_proposal, one
from service.files.contract.places import RENAME, REWORD, TASK_KIND, note, task
from service.files.people import new_request_id
from service.files.structured import NOTE

ARTIFACTS: Final = (
    GoodCall(
        method="ArtifactsService/RegisterType",
        by="olga",
        requests=one(
            lambda place: artifacts_pb.RegisterTypeRequest(
                type=artifacts_pb.ArtifactType(
                    kind=place.kind, schema_json=json.dumps(NOTE), write_policy=artifacts_pb.WRITE_POLICY_PROPOSE
                ),
                expected_revision=0,
                force=True,
                request_id=new_request_id(),
            )
        ),
    ),
    GoodCall(method="ArtifactsService/ListTypes", requests=one(lambda _: artifacts_pb.ListTypesRequest(page_size=1))),
    GoodCall(
        method="ArtifactsService/CreateArtifact",
        requests=one(
            lambda place: artifacts_pb.CreateArtifactRequest(
                workspace=place.name, kind=TASK_KIND, data_json='{"name": "one"}', artifact_id="made", context=context()
            )
        ),
    ),
    GoodCall(
        method="ArtifactsService/GetArtifact",
        requests=one(lambda place: artifacts_pb.GetArtifactRequest(name=place.artifact("edited"))),
        needs=(task("edited"),),
    ),
    GoodCall(
        method="ArtifactsService/ListArtifacts",
        requests=one(
            lambda place: artifacts_pb.ListArtifactsRequest(
                workspace=place.name, kind=TASK_KIND, name_contains="one", show_archived=True, page_size=1
            )
        ),
    ),
    GoodCall(
        method="ArtifactsService/EditArtifact",
        label="operations",
        requests=one(
            lambda place: artifacts_pb.EditArtifactRequest(
                name=place.artifact("edited"), base_version=1, patch=RENAME, summary="renames", context=context()
            )
        ),
        needs=(task("edited"),),
    ),
    GoodCall(
        method="ArtifactsService/EditArtifact",
        label="replacements",
        requests=one(
            lambda place: artifacts_pb.EditArtifactRequest(
                name=place.artifact("reworded"), base_version=1, patch=REWORD, context=context()
            )
        ),
        needs=(note("reworded"),),
    ),
    GoodCall(
        method="ArtifactsService/EditArtifact",
        label="proposed",
        by="assistant",
        requests=one(
            lambda place: artifacts_pb.EditArtifactRequest(
                name=place.artifact("discussed"), base_version=1, patch=RENAME, context=fenced_proposal("discussion")
            )
        ),
        needs=(task("discussed"),),
    ),
    GoodCall(
        method="ArtifactsService/ArchiveArtifact",
        requests=one(
            lambda place: artifacts_pb.ArchiveArtifactRequest(
                name=place.artifact("archived"), base_version=1, context=context()
            )
        ),
        needs=(task("archived"),),
    ),
    GoodCall(
        method="ArtifactsService/ListRevisions",
        requests=one(lambda place: artifacts_pb.ListRevisionsRequest(name=place.artifact("restored"), page_size=1)),
        needs=(task("restored", "two"),),
    ),
    GoodCall(
        method="ArtifactsService/GetRevision",
        requests=one(lambda place: artifacts_pb.GetRevisionRequest(name=place.revision("restored", 1))),
        needs=(task("restored", "two"),),
    ),
    GoodCall(
        method="ArtifactsService/RestoreRevision",
        requests=one(
            lambda place: artifacts_pb.RestoreRevisionRequest(
                name=place.revision("restored", 1), base_version=2, summary="as it was", context=context()
            )
        ),
        needs=(task("restored", "two"),),
    ),
)
