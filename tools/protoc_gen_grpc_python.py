"""A protoc plugin that lets buf call grpcio-tools' own generator of Python service stubs.

buf has no builtin for Python's gRPC stubs, and grpcio-tools carries its generator inside protoc
only. This hands buf's request to that protoc and its files back, unchanged.
"""

import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc


def generate(request: CodeGeneratorRequest) -> CodeGeneratorResponse:
    """Answer a request of buf's with what grpcio-tools generates for the same files."""
    response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    with tempfile.TemporaryDirectory() as folder:
        descriptors = Path(folder, "descriptors.binpb")
        descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
        out = Path(folder, "out")
        out.mkdir()
        arguments = [f"--descriptor_set_in={descriptors}", f"--grpc_python_out={out}", *request.file_to_generate]
        if status := protoc.main(["protoc", *arguments]):
            response.error = f"grpc_tools.protoc exited with {status}"
        for path in sorted(out.rglob("*.py")):
            response.file.add(name=str(path.relative_to(out)), content=path.read_text())
    return response


if __name__ == "__main__":
    sys.stdout.buffer.write(generate(CodeGeneratorRequest.FromString(sys.stdin.buffer.read())).SerializeToString())
