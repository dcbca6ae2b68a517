package dev.lattice.agent.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Serves the log. It holds what agent recorded and what files committed, each change once.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class LogServiceGrpc {

  private LogServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.agent.v1.LogService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.ReadLogRequest,
      dev.lattice.agent.v1.ReadLogResponse> getReadLogMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReadLog",
      requestType = dev.lattice.agent.v1.ReadLogRequest.class,
      responseType = dev.lattice.agent.v1.ReadLogResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.ReadLogRequest,
      dev.lattice.agent.v1.ReadLogResponse> getReadLogMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.ReadLogRequest, dev.lattice.agent.v1.ReadLogResponse> getReadLogMethod;
    if ((getReadLogMethod = LogServiceGrpc.getReadLogMethod) == null) {
      synchronized (LogServiceGrpc.class) {
        if ((getReadLogMethod = LogServiceGrpc.getReadLogMethod) == null) {
          LogServiceGrpc.getReadLogMethod = getReadLogMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.ReadLogRequest, dev.lattice.agent.v1.ReadLogResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReadLog"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.ReadLogRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.ReadLogResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LogServiceMethodDescriptorSupplier("ReadLog"))
              .build();
        }
      }
    }
    return getReadLogMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.WatchLogRequest,
      dev.lattice.agent.v1.WatchLogResponse> getWatchLogMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchLog",
      requestType = dev.lattice.agent.v1.WatchLogRequest.class,
      responseType = dev.lattice.agent.v1.WatchLogResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.WatchLogRequest,
      dev.lattice.agent.v1.WatchLogResponse> getWatchLogMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.WatchLogRequest, dev.lattice.agent.v1.WatchLogResponse> getWatchLogMethod;
    if ((getWatchLogMethod = LogServiceGrpc.getWatchLogMethod) == null) {
      synchronized (LogServiceGrpc.class) {
        if ((getWatchLogMethod = LogServiceGrpc.getWatchLogMethod) == null) {
          LogServiceGrpc.getWatchLogMethod = getWatchLogMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.WatchLogRequest, dev.lattice.agent.v1.WatchLogResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchLog"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.WatchLogRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.WatchLogResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LogServiceMethodDescriptorSupplier("WatchLog"))
              .build();
        }
      }
    }
    return getWatchLogMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.RecordAppEventRequest,
      dev.lattice.agent.v1.RecordAppEventResponse> getRecordAppEventMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RecordAppEvent",
      requestType = dev.lattice.agent.v1.RecordAppEventRequest.class,
      responseType = dev.lattice.agent.v1.RecordAppEventResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.RecordAppEventRequest,
      dev.lattice.agent.v1.RecordAppEventResponse> getRecordAppEventMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.RecordAppEventRequest, dev.lattice.agent.v1.RecordAppEventResponse> getRecordAppEventMethod;
    if ((getRecordAppEventMethod = LogServiceGrpc.getRecordAppEventMethod) == null) {
      synchronized (LogServiceGrpc.class) {
        if ((getRecordAppEventMethod = LogServiceGrpc.getRecordAppEventMethod) == null) {
          LogServiceGrpc.getRecordAppEventMethod = getRecordAppEventMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.RecordAppEventRequest, dev.lattice.agent.v1.RecordAppEventResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RecordAppEvent"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.RecordAppEventRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.RecordAppEventResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LogServiceMethodDescriptorSupplier("RecordAppEvent"))
              .build();
        }
      }
    }
    return getRecordAppEventMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static LogServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LogServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LogServiceStub>() {
        @java.lang.Override
        public LogServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LogServiceStub(channel, callOptions);
        }
      };
    return LogServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static LogServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LogServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LogServiceBlockingV2Stub>() {
        @java.lang.Override
        public LogServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LogServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return LogServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static LogServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LogServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LogServiceBlockingStub>() {
        @java.lang.Override
        public LogServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LogServiceBlockingStub(channel, callOptions);
        }
      };
    return LogServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static LogServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LogServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LogServiceFutureStub>() {
        @java.lang.Override
        public LogServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LogServiceFutureStub(channel, callOptions);
        }
      };
    return LogServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Serves the log. It holds what agent recorded and what files committed, each change once.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Reads a window of the log, always oldest first.
     * VALIDATION_FAILED when both `limit` and `last` are given, or one is negative.
     * </pre>
     */
    default void readLog(dev.lattice.agent.v1.ReadLogRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ReadLogResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReadLogMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams what is stored after a position, then each new entry, with progress marks.
     * Ends with CURSOR_RESET for an unknown position, SLOW_CONSUMER when the reader falls 1,000
     * behind, SHUTTING_DOWN when the server drains; after the latter two resume from the last cursor.
     * </pre>
     */
    default void watchLog(dev.lattice.agent.v1.WatchLogRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.WatchLogResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchLogMethod(), responseObserver);
    }

    /**
     * <pre>
     * Appends an event of the application's own.
     * VALIDATION_FAILED for a name of more than 200 characters, or data that is no JSON or has more than 100,000
     * characters; NOT_FOUND for a thread that does not exist.
     * </pre>
     */
    default void recordAppEvent(dev.lattice.agent.v1.RecordAppEventRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.RecordAppEventResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRecordAppEventMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service LogService.
   * <pre>
   * Serves the log. It holds what agent recorded and what files committed, each change once.
   * </pre>
   */
  public static abstract class LogServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return LogServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service LogService.
   * <pre>
   * Serves the log. It holds what agent recorded and what files committed, each change once.
   * </pre>
   */
  public static final class LogServiceStub
      extends io.grpc.stub.AbstractAsyncStub<LogServiceStub> {
    private LogServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LogServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LogServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Reads a window of the log, always oldest first.
     * VALIDATION_FAILED when both `limit` and `last` are given, or one is negative.
     * </pre>
     */
    public void readLog(dev.lattice.agent.v1.ReadLogRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ReadLogResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReadLogMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams what is stored after a position, then each new entry, with progress marks.
     * Ends with CURSOR_RESET for an unknown position, SLOW_CONSUMER when the reader falls 1,000
     * behind, SHUTTING_DOWN when the server drains; after the latter two resume from the last cursor.
     * </pre>
     */
    public void watchLog(dev.lattice.agent.v1.WatchLogRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.WatchLogResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchLogMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Appends an event of the application's own.
     * VALIDATION_FAILED for a name of more than 200 characters, or data that is no JSON or has more than 100,000
     * characters; NOT_FOUND for a thread that does not exist.
     * </pre>
     */
    public void recordAppEvent(dev.lattice.agent.v1.RecordAppEventRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.RecordAppEventResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRecordAppEventMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service LogService.
   * <pre>
   * Serves the log. It holds what agent recorded and what files committed, each change once.
   * </pre>
   */
  public static final class LogServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<LogServiceBlockingV2Stub> {
    private LogServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LogServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LogServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Reads a window of the log, always oldest first.
     * VALIDATION_FAILED when both `limit` and `last` are given, or one is negative.
     * </pre>
     */
    public dev.lattice.agent.v1.ReadLogResponse readLog(dev.lattice.agent.v1.ReadLogRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReadLogMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams what is stored after a position, then each new entry, with progress marks.
     * Ends with CURSOR_RESET for an unknown position, SLOW_CONSUMER when the reader falls 1,000
     * behind, SHUTTING_DOWN when the server drains; after the latter two resume from the last cursor.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.lattice.agent.v1.WatchLogResponse>
        watchLog(dev.lattice.agent.v1.WatchLogRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchLogMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Appends an event of the application's own.
     * VALIDATION_FAILED for a name of more than 200 characters, or data that is no JSON or has more than 100,000
     * characters; NOT_FOUND for a thread that does not exist.
     * </pre>
     */
    public dev.lattice.agent.v1.RecordAppEventResponse recordAppEvent(dev.lattice.agent.v1.RecordAppEventRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRecordAppEventMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service LogService.
   * <pre>
   * Serves the log. It holds what agent recorded and what files committed, each change once.
   * </pre>
   */
  public static final class LogServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<LogServiceBlockingStub> {
    private LogServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LogServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LogServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Reads a window of the log, always oldest first.
     * VALIDATION_FAILED when both `limit` and `last` are given, or one is negative.
     * </pre>
     */
    public dev.lattice.agent.v1.ReadLogResponse readLog(dev.lattice.agent.v1.ReadLogRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReadLogMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams what is stored after a position, then each new entry, with progress marks.
     * Ends with CURSOR_RESET for an unknown position, SLOW_CONSUMER when the reader falls 1,000
     * behind, SHUTTING_DOWN when the server drains; after the latter two resume from the last cursor.
     * </pre>
     */
    public java.util.Iterator<dev.lattice.agent.v1.WatchLogResponse> watchLog(
        dev.lattice.agent.v1.WatchLogRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchLogMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Appends an event of the application's own.
     * VALIDATION_FAILED for a name of more than 200 characters, or data that is no JSON or has more than 100,000
     * characters; NOT_FOUND for a thread that does not exist.
     * </pre>
     */
    public dev.lattice.agent.v1.RecordAppEventResponse recordAppEvent(dev.lattice.agent.v1.RecordAppEventRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRecordAppEventMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service LogService.
   * <pre>
   * Serves the log. It holds what agent recorded and what files committed, each change once.
   * </pre>
   */
  public static final class LogServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<LogServiceFutureStub> {
    private LogServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LogServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LogServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Reads a window of the log, always oldest first.
     * VALIDATION_FAILED when both `limit` and `last` are given, or one is negative.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.ReadLogResponse> readLog(
        dev.lattice.agent.v1.ReadLogRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReadLogMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Appends an event of the application's own.
     * VALIDATION_FAILED for a name of more than 200 characters, or data that is no JSON or has more than 100,000
     * characters; NOT_FOUND for a thread that does not exist.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.RecordAppEventResponse> recordAppEvent(
        dev.lattice.agent.v1.RecordAppEventRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRecordAppEventMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_READ_LOG = 0;
  private static final int METHODID_WATCH_LOG = 1;
  private static final int METHODID_RECORD_APP_EVENT = 2;

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
        case METHODID_READ_LOG:
          serviceImpl.readLog((dev.lattice.agent.v1.ReadLogRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ReadLogResponse>) responseObserver);
          break;
        case METHODID_WATCH_LOG:
          serviceImpl.watchLog((dev.lattice.agent.v1.WatchLogRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.WatchLogResponse>) responseObserver);
          break;
        case METHODID_RECORD_APP_EVENT:
          serviceImpl.recordAppEvent((dev.lattice.agent.v1.RecordAppEventRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.RecordAppEventResponse>) responseObserver);
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
          getReadLogMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.ReadLogRequest,
              dev.lattice.agent.v1.ReadLogResponse>(
                service, METHODID_READ_LOG)))
        .addMethod(
          getWatchLogMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.lattice.agent.v1.WatchLogRequest,
              dev.lattice.agent.v1.WatchLogResponse>(
                service, METHODID_WATCH_LOG)))
        .addMethod(
          getRecordAppEventMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.RecordAppEventRequest,
              dev.lattice.agent.v1.RecordAppEventResponse>(
                service, METHODID_RECORD_APP_EVENT)))
        .build();
  }

  private static abstract class LogServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    LogServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.agent.v1.LogServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("LogService");
    }
  }

  private static final class LogServiceFileDescriptorSupplier
      extends LogServiceBaseDescriptorSupplier {
    LogServiceFileDescriptorSupplier() {}
  }

  private static final class LogServiceMethodDescriptorSupplier
      extends LogServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    LogServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (LogServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new LogServiceFileDescriptorSupplier())
              .addMethod(getReadLogMethod())
              .addMethod(getWatchLogMethod())
              .addMethod(getRecordAppEventMethod())
              .build();
        }
      }
    }
    return result;
  }
}
