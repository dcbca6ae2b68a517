package dev.lattice.files.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Keeps artifacts of every kind and their revisions.
 * A write of a kind that an integration governs is refused with NOT_ENABLED while that is off, and
 * with PEER_UNAVAILABLE while nobody can tell. While a native file is checked out every write of it
 * here is ARTIFACT_BUSY. An agent's write may become a proposal by the type's policy.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ArtifactsServiceGrpc {

  private ArtifactsServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.files.v1.ArtifactsService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.RegisterTypeRequest,
      dev.lattice.files.v1.RegisterTypeResponse> getRegisterTypeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RegisterType",
      requestType = dev.lattice.files.v1.RegisterTypeRequest.class,
      responseType = dev.lattice.files.v1.RegisterTypeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.RegisterTypeRequest,
      dev.lattice.files.v1.RegisterTypeResponse> getRegisterTypeMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.RegisterTypeRequest, dev.lattice.files.v1.RegisterTypeResponse> getRegisterTypeMethod;
    if ((getRegisterTypeMethod = ArtifactsServiceGrpc.getRegisterTypeMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getRegisterTypeMethod = ArtifactsServiceGrpc.getRegisterTypeMethod) == null) {
          ArtifactsServiceGrpc.getRegisterTypeMethod = getRegisterTypeMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.RegisterTypeRequest, dev.lattice.files.v1.RegisterTypeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RegisterType"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.RegisterTypeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.RegisterTypeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("RegisterType"))
              .build();
        }
      }
    }
    return getRegisterTypeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ListTypesRequest,
      dev.lattice.files.v1.ListTypesResponse> getListTypesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListTypes",
      requestType = dev.lattice.files.v1.ListTypesRequest.class,
      responseType = dev.lattice.files.v1.ListTypesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ListTypesRequest,
      dev.lattice.files.v1.ListTypesResponse> getListTypesMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ListTypesRequest, dev.lattice.files.v1.ListTypesResponse> getListTypesMethod;
    if ((getListTypesMethod = ArtifactsServiceGrpc.getListTypesMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getListTypesMethod = ArtifactsServiceGrpc.getListTypesMethod) == null) {
          ArtifactsServiceGrpc.getListTypesMethod = getListTypesMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ListTypesRequest, dev.lattice.files.v1.ListTypesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListTypes"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListTypesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListTypesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("ListTypes"))
              .build();
        }
      }
    }
    return getListTypesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.CreateArtifactRequest,
      dev.lattice.files.v1.CreateArtifactResponse> getCreateArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateArtifact",
      requestType = dev.lattice.files.v1.CreateArtifactRequest.class,
      responseType = dev.lattice.files.v1.CreateArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.CreateArtifactRequest,
      dev.lattice.files.v1.CreateArtifactResponse> getCreateArtifactMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.CreateArtifactRequest, dev.lattice.files.v1.CreateArtifactResponse> getCreateArtifactMethod;
    if ((getCreateArtifactMethod = ArtifactsServiceGrpc.getCreateArtifactMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getCreateArtifactMethod = ArtifactsServiceGrpc.getCreateArtifactMethod) == null) {
          ArtifactsServiceGrpc.getCreateArtifactMethod = getCreateArtifactMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.CreateArtifactRequest, dev.lattice.files.v1.CreateArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.CreateArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.CreateArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("CreateArtifact"))
              .build();
        }
      }
    }
    return getCreateArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.GetArtifactRequest,
      dev.lattice.files.v1.GetArtifactResponse> getGetArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetArtifact",
      requestType = dev.lattice.files.v1.GetArtifactRequest.class,
      responseType = dev.lattice.files.v1.GetArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.GetArtifactRequest,
      dev.lattice.files.v1.GetArtifactResponse> getGetArtifactMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.GetArtifactRequest, dev.lattice.files.v1.GetArtifactResponse> getGetArtifactMethod;
    if ((getGetArtifactMethod = ArtifactsServiceGrpc.getGetArtifactMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getGetArtifactMethod = ArtifactsServiceGrpc.getGetArtifactMethod) == null) {
          ArtifactsServiceGrpc.getGetArtifactMethod = getGetArtifactMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.GetArtifactRequest, dev.lattice.files.v1.GetArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetArtifact"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("GetArtifact"))
              .build();
        }
      }
    }
    return getGetArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ListArtifactsRequest,
      dev.lattice.files.v1.ListArtifactsResponse> getListArtifactsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListArtifacts",
      requestType = dev.lattice.files.v1.ListArtifactsRequest.class,
      responseType = dev.lattice.files.v1.ListArtifactsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ListArtifactsRequest,
      dev.lattice.files.v1.ListArtifactsResponse> getListArtifactsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ListArtifactsRequest, dev.lattice.files.v1.ListArtifactsResponse> getListArtifactsMethod;
    if ((getListArtifactsMethod = ArtifactsServiceGrpc.getListArtifactsMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getListArtifactsMethod = ArtifactsServiceGrpc.getListArtifactsMethod) == null) {
          ArtifactsServiceGrpc.getListArtifactsMethod = getListArtifactsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ListArtifactsRequest, dev.lattice.files.v1.ListArtifactsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListArtifacts"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListArtifactsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListArtifactsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("ListArtifacts"))
              .build();
        }
      }
    }
    return getListArtifactsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.EditArtifactRequest,
      dev.lattice.files.v1.EditArtifactResponse> getEditArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "EditArtifact",
      requestType = dev.lattice.files.v1.EditArtifactRequest.class,
      responseType = dev.lattice.files.v1.EditArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.EditArtifactRequest,
      dev.lattice.files.v1.EditArtifactResponse> getEditArtifactMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.EditArtifactRequest, dev.lattice.files.v1.EditArtifactResponse> getEditArtifactMethod;
    if ((getEditArtifactMethod = ArtifactsServiceGrpc.getEditArtifactMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getEditArtifactMethod = ArtifactsServiceGrpc.getEditArtifactMethod) == null) {
          ArtifactsServiceGrpc.getEditArtifactMethod = getEditArtifactMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.EditArtifactRequest, dev.lattice.files.v1.EditArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "EditArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.EditArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.EditArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("EditArtifact"))
              .build();
        }
      }
    }
    return getEditArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ArchiveArtifactRequest,
      dev.lattice.files.v1.ArchiveArtifactResponse> getArchiveArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ArchiveArtifact",
      requestType = dev.lattice.files.v1.ArchiveArtifactRequest.class,
      responseType = dev.lattice.files.v1.ArchiveArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ArchiveArtifactRequest,
      dev.lattice.files.v1.ArchiveArtifactResponse> getArchiveArtifactMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ArchiveArtifactRequest, dev.lattice.files.v1.ArchiveArtifactResponse> getArchiveArtifactMethod;
    if ((getArchiveArtifactMethod = ArtifactsServiceGrpc.getArchiveArtifactMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getArchiveArtifactMethod = ArtifactsServiceGrpc.getArchiveArtifactMethod) == null) {
          ArtifactsServiceGrpc.getArchiveArtifactMethod = getArchiveArtifactMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ArchiveArtifactRequest, dev.lattice.files.v1.ArchiveArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ArchiveArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ArchiveArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ArchiveArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("ArchiveArtifact"))
              .build();
        }
      }
    }
    return getArchiveArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ListRevisionsRequest,
      dev.lattice.files.v1.ListRevisionsResponse> getListRevisionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListRevisions",
      requestType = dev.lattice.files.v1.ListRevisionsRequest.class,
      responseType = dev.lattice.files.v1.ListRevisionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ListRevisionsRequest,
      dev.lattice.files.v1.ListRevisionsResponse> getListRevisionsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ListRevisionsRequest, dev.lattice.files.v1.ListRevisionsResponse> getListRevisionsMethod;
    if ((getListRevisionsMethod = ArtifactsServiceGrpc.getListRevisionsMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getListRevisionsMethod = ArtifactsServiceGrpc.getListRevisionsMethod) == null) {
          ArtifactsServiceGrpc.getListRevisionsMethod = getListRevisionsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ListRevisionsRequest, dev.lattice.files.v1.ListRevisionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListRevisions"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListRevisionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListRevisionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("ListRevisions"))
              .build();
        }
      }
    }
    return getListRevisionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.GetRevisionRequest,
      dev.lattice.files.v1.GetRevisionResponse> getGetRevisionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetRevision",
      requestType = dev.lattice.files.v1.GetRevisionRequest.class,
      responseType = dev.lattice.files.v1.GetRevisionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.GetRevisionRequest,
      dev.lattice.files.v1.GetRevisionResponse> getGetRevisionMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.GetRevisionRequest, dev.lattice.files.v1.GetRevisionResponse> getGetRevisionMethod;
    if ((getGetRevisionMethod = ArtifactsServiceGrpc.getGetRevisionMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getGetRevisionMethod = ArtifactsServiceGrpc.getGetRevisionMethod) == null) {
          ArtifactsServiceGrpc.getGetRevisionMethod = getGetRevisionMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.GetRevisionRequest, dev.lattice.files.v1.GetRevisionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetRevision"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetRevisionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetRevisionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("GetRevision"))
              .build();
        }
      }
    }
    return getGetRevisionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.RestoreRevisionRequest,
      dev.lattice.files.v1.RestoreRevisionResponse> getRestoreRevisionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RestoreRevision",
      requestType = dev.lattice.files.v1.RestoreRevisionRequest.class,
      responseType = dev.lattice.files.v1.RestoreRevisionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.RestoreRevisionRequest,
      dev.lattice.files.v1.RestoreRevisionResponse> getRestoreRevisionMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.RestoreRevisionRequest, dev.lattice.files.v1.RestoreRevisionResponse> getRestoreRevisionMethod;
    if ((getRestoreRevisionMethod = ArtifactsServiceGrpc.getRestoreRevisionMethod) == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        if ((getRestoreRevisionMethod = ArtifactsServiceGrpc.getRestoreRevisionMethod) == null) {
          ArtifactsServiceGrpc.getRestoreRevisionMethod = getRestoreRevisionMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.RestoreRevisionRequest, dev.lattice.files.v1.RestoreRevisionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RestoreRevision"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.RestoreRevisionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.RestoreRevisionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactsServiceMethodDescriptorSupplier("RestoreRevision"))
              .build();
        }
      }
    }
    return getRestoreRevisionMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ArtifactsServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArtifactsServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArtifactsServiceStub>() {
        @java.lang.Override
        public ArtifactsServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArtifactsServiceStub(channel, callOptions);
        }
      };
    return ArtifactsServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ArtifactsServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArtifactsServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArtifactsServiceBlockingV2Stub>() {
        @java.lang.Override
        public ArtifactsServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArtifactsServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return ArtifactsServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ArtifactsServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArtifactsServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArtifactsServiceBlockingStub>() {
        @java.lang.Override
        public ArtifactsServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArtifactsServiceBlockingStub(channel, callOptions);
        }
      };
    return ArtifactsServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ArtifactsServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArtifactsServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArtifactsServiceFutureStub>() {
        @java.lang.Override
        public ArtifactsServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArtifactsServiceFutureStub(channel, callOptions);
        }
      };
    return ArtifactsServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Keeps artifacts of every kind and their revisions.
   * A write of a kind that an integration governs is refused with NOT_ENABLED while that is off, and
   * with PEER_UNAVAILABLE while nobody can tell. While a native file is checked out every write of it
   * here is ARTIFACT_BUSY. An agent's write may become a proposal by the type's policy.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Registers a type for the whole deployment, or a new schema or policy of it. Operators only: a
     * tenant's administrators cannot change what other tenants use.
     * VERSION_CONFLICT when the type is at another schema revision than expected; VALIDATION_FAILED
     * when the schema is none, or lets unknown fields through; INVALID_STATE when it is not certain
     * that the new schema accepts all that the old one accepts, unless forced. Stored data is not
     * revalidated. What is registered already is answered as it stands.
     * </pre>
     */
    default void registerType(dev.lattice.files.v1.RegisterTypeRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.RegisterTypeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRegisterTypeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the types by kind: the registered ones, and those of native files, which apps bring along.
     * </pre>
     */
    default void listTypes(dev.lattice.files.v1.ListTypesRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListTypesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListTypesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Creates a structured artifact; native files are uploaded instead.
     * NOT_FOUND for a kind that is not registered or not allowed; VALIDATION_FAILED when the data do
     * not fit; INVALID_STATE when the id was used before in this workspace.
     * </pre>
     */
    default void createArtifact(dev.lattice.files.v1.CreateArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.CreateArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reads an artifact at its current version.
     * </pre>
     */
    default void getArtifact(dev.lattice.files.v1.GetArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists artifacts, oldest first.
     * </pre>
     */
    default void listArtifacts(dev.lattice.files.v1.ListArtifactsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListArtifactsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListArtifactsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes an artifact by a patch on its current version.
     * VERSION_CONFLICT on another version; PATCH_FAILED when the patch does not apply or changes
     * nothing; VALIDATION_FAILED when the result does not fit, or names fields of a native file that
     * only check-in and edit may change; INVALID_STATE when it is archived.
     * </pre>
     */
    default void editArtifact(dev.lattice.files.v1.EditArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.EditArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getEditArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Archives an artifact: it stays readable, and is listed only on request. Errors as for EditArtifact.
     * </pre>
     */
    default void archiveArtifact(dev.lattice.files.v1.ArchiveArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ArchiveArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getArchiveArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the revisions of an artifact, oldest first.
     * </pre>
     */
    default void listRevisions(dev.lattice.files.v1.ListRevisionsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListRevisionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListRevisionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reads one revision: the artifact as it was at that version.
     * </pre>
     */
    default void getRevision(dev.lattice.files.v1.GetRevisionRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetRevisionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetRevisionMethod(), responseObserver);
    }

    /**
     * <pre>
     * Makes an earlier revision's content the newest version. An edit in every respect.
     * </pre>
     */
    default void restoreRevision(dev.lattice.files.v1.RestoreRevisionRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.RestoreRevisionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRestoreRevisionMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ArtifactsService.
   * <pre>
   * Keeps artifacts of every kind and their revisions.
   * A write of a kind that an integration governs is refused with NOT_ENABLED while that is off, and
   * with PEER_UNAVAILABLE while nobody can tell. While a native file is checked out every write of it
   * here is ARTIFACT_BUSY. An agent's write may become a proposal by the type's policy.
   * </pre>
   */
  public static abstract class ArtifactsServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ArtifactsServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ArtifactsService.
   * <pre>
   * Keeps artifacts of every kind and their revisions.
   * A write of a kind that an integration governs is refused with NOT_ENABLED while that is off, and
   * with PEER_UNAVAILABLE while nobody can tell. While a native file is checked out every write of it
   * here is ARTIFACT_BUSY. An agent's write may become a proposal by the type's policy.
   * </pre>
   */
  public static final class ArtifactsServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ArtifactsServiceStub> {
    private ArtifactsServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArtifactsServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArtifactsServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Registers a type for the whole deployment, or a new schema or policy of it. Operators only: a
     * tenant's administrators cannot change what other tenants use.
     * VERSION_CONFLICT when the type is at another schema revision than expected; VALIDATION_FAILED
     * when the schema is none, or lets unknown fields through; INVALID_STATE when it is not certain
     * that the new schema accepts all that the old one accepts, unless forced. Stored data is not
     * revalidated. What is registered already is answered as it stands.
     * </pre>
     */
    public void registerType(dev.lattice.files.v1.RegisterTypeRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.RegisterTypeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRegisterTypeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the types by kind: the registered ones, and those of native files, which apps bring along.
     * </pre>
     */
    public void listTypes(dev.lattice.files.v1.ListTypesRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListTypesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListTypesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Creates a structured artifact; native files are uploaded instead.
     * NOT_FOUND for a kind that is not registered or not allowed; VALIDATION_FAILED when the data do
     * not fit; INVALID_STATE when the id was used before in this workspace.
     * </pre>
     */
    public void createArtifact(dev.lattice.files.v1.CreateArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.CreateArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reads an artifact at its current version.
     * </pre>
     */
    public void getArtifact(dev.lattice.files.v1.GetArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists artifacts, oldest first.
     * </pre>
     */
    public void listArtifacts(dev.lattice.files.v1.ListArtifactsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListArtifactsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListArtifactsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes an artifact by a patch on its current version.
     * VERSION_CONFLICT on another version; PATCH_FAILED when the patch does not apply or changes
     * nothing; VALIDATION_FAILED when the result does not fit, or names fields of a native file that
     * only check-in and edit may change; INVALID_STATE when it is archived.
     * </pre>
     */
    public void editArtifact(dev.lattice.files.v1.EditArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.EditArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getEditArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Archives an artifact: it stays readable, and is listed only on request. Errors as for EditArtifact.
     * </pre>
     */
    public void archiveArtifact(dev.lattice.files.v1.ArchiveArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ArchiveArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getArchiveArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the revisions of an artifact, oldest first.
     * </pre>
     */
    public void listRevisions(dev.lattice.files.v1.ListRevisionsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListRevisionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListRevisionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reads one revision: the artifact as it was at that version.
     * </pre>
     */
    public void getRevision(dev.lattice.files.v1.GetRevisionRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetRevisionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetRevisionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Makes an earlier revision's content the newest version. An edit in every respect.
     * </pre>
     */
    public void restoreRevision(dev.lattice.files.v1.RestoreRevisionRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.RestoreRevisionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRestoreRevisionMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ArtifactsService.
   * <pre>
   * Keeps artifacts of every kind and their revisions.
   * A write of a kind that an integration governs is refused with NOT_ENABLED while that is off, and
   * with PEER_UNAVAILABLE while nobody can tell. While a native file is checked out every write of it
   * here is ARTIFACT_BUSY. An agent's write may become a proposal by the type's policy.
   * </pre>
   */
  public static final class ArtifactsServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ArtifactsServiceBlockingV2Stub> {
    private ArtifactsServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArtifactsServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArtifactsServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Registers a type for the whole deployment, or a new schema or policy of it. Operators only: a
     * tenant's administrators cannot change what other tenants use.
     * VERSION_CONFLICT when the type is at another schema revision than expected; VALIDATION_FAILED
     * when the schema is none, or lets unknown fields through; INVALID_STATE when it is not certain
     * that the new schema accepts all that the old one accepts, unless forced. Stored data is not
     * revalidated. What is registered already is answered as it stands.
     * </pre>
     */
    public dev.lattice.files.v1.RegisterTypeResponse registerType(dev.lattice.files.v1.RegisterTypeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRegisterTypeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the types by kind: the registered ones, and those of native files, which apps bring along.
     * </pre>
     */
    public dev.lattice.files.v1.ListTypesResponse listTypes(dev.lattice.files.v1.ListTypesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListTypesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates a structured artifact; native files are uploaded instead.
     * NOT_FOUND for a kind that is not registered or not allowed; VALIDATION_FAILED when the data do
     * not fit; INVALID_STATE when the id was used before in this workspace.
     * </pre>
     */
    public dev.lattice.files.v1.CreateArtifactResponse createArtifact(dev.lattice.files.v1.CreateArtifactRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads an artifact at its current version.
     * </pre>
     */
    public dev.lattice.files.v1.GetArtifactResponse getArtifact(dev.lattice.files.v1.GetArtifactRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists artifacts, oldest first.
     * </pre>
     */
    public dev.lattice.files.v1.ListArtifactsResponse listArtifacts(dev.lattice.files.v1.ListArtifactsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListArtifactsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes an artifact by a patch on its current version.
     * VERSION_CONFLICT on another version; PATCH_FAILED when the patch does not apply or changes
     * nothing; VALIDATION_FAILED when the result does not fit, or names fields of a native file that
     * only check-in and edit may change; INVALID_STATE when it is archived.
     * </pre>
     */
    public dev.lattice.files.v1.EditArtifactResponse editArtifact(dev.lattice.files.v1.EditArtifactRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getEditArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Archives an artifact: it stays readable, and is listed only on request. Errors as for EditArtifact.
     * </pre>
     */
    public dev.lattice.files.v1.ArchiveArtifactResponse archiveArtifact(dev.lattice.files.v1.ArchiveArtifactRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getArchiveArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the revisions of an artifact, oldest first.
     * </pre>
     */
    public dev.lattice.files.v1.ListRevisionsResponse listRevisions(dev.lattice.files.v1.ListRevisionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListRevisionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads one revision: the artifact as it was at that version.
     * </pre>
     */
    public dev.lattice.files.v1.GetRevisionResponse getRevision(dev.lattice.files.v1.GetRevisionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetRevisionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Makes an earlier revision's content the newest version. An edit in every respect.
     * </pre>
     */
    public dev.lattice.files.v1.RestoreRevisionResponse restoreRevision(dev.lattice.files.v1.RestoreRevisionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRestoreRevisionMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ArtifactsService.
   * <pre>
   * Keeps artifacts of every kind and their revisions.
   * A write of a kind that an integration governs is refused with NOT_ENABLED while that is off, and
   * with PEER_UNAVAILABLE while nobody can tell. While a native file is checked out every write of it
   * here is ARTIFACT_BUSY. An agent's write may become a proposal by the type's policy.
   * </pre>
   */
  public static final class ArtifactsServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ArtifactsServiceBlockingStub> {
    private ArtifactsServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArtifactsServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArtifactsServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Registers a type for the whole deployment, or a new schema or policy of it. Operators only: a
     * tenant's administrators cannot change what other tenants use.
     * VERSION_CONFLICT when the type is at another schema revision than expected; VALIDATION_FAILED
     * when the schema is none, or lets unknown fields through; INVALID_STATE when it is not certain
     * that the new schema accepts all that the old one accepts, unless forced. Stored data is not
     * revalidated. What is registered already is answered as it stands.
     * </pre>
     */
    public dev.lattice.files.v1.RegisterTypeResponse registerType(dev.lattice.files.v1.RegisterTypeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRegisterTypeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the types by kind: the registered ones, and those of native files, which apps bring along.
     * </pre>
     */
    public dev.lattice.files.v1.ListTypesResponse listTypes(dev.lattice.files.v1.ListTypesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListTypesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates a structured artifact; native files are uploaded instead.
     * NOT_FOUND for a kind that is not registered or not allowed; VALIDATION_FAILED when the data do
     * not fit; INVALID_STATE when the id was used before in this workspace.
     * </pre>
     */
    public dev.lattice.files.v1.CreateArtifactResponse createArtifact(dev.lattice.files.v1.CreateArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads an artifact at its current version.
     * </pre>
     */
    public dev.lattice.files.v1.GetArtifactResponse getArtifact(dev.lattice.files.v1.GetArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists artifacts, oldest first.
     * </pre>
     */
    public dev.lattice.files.v1.ListArtifactsResponse listArtifacts(dev.lattice.files.v1.ListArtifactsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListArtifactsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes an artifact by a patch on its current version.
     * VERSION_CONFLICT on another version; PATCH_FAILED when the patch does not apply or changes
     * nothing; VALIDATION_FAILED when the result does not fit, or names fields of a native file that
     * only check-in and edit may change; INVALID_STATE when it is archived.
     * </pre>
     */
    public dev.lattice.files.v1.EditArtifactResponse editArtifact(dev.lattice.files.v1.EditArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getEditArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Archives an artifact: it stays readable, and is listed only on request. Errors as for EditArtifact.
     * </pre>
     */
    public dev.lattice.files.v1.ArchiveArtifactResponse archiveArtifact(dev.lattice.files.v1.ArchiveArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getArchiveArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the revisions of an artifact, oldest first.
     * </pre>
     */
    public dev.lattice.files.v1.ListRevisionsResponse listRevisions(dev.lattice.files.v1.ListRevisionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListRevisionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads one revision: the artifact as it was at that version.
     * </pre>
     */
    public dev.lattice.files.v1.GetRevisionResponse getRevision(dev.lattice.files.v1.GetRevisionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetRevisionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Makes an earlier revision's content the newest version. An edit in every respect.
     * </pre>
     */
    public dev.lattice.files.v1.RestoreRevisionResponse restoreRevision(dev.lattice.files.v1.RestoreRevisionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRestoreRevisionMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ArtifactsService.
   * <pre>
   * Keeps artifacts of every kind and their revisions.
   * A write of a kind that an integration governs is refused with NOT_ENABLED while that is off, and
   * with PEER_UNAVAILABLE while nobody can tell. While a native file is checked out every write of it
   * here is ARTIFACT_BUSY. An agent's write may become a proposal by the type's policy.
   * </pre>
   */
  public static final class ArtifactsServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ArtifactsServiceFutureStub> {
    private ArtifactsServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArtifactsServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArtifactsServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Registers a type for the whole deployment, or a new schema or policy of it. Operators only: a
     * tenant's administrators cannot change what other tenants use.
     * VERSION_CONFLICT when the type is at another schema revision than expected; VALIDATION_FAILED
     * when the schema is none, or lets unknown fields through; INVALID_STATE when it is not certain
     * that the new schema accepts all that the old one accepts, unless forced. Stored data is not
     * revalidated. What is registered already is answered as it stands.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.RegisterTypeResponse> registerType(
        dev.lattice.files.v1.RegisterTypeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRegisterTypeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the types by kind: the registered ones, and those of native files, which apps bring along.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ListTypesResponse> listTypes(
        dev.lattice.files.v1.ListTypesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListTypesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Creates a structured artifact; native files are uploaded instead.
     * NOT_FOUND for a kind that is not registered or not allowed; VALIDATION_FAILED when the data do
     * not fit; INVALID_STATE when the id was used before in this workspace.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.CreateArtifactResponse> createArtifact(
        dev.lattice.files.v1.CreateArtifactRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateArtifactMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reads an artifact at its current version.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.GetArtifactResponse> getArtifact(
        dev.lattice.files.v1.GetArtifactRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetArtifactMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists artifacts, oldest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ListArtifactsResponse> listArtifacts(
        dev.lattice.files.v1.ListArtifactsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListArtifactsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes an artifact by a patch on its current version.
     * VERSION_CONFLICT on another version; PATCH_FAILED when the patch does not apply or changes
     * nothing; VALIDATION_FAILED when the result does not fit, or names fields of a native file that
     * only check-in and edit may change; INVALID_STATE when it is archived.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.EditArtifactResponse> editArtifact(
        dev.lattice.files.v1.EditArtifactRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getEditArtifactMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Archives an artifact: it stays readable, and is listed only on request. Errors as for EditArtifact.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ArchiveArtifactResponse> archiveArtifact(
        dev.lattice.files.v1.ArchiveArtifactRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getArchiveArtifactMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the revisions of an artifact, oldest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ListRevisionsResponse> listRevisions(
        dev.lattice.files.v1.ListRevisionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListRevisionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reads one revision: the artifact as it was at that version.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.GetRevisionResponse> getRevision(
        dev.lattice.files.v1.GetRevisionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetRevisionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Makes an earlier revision's content the newest version. An edit in every respect.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.RestoreRevisionResponse> restoreRevision(
        dev.lattice.files.v1.RestoreRevisionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRestoreRevisionMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_REGISTER_TYPE = 0;
  private static final int METHODID_LIST_TYPES = 1;
  private static final int METHODID_CREATE_ARTIFACT = 2;
  private static final int METHODID_GET_ARTIFACT = 3;
  private static final int METHODID_LIST_ARTIFACTS = 4;
  private static final int METHODID_EDIT_ARTIFACT = 5;
  private static final int METHODID_ARCHIVE_ARTIFACT = 6;
  private static final int METHODID_LIST_REVISIONS = 7;
  private static final int METHODID_GET_REVISION = 8;
  private static final int METHODID_RESTORE_REVISION = 9;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_REGISTER_TYPE:
          serviceImpl.registerType((dev.lattice.files.v1.RegisterTypeRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.RegisterTypeResponse>) responseObserver);
          break;
        case METHODID_LIST_TYPES:
          serviceImpl.listTypes((dev.lattice.files.v1.ListTypesRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListTypesResponse>) responseObserver);
          break;
        case METHODID_CREATE_ARTIFACT:
          serviceImpl.createArtifact((dev.lattice.files.v1.CreateArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.CreateArtifactResponse>) responseObserver);
          break;
        case METHODID_GET_ARTIFACT:
          serviceImpl.getArtifact((dev.lattice.files.v1.GetArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetArtifactResponse>) responseObserver);
          break;
        case METHODID_LIST_ARTIFACTS:
          serviceImpl.listArtifacts((dev.lattice.files.v1.ListArtifactsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListArtifactsResponse>) responseObserver);
          break;
        case METHODID_EDIT_ARTIFACT:
          serviceImpl.editArtifact((dev.lattice.files.v1.EditArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.EditArtifactResponse>) responseObserver);
          break;
        case METHODID_ARCHIVE_ARTIFACT:
          serviceImpl.archiveArtifact((dev.lattice.files.v1.ArchiveArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ArchiveArtifactResponse>) responseObserver);
          break;
        case METHODID_LIST_REVISIONS:
          serviceImpl.listRevisions((dev.lattice.files.v1.ListRevisionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListRevisionsResponse>) responseObserver);
          break;
        case METHODID_GET_REVISION:
          serviceImpl.getRevision((dev.lattice.files.v1.GetRevisionRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetRevisionResponse>) responseObserver);
          break;
        case METHODID_RESTORE_REVISION:
          serviceImpl.restoreRevision((dev.lattice.files.v1.RestoreRevisionRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.RestoreRevisionResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getRegisterTypeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.RegisterTypeRequest,
              dev.lattice.files.v1.RegisterTypeResponse>(
                service, METHODID_REGISTER_TYPE)))
        .addMethod(
          getListTypesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ListTypesRequest,
              dev.lattice.files.v1.ListTypesResponse>(
                service, METHODID_LIST_TYPES)))
        .addMethod(
          getCreateArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.CreateArtifactRequest,
              dev.lattice.files.v1.CreateArtifactResponse>(
                service, METHODID_CREATE_ARTIFACT)))
        .addMethod(
          getGetArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.GetArtifactRequest,
              dev.lattice.files.v1.GetArtifactResponse>(
                service, METHODID_GET_ARTIFACT)))
        .addMethod(
          getListArtifactsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ListArtifactsRequest,
              dev.lattice.files.v1.ListArtifactsResponse>(
                service, METHODID_LIST_ARTIFACTS)))
        .addMethod(
          getEditArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.EditArtifactRequest,
              dev.lattice.files.v1.EditArtifactResponse>(
                service, METHODID_EDIT_ARTIFACT)))
        .addMethod(
          getArchiveArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ArchiveArtifactRequest,
              dev.lattice.files.v1.ArchiveArtifactResponse>(
                service, METHODID_ARCHIVE_ARTIFACT)))
        .addMethod(
          getListRevisionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ListRevisionsRequest,
              dev.lattice.files.v1.ListRevisionsResponse>(
                service, METHODID_LIST_REVISIONS)))
        .addMethod(
          getGetRevisionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.GetRevisionRequest,
              dev.lattice.files.v1.GetRevisionResponse>(
                service, METHODID_GET_REVISION)))
        .addMethod(
          getRestoreRevisionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.RestoreRevisionRequest,
              dev.lattice.files.v1.RestoreRevisionResponse>(
                service, METHODID_RESTORE_REVISION)))
        .build();
  }

  private static abstract class ArtifactsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ArtifactsServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.files.v1.ArtifactsServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ArtifactsService");
    }
  }

  private static final class ArtifactsServiceFileDescriptorSupplier
      extends ArtifactsServiceBaseDescriptorSupplier {
    ArtifactsServiceFileDescriptorSupplier() {}
  }

  private static final class ArtifactsServiceMethodDescriptorSupplier
      extends ArtifactsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ArtifactsServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (ArtifactsServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ArtifactsServiceFileDescriptorSupplier())
              .addMethod(getRegisterTypeMethod())
              .addMethod(getListTypesMethod())
              .addMethod(getCreateArtifactMethod())
              .addMethod(getGetArtifactMethod())
              .addMethod(getListArtifactsMethod())
              .addMethod(getEditArtifactMethod())
              .addMethod(getArchiveArtifactMethod())
              .addMethod(getListRevisionsMethod())
              .addMethod(getGetRevisionMethod())
              .addMethod(getRestoreRevisionMethod())
              .build();
        }
      }
    }
    return result;
  }
}
