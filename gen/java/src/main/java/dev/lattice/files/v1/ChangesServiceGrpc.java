package dev.lattice.files.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Serves the change feed. A row is written in the transaction of the change it tells of.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ChangesServiceGrpc {

  private ChangesServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.files.v1.ChangesService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ListChangesRequest,
      dev.lattice.files.v1.ListChangesResponse> getListChangesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListChanges",
      requestType = dev.lattice.files.v1.ListChangesRequest.class,
      responseType = dev.lattice.files.v1.ListChangesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ListChangesRequest,
      dev.lattice.files.v1.ListChangesResponse> getListChangesMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ListChangesRequest, dev.lattice.files.v1.ListChangesResponse> getListChangesMethod;
    if ((getListChangesMethod = ChangesServiceGrpc.getListChangesMethod) == null) {
      synchronized (ChangesServiceGrpc.class) {
        if ((getListChangesMethod = ChangesServiceGrpc.getListChangesMethod) == null) {
          ChangesServiceGrpc.getListChangesMethod = getListChangesMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ListChangesRequest, dev.lattice.files.v1.ListChangesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListChanges"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListChangesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListChangesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ChangesServiceMethodDescriptorSupplier("ListChanges"))
              .build();
        }
      }
    }
    return getListChangesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.WatchChangesRequest,
      dev.lattice.files.v1.WatchChangesResponse> getWatchChangesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchChanges",
      requestType = dev.lattice.files.v1.WatchChangesRequest.class,
      responseType = dev.lattice.files.v1.WatchChangesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.WatchChangesRequest,
      dev.lattice.files.v1.WatchChangesResponse> getWatchChangesMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.WatchChangesRequest, dev.lattice.files.v1.WatchChangesResponse> getWatchChangesMethod;
    if ((getWatchChangesMethod = ChangesServiceGrpc.getWatchChangesMethod) == null) {
      synchronized (ChangesServiceGrpc.class) {
        if ((getWatchChangesMethod = ChangesServiceGrpc.getWatchChangesMethod) == null) {
          ChangesServiceGrpc.getWatchChangesMethod = getWatchChangesMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.WatchChangesRequest, dev.lattice.files.v1.WatchChangesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchChanges"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.WatchChangesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.WatchChangesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ChangesServiceMethodDescriptorSupplier("WatchChanges"))
              .build();
        }
      }
    }
    return getWatchChangesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.EstablishBarrierRequest,
      dev.lattice.files.v1.EstablishBarrierResponse> getEstablishBarrierMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "EstablishBarrier",
      requestType = dev.lattice.files.v1.EstablishBarrierRequest.class,
      responseType = dev.lattice.files.v1.EstablishBarrierResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.EstablishBarrierRequest,
      dev.lattice.files.v1.EstablishBarrierResponse> getEstablishBarrierMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.EstablishBarrierRequest, dev.lattice.files.v1.EstablishBarrierResponse> getEstablishBarrierMethod;
    if ((getEstablishBarrierMethod = ChangesServiceGrpc.getEstablishBarrierMethod) == null) {
      synchronized (ChangesServiceGrpc.class) {
        if ((getEstablishBarrierMethod = ChangesServiceGrpc.getEstablishBarrierMethod) == null) {
          ChangesServiceGrpc.getEstablishBarrierMethod = getEstablishBarrierMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.EstablishBarrierRequest, dev.lattice.files.v1.EstablishBarrierResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "EstablishBarrier"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.EstablishBarrierRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.EstablishBarrierResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ChangesServiceMethodDescriptorSupplier("EstablishBarrier"))
              .build();
        }
      }
    }
    return getEstablishBarrierMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ChangesServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ChangesServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ChangesServiceStub>() {
        @java.lang.Override
        public ChangesServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ChangesServiceStub(channel, callOptions);
        }
      };
    return ChangesServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ChangesServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ChangesServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ChangesServiceBlockingV2Stub>() {
        @java.lang.Override
        public ChangesServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ChangesServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return ChangesServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ChangesServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ChangesServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ChangesServiceBlockingStub>() {
        @java.lang.Override
        public ChangesServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ChangesServiceBlockingStub(channel, callOptions);
        }
      };
    return ChangesServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ChangesServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ChangesServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ChangesServiceFutureStub>() {
        @java.lang.Override
        public ChangesServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ChangesServiceFutureStub(channel, callOptions);
        }
      };
    return ChangesServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Serves the change feed. A row is written in the transaction of the change it tells of.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Lists commits after a position, oldest first. CURSOR_RESET for an unknown position.
     * </pre>
     */
    default void listChanges(dev.lattice.files.v1.ListChangesRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListChangesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListChangesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams the commits after a position, then each new one, with progress marks while nothing happens.
     * Nothing is missed or repeated between the stored and the live ones. The first mark says that what was
     * stored has been sent. Ends with CURSOR_RESET for an unknown position; with SLOW_CONSUMER when a reader
     * that had caught up falls more than 1,000 changes behind, or takes no message for 30 s; with
     * SHUTTING_DOWN when the server drains. After the latter two resume from the last cursor.
     * </pre>
     */
    default void watchChanges(dev.lattice.files.v1.WatchChangesRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.WatchChangesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchChangesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Answers the head of the feed, after raising a fence where one is given.
     * Whatever writers with a lower token of that scope may still send is refused from then on, so the
     * head is the last they did. STALE_CLAIM when a higher token was seen. Repeating is harmless.
     * </pre>
     */
    default void establishBarrier(dev.lattice.files.v1.EstablishBarrierRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.EstablishBarrierResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getEstablishBarrierMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ChangesService.
   * <pre>
   * Serves the change feed. A row is written in the transaction of the change it tells of.
   * </pre>
   */
  public static abstract class ChangesServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ChangesServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ChangesService.
   * <pre>
   * Serves the change feed. A row is written in the transaction of the change it tells of.
   * </pre>
   */
  public static final class ChangesServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ChangesServiceStub> {
    private ChangesServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ChangesServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ChangesServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists commits after a position, oldest first. CURSOR_RESET for an unknown position.
     * </pre>
     */
    public void listChanges(dev.lattice.files.v1.ListChangesRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListChangesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListChangesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams the commits after a position, then each new one, with progress marks while nothing happens.
     * Nothing is missed or repeated between the stored and the live ones. The first mark says that what was
     * stored has been sent. Ends with CURSOR_RESET for an unknown position; with SLOW_CONSUMER when a reader
     * that had caught up falls more than 1,000 changes behind, or takes no message for 30 s; with
     * SHUTTING_DOWN when the server drains. After the latter two resume from the last cursor.
     * </pre>
     */
    public void watchChanges(dev.lattice.files.v1.WatchChangesRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.WatchChangesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchChangesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Answers the head of the feed, after raising a fence where one is given.
     * Whatever writers with a lower token of that scope may still send is refused from then on, so the
     * head is the last they did. STALE_CLAIM when a higher token was seen. Repeating is harmless.
     * </pre>
     */
    public void establishBarrier(dev.lattice.files.v1.EstablishBarrierRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.EstablishBarrierResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getEstablishBarrierMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ChangesService.
   * <pre>
   * Serves the change feed. A row is written in the transaction of the change it tells of.
   * </pre>
   */
  public static final class ChangesServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ChangesServiceBlockingV2Stub> {
    private ChangesServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ChangesServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ChangesServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists commits after a position, oldest first. CURSOR_RESET for an unknown position.
     * </pre>
     */
    public dev.lattice.files.v1.ListChangesResponse listChanges(dev.lattice.files.v1.ListChangesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListChangesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the commits after a position, then each new one, with progress marks while nothing happens.
     * Nothing is missed or repeated between the stored and the live ones. The first mark says that what was
     * stored has been sent. Ends with CURSOR_RESET for an unknown position; with SLOW_CONSUMER when a reader
     * that had caught up falls more than 1,000 changes behind, or takes no message for 30 s; with
     * SHUTTING_DOWN when the server drains. After the latter two resume from the last cursor.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.lattice.files.v1.WatchChangesResponse>
        watchChanges(dev.lattice.files.v1.WatchChangesRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchChangesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Answers the head of the feed, after raising a fence where one is given.
     * Whatever writers with a lower token of that scope may still send is refused from then on, so the
     * head is the last they did. STALE_CLAIM when a higher token was seen. Repeating is harmless.
     * </pre>
     */
    public dev.lattice.files.v1.EstablishBarrierResponse establishBarrier(dev.lattice.files.v1.EstablishBarrierRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getEstablishBarrierMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ChangesService.
   * <pre>
   * Serves the change feed. A row is written in the transaction of the change it tells of.
   * </pre>
   */
  public static final class ChangesServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ChangesServiceBlockingStub> {
    private ChangesServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ChangesServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ChangesServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists commits after a position, oldest first. CURSOR_RESET for an unknown position.
     * </pre>
     */
    public dev.lattice.files.v1.ListChangesResponse listChanges(dev.lattice.files.v1.ListChangesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListChangesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the commits after a position, then each new one, with progress marks while nothing happens.
     * Nothing is missed or repeated between the stored and the live ones. The first mark says that what was
     * stored has been sent. Ends with CURSOR_RESET for an unknown position; with SLOW_CONSUMER when a reader
     * that had caught up falls more than 1,000 changes behind, or takes no message for 30 s; with
     * SHUTTING_DOWN when the server drains. After the latter two resume from the last cursor.
     * </pre>
     */
    public java.util.Iterator<dev.lattice.files.v1.WatchChangesResponse> watchChanges(
        dev.lattice.files.v1.WatchChangesRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchChangesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Answers the head of the feed, after raising a fence where one is given.
     * Whatever writers with a lower token of that scope may still send is refused from then on, so the
     * head is the last they did. STALE_CLAIM when a higher token was seen. Repeating is harmless.
     * </pre>
     */
    public dev.lattice.files.v1.EstablishBarrierResponse establishBarrier(dev.lattice.files.v1.EstablishBarrierRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getEstablishBarrierMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ChangesService.
   * <pre>
   * Serves the change feed. A row is written in the transaction of the change it tells of.
   * </pre>
   */
  public static final class ChangesServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ChangesServiceFutureStub> {
    private ChangesServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ChangesServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ChangesServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists commits after a position, oldest first. CURSOR_RESET for an unknown position.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ListChangesResponse> listChanges(
        dev.lattice.files.v1.ListChangesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListChangesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Answers the head of the feed, after raising a fence where one is given.
     * Whatever writers with a lower token of that scope may still send is refused from then on, so the
     * head is the last they did. STALE_CLAIM when a higher token was seen. Repeating is harmless.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.EstablishBarrierResponse> establishBarrier(
        dev.lattice.files.v1.EstablishBarrierRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getEstablishBarrierMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_LIST_CHANGES = 0;
  private static final int METHODID_WATCH_CHANGES = 1;
  private static final int METHODID_ESTABLISH_BARRIER = 2;

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
        case METHODID_LIST_CHANGES:
          serviceImpl.listChanges((dev.lattice.files.v1.ListChangesRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListChangesResponse>) responseObserver);
          break;
        case METHODID_WATCH_CHANGES:
          serviceImpl.watchChanges((dev.lattice.files.v1.WatchChangesRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.WatchChangesResponse>) responseObserver);
          break;
        case METHODID_ESTABLISH_BARRIER:
          serviceImpl.establishBarrier((dev.lattice.files.v1.EstablishBarrierRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.EstablishBarrierResponse>) responseObserver);
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
          getListChangesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ListChangesRequest,
              dev.lattice.files.v1.ListChangesResponse>(
                service, METHODID_LIST_CHANGES)))
        .addMethod(
          getWatchChangesMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.lattice.files.v1.WatchChangesRequest,
              dev.lattice.files.v1.WatchChangesResponse>(
                service, METHODID_WATCH_CHANGES)))
        .addMethod(
          getEstablishBarrierMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.EstablishBarrierRequest,
              dev.lattice.files.v1.EstablishBarrierResponse>(
                service, METHODID_ESTABLISH_BARRIER)))
        .build();
  }

  private static abstract class ChangesServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ChangesServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.files.v1.ChangesServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ChangesService");
    }
  }

  private static final class ChangesServiceFileDescriptorSupplier
      extends ChangesServiceBaseDescriptorSupplier {
    ChangesServiceFileDescriptorSupplier() {}
  }

  private static final class ChangesServiceMethodDescriptorSupplier
      extends ChangesServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ChangesServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (ChangesServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ChangesServiceFileDescriptorSupplier())
              .addMethod(getListChangesMethod())
              .addMethod(getWatchChangesMethod())
              .addMethod(getEstablishBarrierMethod())
              .build();
        }
      }
    }
    return result;
  }
}
