package dev.lattice.integrations.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Answers one question: is this integration on in this workspace? Administrators switch it.
 * The registry of integrations belongs to the deployment; a switch belongs to a workspace. A key
 * that the registry does not declare is UNKNOWN_INTEGRATION everywhere, never on.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class IntegrationsServiceGrpc {

  private IntegrationsServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.integrations.v1.IntegrationsService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.integrations.v1.CheckEnabledRequest,
      dev.lattice.integrations.v1.CheckEnabledResponse> getCheckEnabledMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CheckEnabled",
      requestType = dev.lattice.integrations.v1.CheckEnabledRequest.class,
      responseType = dev.lattice.integrations.v1.CheckEnabledResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.integrations.v1.CheckEnabledRequest,
      dev.lattice.integrations.v1.CheckEnabledResponse> getCheckEnabledMethod() {
    io.grpc.MethodDescriptor<dev.lattice.integrations.v1.CheckEnabledRequest, dev.lattice.integrations.v1.CheckEnabledResponse> getCheckEnabledMethod;
    if ((getCheckEnabledMethod = IntegrationsServiceGrpc.getCheckEnabledMethod) == null) {
      synchronized (IntegrationsServiceGrpc.class) {
        if ((getCheckEnabledMethod = IntegrationsServiceGrpc.getCheckEnabledMethod) == null) {
          IntegrationsServiceGrpc.getCheckEnabledMethod = getCheckEnabledMethod =
              io.grpc.MethodDescriptor.<dev.lattice.integrations.v1.CheckEnabledRequest, dev.lattice.integrations.v1.CheckEnabledResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CheckEnabled"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.CheckEnabledRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.CheckEnabledResponse.getDefaultInstance()))
              .setSchemaDescriptor(new IntegrationsServiceMethodDescriptorSupplier("CheckEnabled"))
              .build();
        }
      }
    }
    return getCheckEnabledMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.integrations.v1.ListIntegrationsRequest,
      dev.lattice.integrations.v1.ListIntegrationsResponse> getListIntegrationsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListIntegrations",
      requestType = dev.lattice.integrations.v1.ListIntegrationsRequest.class,
      responseType = dev.lattice.integrations.v1.ListIntegrationsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.integrations.v1.ListIntegrationsRequest,
      dev.lattice.integrations.v1.ListIntegrationsResponse> getListIntegrationsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.integrations.v1.ListIntegrationsRequest, dev.lattice.integrations.v1.ListIntegrationsResponse> getListIntegrationsMethod;
    if ((getListIntegrationsMethod = IntegrationsServiceGrpc.getListIntegrationsMethod) == null) {
      synchronized (IntegrationsServiceGrpc.class) {
        if ((getListIntegrationsMethod = IntegrationsServiceGrpc.getListIntegrationsMethod) == null) {
          IntegrationsServiceGrpc.getListIntegrationsMethod = getListIntegrationsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.integrations.v1.ListIntegrationsRequest, dev.lattice.integrations.v1.ListIntegrationsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListIntegrations"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.ListIntegrationsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.ListIntegrationsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new IntegrationsServiceMethodDescriptorSupplier("ListIntegrations"))
              .build();
        }
      }
    }
    return getListIntegrationsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.integrations.v1.SetEnabledRequest,
      dev.lattice.integrations.v1.SetEnabledResponse> getSetEnabledMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SetEnabled",
      requestType = dev.lattice.integrations.v1.SetEnabledRequest.class,
      responseType = dev.lattice.integrations.v1.SetEnabledResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.integrations.v1.SetEnabledRequest,
      dev.lattice.integrations.v1.SetEnabledResponse> getSetEnabledMethod() {
    io.grpc.MethodDescriptor<dev.lattice.integrations.v1.SetEnabledRequest, dev.lattice.integrations.v1.SetEnabledResponse> getSetEnabledMethod;
    if ((getSetEnabledMethod = IntegrationsServiceGrpc.getSetEnabledMethod) == null) {
      synchronized (IntegrationsServiceGrpc.class) {
        if ((getSetEnabledMethod = IntegrationsServiceGrpc.getSetEnabledMethod) == null) {
          IntegrationsServiceGrpc.getSetEnabledMethod = getSetEnabledMethod =
              io.grpc.MethodDescriptor.<dev.lattice.integrations.v1.SetEnabledRequest, dev.lattice.integrations.v1.SetEnabledResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SetEnabled"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.SetEnabledRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.SetEnabledResponse.getDefaultInstance()))
              .setSchemaDescriptor(new IntegrationsServiceMethodDescriptorSupplier("SetEnabled"))
              .build();
        }
      }
    }
    return getSetEnabledMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.integrations.v1.ListSwitchChangesRequest,
      dev.lattice.integrations.v1.ListSwitchChangesResponse> getListSwitchChangesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSwitchChanges",
      requestType = dev.lattice.integrations.v1.ListSwitchChangesRequest.class,
      responseType = dev.lattice.integrations.v1.ListSwitchChangesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.integrations.v1.ListSwitchChangesRequest,
      dev.lattice.integrations.v1.ListSwitchChangesResponse> getListSwitchChangesMethod() {
    io.grpc.MethodDescriptor<dev.lattice.integrations.v1.ListSwitchChangesRequest, dev.lattice.integrations.v1.ListSwitchChangesResponse> getListSwitchChangesMethod;
    if ((getListSwitchChangesMethod = IntegrationsServiceGrpc.getListSwitchChangesMethod) == null) {
      synchronized (IntegrationsServiceGrpc.class) {
        if ((getListSwitchChangesMethod = IntegrationsServiceGrpc.getListSwitchChangesMethod) == null) {
          IntegrationsServiceGrpc.getListSwitchChangesMethod = getListSwitchChangesMethod =
              io.grpc.MethodDescriptor.<dev.lattice.integrations.v1.ListSwitchChangesRequest, dev.lattice.integrations.v1.ListSwitchChangesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSwitchChanges"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.ListSwitchChangesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.ListSwitchChangesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new IntegrationsServiceMethodDescriptorSupplier("ListSwitchChanges"))
              .build();
        }
      }
    }
    return getListSwitchChangesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.integrations.v1.WatchIntegrationsRequest,
      dev.lattice.integrations.v1.WatchIntegrationsResponse> getWatchIntegrationsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchIntegrations",
      requestType = dev.lattice.integrations.v1.WatchIntegrationsRequest.class,
      responseType = dev.lattice.integrations.v1.WatchIntegrationsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.integrations.v1.WatchIntegrationsRequest,
      dev.lattice.integrations.v1.WatchIntegrationsResponse> getWatchIntegrationsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.integrations.v1.WatchIntegrationsRequest, dev.lattice.integrations.v1.WatchIntegrationsResponse> getWatchIntegrationsMethod;
    if ((getWatchIntegrationsMethod = IntegrationsServiceGrpc.getWatchIntegrationsMethod) == null) {
      synchronized (IntegrationsServiceGrpc.class) {
        if ((getWatchIntegrationsMethod = IntegrationsServiceGrpc.getWatchIntegrationsMethod) == null) {
          IntegrationsServiceGrpc.getWatchIntegrationsMethod = getWatchIntegrationsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.integrations.v1.WatchIntegrationsRequest, dev.lattice.integrations.v1.WatchIntegrationsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchIntegrations"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.WatchIntegrationsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.integrations.v1.WatchIntegrationsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new IntegrationsServiceMethodDescriptorSupplier("WatchIntegrations"))
              .build();
        }
      }
    }
    return getWatchIntegrationsMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static IntegrationsServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<IntegrationsServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<IntegrationsServiceStub>() {
        @java.lang.Override
        public IntegrationsServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new IntegrationsServiceStub(channel, callOptions);
        }
      };
    return IntegrationsServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static IntegrationsServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<IntegrationsServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<IntegrationsServiceBlockingV2Stub>() {
        @java.lang.Override
        public IntegrationsServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new IntegrationsServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return IntegrationsServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static IntegrationsServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<IntegrationsServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<IntegrationsServiceBlockingStub>() {
        @java.lang.Override
        public IntegrationsServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new IntegrationsServiceBlockingStub(channel, callOptions);
        }
      };
    return IntegrationsServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static IntegrationsServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<IntegrationsServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<IntegrationsServiceFutureStub>() {
        @java.lang.Override
        public IntegrationsServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new IntegrationsServiceFutureStub(channel, callOptions);
        }
      };
    return IntegrationsServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Answers one question: is this integration on in this workspace? Administrators switch it.
   * The registry of integrations belongs to the deployment; a switch belongs to a workspace. A key
   * that the registry does not declare is UNKNOWN_INTEGRATION everywhere, never on.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Says whether an integration is on. Every governed write asks this, so it costs little.
     * </pre>
     */
    default void checkEnabled(dev.lattice.integrations.v1.CheckEnabledRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.CheckEnabledResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCheckEnabledMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists every declared integration with its state in a workspace, in the registry's order.
     * </pre>
     */
    default void listIntegrations(dev.lattice.integrations.v1.ListIntegrationsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.ListIntegrationsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListIntegrationsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Switches an integration on or off in a workspace. Administrators only; FORBIDDEN for others.
     * VERSION_CONFLICT when the switch is at another revision than expected. Setting what is already
     * set appends nothing and answers the switch as it stands. A repeated `request_id` is answered as
     * the first was. Once answered, no write that begins later is let through on an older answer.
     * </pre>
     */
    default void setEnabled(dev.lattice.integrations.v1.SetEnabledRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.SetEnabledResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSetEnabledMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the changes of a workspace's switches, newest first.
     * </pre>
     */
    default void listSwitchChanges(dev.lattice.integrations.v1.ListSwitchChangesRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.ListSwitchChangesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSwitchChangesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams a snapshot of all switches, then each change, then progress marks while nothing happens.
     * With a cursor there is no snapshot: changes after it follow. Ends with CURSOR_RESET for a cursor
     * that is unknown, SLOW_CONSUMER when the reader falls behind, SHUTTING_DOWN when the server drains.
     * </pre>
     */
    default void watchIntegrations(dev.lattice.integrations.v1.WatchIntegrationsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.WatchIntegrationsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchIntegrationsMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service IntegrationsService.
   * <pre>
   * Answers one question: is this integration on in this workspace? Administrators switch it.
   * The registry of integrations belongs to the deployment; a switch belongs to a workspace. A key
   * that the registry does not declare is UNKNOWN_INTEGRATION everywhere, never on.
   * </pre>
   */
  public static abstract class IntegrationsServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return IntegrationsServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service IntegrationsService.
   * <pre>
   * Answers one question: is this integration on in this workspace? Administrators switch it.
   * The registry of integrations belongs to the deployment; a switch belongs to a workspace. A key
   * that the registry does not declare is UNKNOWN_INTEGRATION everywhere, never on.
   * </pre>
   */
  public static final class IntegrationsServiceStub
      extends io.grpc.stub.AbstractAsyncStub<IntegrationsServiceStub> {
    private IntegrationsServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected IntegrationsServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new IntegrationsServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says whether an integration is on. Every governed write asks this, so it costs little.
     * </pre>
     */
    public void checkEnabled(dev.lattice.integrations.v1.CheckEnabledRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.CheckEnabledResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCheckEnabledMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists every declared integration with its state in a workspace, in the registry's order.
     * </pre>
     */
    public void listIntegrations(dev.lattice.integrations.v1.ListIntegrationsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.ListIntegrationsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListIntegrationsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Switches an integration on or off in a workspace. Administrators only; FORBIDDEN for others.
     * VERSION_CONFLICT when the switch is at another revision than expected. Setting what is already
     * set appends nothing and answers the switch as it stands. A repeated `request_id` is answered as
     * the first was. Once answered, no write that begins later is let through on an older answer.
     * </pre>
     */
    public void setEnabled(dev.lattice.integrations.v1.SetEnabledRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.SetEnabledResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSetEnabledMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the changes of a workspace's switches, newest first.
     * </pre>
     */
    public void listSwitchChanges(dev.lattice.integrations.v1.ListSwitchChangesRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.ListSwitchChangesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSwitchChangesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams a snapshot of all switches, then each change, then progress marks while nothing happens.
     * With a cursor there is no snapshot: changes after it follow. Ends with CURSOR_RESET for a cursor
     * that is unknown, SLOW_CONSUMER when the reader falls behind, SHUTTING_DOWN when the server drains.
     * </pre>
     */
    public void watchIntegrations(dev.lattice.integrations.v1.WatchIntegrationsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.WatchIntegrationsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchIntegrationsMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service IntegrationsService.
   * <pre>
   * Answers one question: is this integration on in this workspace? Administrators switch it.
   * The registry of integrations belongs to the deployment; a switch belongs to a workspace. A key
   * that the registry does not declare is UNKNOWN_INTEGRATION everywhere, never on.
   * </pre>
   */
  public static final class IntegrationsServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<IntegrationsServiceBlockingV2Stub> {
    private IntegrationsServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected IntegrationsServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new IntegrationsServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Says whether an integration is on. Every governed write asks this, so it costs little.
     * </pre>
     */
    public dev.lattice.integrations.v1.CheckEnabledResponse checkEnabled(dev.lattice.integrations.v1.CheckEnabledRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCheckEnabledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists every declared integration with its state in a workspace, in the registry's order.
     * </pre>
     */
    public dev.lattice.integrations.v1.ListIntegrationsResponse listIntegrations(dev.lattice.integrations.v1.ListIntegrationsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListIntegrationsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Switches an integration on or off in a workspace. Administrators only; FORBIDDEN for others.
     * VERSION_CONFLICT when the switch is at another revision than expected. Setting what is already
     * set appends nothing and answers the switch as it stands. A repeated `request_id` is answered as
     * the first was. Once answered, no write that begins later is let through on an older answer.
     * </pre>
     */
    public dev.lattice.integrations.v1.SetEnabledResponse setEnabled(dev.lattice.integrations.v1.SetEnabledRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSetEnabledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the changes of a workspace's switches, newest first.
     * </pre>
     */
    public dev.lattice.integrations.v1.ListSwitchChangesResponse listSwitchChanges(dev.lattice.integrations.v1.ListSwitchChangesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListSwitchChangesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams a snapshot of all switches, then each change, then progress marks while nothing happens.
     * With a cursor there is no snapshot: changes after it follow. Ends with CURSOR_RESET for a cursor
     * that is unknown, SLOW_CONSUMER when the reader falls behind, SHUTTING_DOWN when the server drains.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.lattice.integrations.v1.WatchIntegrationsResponse>
        watchIntegrations(dev.lattice.integrations.v1.WatchIntegrationsRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchIntegrationsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service IntegrationsService.
   * <pre>
   * Answers one question: is this integration on in this workspace? Administrators switch it.
   * The registry of integrations belongs to the deployment; a switch belongs to a workspace. A key
   * that the registry does not declare is UNKNOWN_INTEGRATION everywhere, never on.
   * </pre>
   */
  public static final class IntegrationsServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<IntegrationsServiceBlockingStub> {
    private IntegrationsServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected IntegrationsServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new IntegrationsServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says whether an integration is on. Every governed write asks this, so it costs little.
     * </pre>
     */
    public dev.lattice.integrations.v1.CheckEnabledResponse checkEnabled(dev.lattice.integrations.v1.CheckEnabledRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCheckEnabledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists every declared integration with its state in a workspace, in the registry's order.
     * </pre>
     */
    public dev.lattice.integrations.v1.ListIntegrationsResponse listIntegrations(dev.lattice.integrations.v1.ListIntegrationsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListIntegrationsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Switches an integration on or off in a workspace. Administrators only; FORBIDDEN for others.
     * VERSION_CONFLICT when the switch is at another revision than expected. Setting what is already
     * set appends nothing and answers the switch as it stands. A repeated `request_id` is answered as
     * the first was. Once answered, no write that begins later is let through on an older answer.
     * </pre>
     */
    public dev.lattice.integrations.v1.SetEnabledResponse setEnabled(dev.lattice.integrations.v1.SetEnabledRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSetEnabledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the changes of a workspace's switches, newest first.
     * </pre>
     */
    public dev.lattice.integrations.v1.ListSwitchChangesResponse listSwitchChanges(dev.lattice.integrations.v1.ListSwitchChangesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSwitchChangesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams a snapshot of all switches, then each change, then progress marks while nothing happens.
     * With a cursor there is no snapshot: changes after it follow. Ends with CURSOR_RESET for a cursor
     * that is unknown, SLOW_CONSUMER when the reader falls behind, SHUTTING_DOWN when the server drains.
     * </pre>
     */
    public java.util.Iterator<dev.lattice.integrations.v1.WatchIntegrationsResponse> watchIntegrations(
        dev.lattice.integrations.v1.WatchIntegrationsRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchIntegrationsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service IntegrationsService.
   * <pre>
   * Answers one question: is this integration on in this workspace? Administrators switch it.
   * The registry of integrations belongs to the deployment; a switch belongs to a workspace. A key
   * that the registry does not declare is UNKNOWN_INTEGRATION everywhere, never on.
   * </pre>
   */
  public static final class IntegrationsServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<IntegrationsServiceFutureStub> {
    private IntegrationsServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected IntegrationsServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new IntegrationsServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says whether an integration is on. Every governed write asks this, so it costs little.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.integrations.v1.CheckEnabledResponse> checkEnabled(
        dev.lattice.integrations.v1.CheckEnabledRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCheckEnabledMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists every declared integration with its state in a workspace, in the registry's order.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.integrations.v1.ListIntegrationsResponse> listIntegrations(
        dev.lattice.integrations.v1.ListIntegrationsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListIntegrationsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Switches an integration on or off in a workspace. Administrators only; FORBIDDEN for others.
     * VERSION_CONFLICT when the switch is at another revision than expected. Setting what is already
     * set appends nothing and answers the switch as it stands. A repeated `request_id` is answered as
     * the first was. Once answered, no write that begins later is let through on an older answer.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.integrations.v1.SetEnabledResponse> setEnabled(
        dev.lattice.integrations.v1.SetEnabledRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSetEnabledMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the changes of a workspace's switches, newest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.integrations.v1.ListSwitchChangesResponse> listSwitchChanges(
        dev.lattice.integrations.v1.ListSwitchChangesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSwitchChangesMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_CHECK_ENABLED = 0;
  private static final int METHODID_LIST_INTEGRATIONS = 1;
  private static final int METHODID_SET_ENABLED = 2;
  private static final int METHODID_LIST_SWITCH_CHANGES = 3;
  private static final int METHODID_WATCH_INTEGRATIONS = 4;

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
        case METHODID_CHECK_ENABLED:
          serviceImpl.checkEnabled((dev.lattice.integrations.v1.CheckEnabledRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.CheckEnabledResponse>) responseObserver);
          break;
        case METHODID_LIST_INTEGRATIONS:
          serviceImpl.listIntegrations((dev.lattice.integrations.v1.ListIntegrationsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.ListIntegrationsResponse>) responseObserver);
          break;
        case METHODID_SET_ENABLED:
          serviceImpl.setEnabled((dev.lattice.integrations.v1.SetEnabledRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.SetEnabledResponse>) responseObserver);
          break;
        case METHODID_LIST_SWITCH_CHANGES:
          serviceImpl.listSwitchChanges((dev.lattice.integrations.v1.ListSwitchChangesRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.ListSwitchChangesResponse>) responseObserver);
          break;
        case METHODID_WATCH_INTEGRATIONS:
          serviceImpl.watchIntegrations((dev.lattice.integrations.v1.WatchIntegrationsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.integrations.v1.WatchIntegrationsResponse>) responseObserver);
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
          getCheckEnabledMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.integrations.v1.CheckEnabledRequest,
              dev.lattice.integrations.v1.CheckEnabledResponse>(
                service, METHODID_CHECK_ENABLED)))
        .addMethod(
          getListIntegrationsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.integrations.v1.ListIntegrationsRequest,
              dev.lattice.integrations.v1.ListIntegrationsResponse>(
                service, METHODID_LIST_INTEGRATIONS)))
        .addMethod(
          getSetEnabledMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.integrations.v1.SetEnabledRequest,
              dev.lattice.integrations.v1.SetEnabledResponse>(
                service, METHODID_SET_ENABLED)))
        .addMethod(
          getListSwitchChangesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.integrations.v1.ListSwitchChangesRequest,
              dev.lattice.integrations.v1.ListSwitchChangesResponse>(
                service, METHODID_LIST_SWITCH_CHANGES)))
        .addMethod(
          getWatchIntegrationsMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.lattice.integrations.v1.WatchIntegrationsRequest,
              dev.lattice.integrations.v1.WatchIntegrationsResponse>(
                service, METHODID_WATCH_INTEGRATIONS)))
        .build();
  }

  private static abstract class IntegrationsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    IntegrationsServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.integrations.v1.IntegrationsServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("IntegrationsService");
    }
  }

  private static final class IntegrationsServiceFileDescriptorSupplier
      extends IntegrationsServiceBaseDescriptorSupplier {
    IntegrationsServiceFileDescriptorSupplier() {}
  }

  private static final class IntegrationsServiceMethodDescriptorSupplier
      extends IntegrationsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    IntegrationsServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (IntegrationsServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new IntegrationsServiceFileDescriptorSupplier())
              .addMethod(getCheckEnabledMethod())
              .addMethod(getListIntegrationsMethod())
              .addMethod(getSetEnabledMethod())
              .addMethod(getListSwitchChangesMethod())
              .addMethod(getWatchIntegrationsMethod())
              .build();
        }
      }
    }
    return result;
  }
}
