package dev.lattice.files.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Keeps proposals and answers them.
 * A proposal is answered by another participant than its author, FORBIDDEN otherwise; one that is
 * resolved is INVALID_STATE. An agent may not accept what policy would make it propose.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ProposalsServiceGrpc {

  private ProposalsServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.files.v1.ProposalsService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ProposeChangeRequest,
      dev.lattice.files.v1.ProposeChangeResponse> getProposeChangeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ProposeChange",
      requestType = dev.lattice.files.v1.ProposeChangeRequest.class,
      responseType = dev.lattice.files.v1.ProposeChangeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ProposeChangeRequest,
      dev.lattice.files.v1.ProposeChangeResponse> getProposeChangeMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ProposeChangeRequest, dev.lattice.files.v1.ProposeChangeResponse> getProposeChangeMethod;
    if ((getProposeChangeMethod = ProposalsServiceGrpc.getProposeChangeMethod) == null) {
      synchronized (ProposalsServiceGrpc.class) {
        if ((getProposeChangeMethod = ProposalsServiceGrpc.getProposeChangeMethod) == null) {
          ProposalsServiceGrpc.getProposeChangeMethod = getProposeChangeMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ProposeChangeRequest, dev.lattice.files.v1.ProposeChangeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ProposeChange"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ProposeChangeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ProposeChangeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalsServiceMethodDescriptorSupplier("ProposeChange"))
              .build();
        }
      }
    }
    return getProposeChangeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.GetProposalRequest,
      dev.lattice.files.v1.GetProposalResponse> getGetProposalMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetProposal",
      requestType = dev.lattice.files.v1.GetProposalRequest.class,
      responseType = dev.lattice.files.v1.GetProposalResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.GetProposalRequest,
      dev.lattice.files.v1.GetProposalResponse> getGetProposalMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.GetProposalRequest, dev.lattice.files.v1.GetProposalResponse> getGetProposalMethod;
    if ((getGetProposalMethod = ProposalsServiceGrpc.getGetProposalMethod) == null) {
      synchronized (ProposalsServiceGrpc.class) {
        if ((getGetProposalMethod = ProposalsServiceGrpc.getGetProposalMethod) == null) {
          ProposalsServiceGrpc.getGetProposalMethod = getGetProposalMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.GetProposalRequest, dev.lattice.files.v1.GetProposalResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetProposal"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetProposalRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetProposalResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalsServiceMethodDescriptorSupplier("GetProposal"))
              .build();
        }
      }
    }
    return getGetProposalMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ListProposalsRequest,
      dev.lattice.files.v1.ListProposalsResponse> getListProposalsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListProposals",
      requestType = dev.lattice.files.v1.ListProposalsRequest.class,
      responseType = dev.lattice.files.v1.ListProposalsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ListProposalsRequest,
      dev.lattice.files.v1.ListProposalsResponse> getListProposalsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ListProposalsRequest, dev.lattice.files.v1.ListProposalsResponse> getListProposalsMethod;
    if ((getListProposalsMethod = ProposalsServiceGrpc.getListProposalsMethod) == null) {
      synchronized (ProposalsServiceGrpc.class) {
        if ((getListProposalsMethod = ProposalsServiceGrpc.getListProposalsMethod) == null) {
          ProposalsServiceGrpc.getListProposalsMethod = getListProposalsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ListProposalsRequest, dev.lattice.files.v1.ListProposalsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListProposals"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListProposalsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListProposalsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalsServiceMethodDescriptorSupplier("ListProposals"))
              .build();
        }
      }
    }
    return getListProposalsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.AcceptProposalRequest,
      dev.lattice.files.v1.AcceptProposalResponse> getAcceptProposalMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AcceptProposal",
      requestType = dev.lattice.files.v1.AcceptProposalRequest.class,
      responseType = dev.lattice.files.v1.AcceptProposalResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.AcceptProposalRequest,
      dev.lattice.files.v1.AcceptProposalResponse> getAcceptProposalMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.AcceptProposalRequest, dev.lattice.files.v1.AcceptProposalResponse> getAcceptProposalMethod;
    if ((getAcceptProposalMethod = ProposalsServiceGrpc.getAcceptProposalMethod) == null) {
      synchronized (ProposalsServiceGrpc.class) {
        if ((getAcceptProposalMethod = ProposalsServiceGrpc.getAcceptProposalMethod) == null) {
          ProposalsServiceGrpc.getAcceptProposalMethod = getAcceptProposalMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.AcceptProposalRequest, dev.lattice.files.v1.AcceptProposalResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AcceptProposal"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.AcceptProposalRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.AcceptProposalResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalsServiceMethodDescriptorSupplier("AcceptProposal"))
              .build();
        }
      }
    }
    return getAcceptProposalMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.RejectProposalRequest,
      dev.lattice.files.v1.RejectProposalResponse> getRejectProposalMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RejectProposal",
      requestType = dev.lattice.files.v1.RejectProposalRequest.class,
      responseType = dev.lattice.files.v1.RejectProposalResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.RejectProposalRequest,
      dev.lattice.files.v1.RejectProposalResponse> getRejectProposalMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.RejectProposalRequest, dev.lattice.files.v1.RejectProposalResponse> getRejectProposalMethod;
    if ((getRejectProposalMethod = ProposalsServiceGrpc.getRejectProposalMethod) == null) {
      synchronized (ProposalsServiceGrpc.class) {
        if ((getRejectProposalMethod = ProposalsServiceGrpc.getRejectProposalMethod) == null) {
          ProposalsServiceGrpc.getRejectProposalMethod = getRejectProposalMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.RejectProposalRequest, dev.lattice.files.v1.RejectProposalResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RejectProposal"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.RejectProposalRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.RejectProposalResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalsServiceMethodDescriptorSupplier("RejectProposal"))
              .build();
        }
      }
    }
    return getRejectProposalMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.WithdrawProposalRequest,
      dev.lattice.files.v1.WithdrawProposalResponse> getWithdrawProposalMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WithdrawProposal",
      requestType = dev.lattice.files.v1.WithdrawProposalRequest.class,
      responseType = dev.lattice.files.v1.WithdrawProposalResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.WithdrawProposalRequest,
      dev.lattice.files.v1.WithdrawProposalResponse> getWithdrawProposalMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.WithdrawProposalRequest, dev.lattice.files.v1.WithdrawProposalResponse> getWithdrawProposalMethod;
    if ((getWithdrawProposalMethod = ProposalsServiceGrpc.getWithdrawProposalMethod) == null) {
      synchronized (ProposalsServiceGrpc.class) {
        if ((getWithdrawProposalMethod = ProposalsServiceGrpc.getWithdrawProposalMethod) == null) {
          ProposalsServiceGrpc.getWithdrawProposalMethod = getWithdrawProposalMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.WithdrawProposalRequest, dev.lattice.files.v1.WithdrawProposalResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WithdrawProposal"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.WithdrawProposalRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.WithdrawProposalResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalsServiceMethodDescriptorSupplier("WithdrawProposal"))
              .build();
        }
      }
    }
    return getWithdrawProposalMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ProposalsServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ProposalsServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ProposalsServiceStub>() {
        @java.lang.Override
        public ProposalsServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ProposalsServiceStub(channel, callOptions);
        }
      };
    return ProposalsServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ProposalsServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ProposalsServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ProposalsServiceBlockingV2Stub>() {
        @java.lang.Override
        public ProposalsServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ProposalsServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return ProposalsServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ProposalsServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ProposalsServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ProposalsServiceBlockingStub>() {
        @java.lang.Override
        public ProposalsServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ProposalsServiceBlockingStub(channel, callOptions);
        }
      };
    return ProposalsServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ProposalsServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ProposalsServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ProposalsServiceFutureStub>() {
        @java.lang.Override
        public ProposalsServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ProposalsServiceFutureStub(channel, callOptions);
        }
      };
    return ProposalsServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Keeps proposals and answers them.
   * A proposal is answered by another participant than its author, FORBIDDEN otherwise; one that is
   * resolved is INVALID_STATE. An agent may not accept what policy would make it propose.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Proposes a change, whatever the type's policy says. It must apply to the current version.
     * </pre>
     */
    default void proposeChange(dev.lattice.files.v1.ProposeChangeRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ProposeChangeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getProposeChangeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reads a proposal.
     * </pre>
     */
    default void getProposal(dev.lattice.files.v1.GetProposalRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetProposalResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetProposalMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists proposals, oldest first.
     * </pre>
     */
    default void listProposals(dev.lattice.files.v1.ListProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListProposalsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListProposalsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Applies a proposal to the current version and attributes the change to the caller.
     * PATCH_FAILED, VALIDATION_FAILED or INVALID_STATE when it no longer applies; it stays pending
     * then. For a native file: NOT_ENABLED while its app is off, ARTIFACT_BUSY while it is checked
     * out, PROPOSAL_STALE when its content changed since, unless `rebase` is set.
     * </pre>
     */
    default void acceptProposal(dev.lattice.files.v1.AcceptProposalRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.AcceptProposalResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAcceptProposalMethod(), responseObserver);
    }

    /**
     * <pre>
     * Turns a proposal down. Changes no artifact, and is allowed while the app is off.
     * </pre>
     */
    default void rejectProposal(dev.lattice.files.v1.RejectProposalRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.RejectProposalResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRejectProposalMethod(), responseObserver);
    }

    /**
     * <pre>
     * Takes one's own proposal back; FORBIDDEN for everybody else.
     * </pre>
     */
    default void withdrawProposal(dev.lattice.files.v1.WithdrawProposalRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.WithdrawProposalResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWithdrawProposalMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ProposalsService.
   * <pre>
   * Keeps proposals and answers them.
   * A proposal is answered by another participant than its author, FORBIDDEN otherwise; one that is
   * resolved is INVALID_STATE. An agent may not accept what policy would make it propose.
   * </pre>
   */
  public static abstract class ProposalsServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ProposalsServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ProposalsService.
   * <pre>
   * Keeps proposals and answers them.
   * A proposal is answered by another participant than its author, FORBIDDEN otherwise; one that is
   * resolved is INVALID_STATE. An agent may not accept what policy would make it propose.
   * </pre>
   */
  public static final class ProposalsServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ProposalsServiceStub> {
    private ProposalsServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ProposalsServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ProposalsServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Proposes a change, whatever the type's policy says. It must apply to the current version.
     * </pre>
     */
    public void proposeChange(dev.lattice.files.v1.ProposeChangeRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ProposeChangeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getProposeChangeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reads a proposal.
     * </pre>
     */
    public void getProposal(dev.lattice.files.v1.GetProposalRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetProposalResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetProposalMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists proposals, oldest first.
     * </pre>
     */
    public void listProposals(dev.lattice.files.v1.ListProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListProposalsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListProposalsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Applies a proposal to the current version and attributes the change to the caller.
     * PATCH_FAILED, VALIDATION_FAILED or INVALID_STATE when it no longer applies; it stays pending
     * then. For a native file: NOT_ENABLED while its app is off, ARTIFACT_BUSY while it is checked
     * out, PROPOSAL_STALE when its content changed since, unless `rebase` is set.
     * </pre>
     */
    public void acceptProposal(dev.lattice.files.v1.AcceptProposalRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.AcceptProposalResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAcceptProposalMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Turns a proposal down. Changes no artifact, and is allowed while the app is off.
     * </pre>
     */
    public void rejectProposal(dev.lattice.files.v1.RejectProposalRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.RejectProposalResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRejectProposalMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Takes one's own proposal back; FORBIDDEN for everybody else.
     * </pre>
     */
    public void withdrawProposal(dev.lattice.files.v1.WithdrawProposalRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.WithdrawProposalResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getWithdrawProposalMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ProposalsService.
   * <pre>
   * Keeps proposals and answers them.
   * A proposal is answered by another participant than its author, FORBIDDEN otherwise; one that is
   * resolved is INVALID_STATE. An agent may not accept what policy would make it propose.
   * </pre>
   */
  public static final class ProposalsServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ProposalsServiceBlockingV2Stub> {
    private ProposalsServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ProposalsServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ProposalsServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Proposes a change, whatever the type's policy says. It must apply to the current version.
     * </pre>
     */
    public dev.lattice.files.v1.ProposeChangeResponse proposeChange(dev.lattice.files.v1.ProposeChangeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getProposeChangeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads a proposal.
     * </pre>
     */
    public dev.lattice.files.v1.GetProposalResponse getProposal(dev.lattice.files.v1.GetProposalRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists proposals, oldest first.
     * </pre>
     */
    public dev.lattice.files.v1.ListProposalsResponse listProposals(dev.lattice.files.v1.ListProposalsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies a proposal to the current version and attributes the change to the caller.
     * PATCH_FAILED, VALIDATION_FAILED or INVALID_STATE when it no longer applies; it stays pending
     * then. For a native file: NOT_ENABLED while its app is off, ARTIFACT_BUSY while it is checked
     * out, PROPOSAL_STALE when its content changed since, unless `rebase` is set.
     * </pre>
     */
    public dev.lattice.files.v1.AcceptProposalResponse acceptProposal(dev.lattice.files.v1.AcceptProposalRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAcceptProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Turns a proposal down. Changes no artifact, and is allowed while the app is off.
     * </pre>
     */
    public dev.lattice.files.v1.RejectProposalResponse rejectProposal(dev.lattice.files.v1.RejectProposalRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRejectProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Takes one's own proposal back; FORBIDDEN for everybody else.
     * </pre>
     */
    public dev.lattice.files.v1.WithdrawProposalResponse withdrawProposal(dev.lattice.files.v1.WithdrawProposalRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getWithdrawProposalMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ProposalsService.
   * <pre>
   * Keeps proposals and answers them.
   * A proposal is answered by another participant than its author, FORBIDDEN otherwise; one that is
   * resolved is INVALID_STATE. An agent may not accept what policy would make it propose.
   * </pre>
   */
  public static final class ProposalsServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ProposalsServiceBlockingStub> {
    private ProposalsServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ProposalsServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ProposalsServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Proposes a change, whatever the type's policy says. It must apply to the current version.
     * </pre>
     */
    public dev.lattice.files.v1.ProposeChangeResponse proposeChange(dev.lattice.files.v1.ProposeChangeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getProposeChangeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads a proposal.
     * </pre>
     */
    public dev.lattice.files.v1.GetProposalResponse getProposal(dev.lattice.files.v1.GetProposalRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists proposals, oldest first.
     * </pre>
     */
    public dev.lattice.files.v1.ListProposalsResponse listProposals(dev.lattice.files.v1.ListProposalsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies a proposal to the current version and attributes the change to the caller.
     * PATCH_FAILED, VALIDATION_FAILED or INVALID_STATE when it no longer applies; it stays pending
     * then. For a native file: NOT_ENABLED while its app is off, ARTIFACT_BUSY while it is checked
     * out, PROPOSAL_STALE when its content changed since, unless `rebase` is set.
     * </pre>
     */
    public dev.lattice.files.v1.AcceptProposalResponse acceptProposal(dev.lattice.files.v1.AcceptProposalRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAcceptProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Turns a proposal down. Changes no artifact, and is allowed while the app is off.
     * </pre>
     */
    public dev.lattice.files.v1.RejectProposalResponse rejectProposal(dev.lattice.files.v1.RejectProposalRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRejectProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Takes one's own proposal back; FORBIDDEN for everybody else.
     * </pre>
     */
    public dev.lattice.files.v1.WithdrawProposalResponse withdrawProposal(dev.lattice.files.v1.WithdrawProposalRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getWithdrawProposalMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ProposalsService.
   * <pre>
   * Keeps proposals and answers them.
   * A proposal is answered by another participant than its author, FORBIDDEN otherwise; one that is
   * resolved is INVALID_STATE. An agent may not accept what policy would make it propose.
   * </pre>
   */
  public static final class ProposalsServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ProposalsServiceFutureStub> {
    private ProposalsServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ProposalsServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ProposalsServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Proposes a change, whatever the type's policy says. It must apply to the current version.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ProposeChangeResponse> proposeChange(
        dev.lattice.files.v1.ProposeChangeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getProposeChangeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reads a proposal.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.GetProposalResponse> getProposal(
        dev.lattice.files.v1.GetProposalRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetProposalMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists proposals, oldest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ListProposalsResponse> listProposals(
        dev.lattice.files.v1.ListProposalsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListProposalsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Applies a proposal to the current version and attributes the change to the caller.
     * PATCH_FAILED, VALIDATION_FAILED or INVALID_STATE when it no longer applies; it stays pending
     * then. For a native file: NOT_ENABLED while its app is off, ARTIFACT_BUSY while it is checked
     * out, PROPOSAL_STALE when its content changed since, unless `rebase` is set.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.AcceptProposalResponse> acceptProposal(
        dev.lattice.files.v1.AcceptProposalRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAcceptProposalMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Turns a proposal down. Changes no artifact, and is allowed while the app is off.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.RejectProposalResponse> rejectProposal(
        dev.lattice.files.v1.RejectProposalRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRejectProposalMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Takes one's own proposal back; FORBIDDEN for everybody else.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.WithdrawProposalResponse> withdrawProposal(
        dev.lattice.files.v1.WithdrawProposalRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getWithdrawProposalMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_PROPOSE_CHANGE = 0;
  private static final int METHODID_GET_PROPOSAL = 1;
  private static final int METHODID_LIST_PROPOSALS = 2;
  private static final int METHODID_ACCEPT_PROPOSAL = 3;
  private static final int METHODID_REJECT_PROPOSAL = 4;
  private static final int METHODID_WITHDRAW_PROPOSAL = 5;

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
        case METHODID_PROPOSE_CHANGE:
          serviceImpl.proposeChange((dev.lattice.files.v1.ProposeChangeRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ProposeChangeResponse>) responseObserver);
          break;
        case METHODID_GET_PROPOSAL:
          serviceImpl.getProposal((dev.lattice.files.v1.GetProposalRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetProposalResponse>) responseObserver);
          break;
        case METHODID_LIST_PROPOSALS:
          serviceImpl.listProposals((dev.lattice.files.v1.ListProposalsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListProposalsResponse>) responseObserver);
          break;
        case METHODID_ACCEPT_PROPOSAL:
          serviceImpl.acceptProposal((dev.lattice.files.v1.AcceptProposalRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.AcceptProposalResponse>) responseObserver);
          break;
        case METHODID_REJECT_PROPOSAL:
          serviceImpl.rejectProposal((dev.lattice.files.v1.RejectProposalRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.RejectProposalResponse>) responseObserver);
          break;
        case METHODID_WITHDRAW_PROPOSAL:
          serviceImpl.withdrawProposal((dev.lattice.files.v1.WithdrawProposalRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.WithdrawProposalResponse>) responseObserver);
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
          getProposeChangeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ProposeChangeRequest,
              dev.lattice.files.v1.ProposeChangeResponse>(
                service, METHODID_PROPOSE_CHANGE)))
        .addMethod(
          getGetProposalMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.GetProposalRequest,
              dev.lattice.files.v1.GetProposalResponse>(
                service, METHODID_GET_PROPOSAL)))
        .addMethod(
          getListProposalsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ListProposalsRequest,
              dev.lattice.files.v1.ListProposalsResponse>(
                service, METHODID_LIST_PROPOSALS)))
        .addMethod(
          getAcceptProposalMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.AcceptProposalRequest,
              dev.lattice.files.v1.AcceptProposalResponse>(
                service, METHODID_ACCEPT_PROPOSAL)))
        .addMethod(
          getRejectProposalMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.RejectProposalRequest,
              dev.lattice.files.v1.RejectProposalResponse>(
                service, METHODID_REJECT_PROPOSAL)))
        .addMethod(
          getWithdrawProposalMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.WithdrawProposalRequest,
              dev.lattice.files.v1.WithdrawProposalResponse>(
                service, METHODID_WITHDRAW_PROPOSAL)))
        .build();
  }

  private static abstract class ProposalsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ProposalsServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.files.v1.ProposalsServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ProposalsService");
    }
  }

  private static final class ProposalsServiceFileDescriptorSupplier
      extends ProposalsServiceBaseDescriptorSupplier {
    ProposalsServiceFileDescriptorSupplier() {}
  }

  private static final class ProposalsServiceMethodDescriptorSupplier
      extends ProposalsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ProposalsServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (ProposalsServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ProposalsServiceFileDescriptorSupplier())
              .addMethod(getProposeChangeMethod())
              .addMethod(getGetProposalMethod())
              .addMethod(getListProposalsMethod())
              .addMethod(getAcceptProposalMethod())
              .addMethod(getRejectProposalMethod())
              .addMethod(getWithdrawProposalMethod())
              .build();
        }
      }
    }
    return result;
  }
}
