package dev.lattice.agent.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Reads, stops, watches and answers runs.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class RunsServiceGrpc {

  private RunsServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.agent.v1.RunsService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.GetRunRequest,
      dev.lattice.agent.v1.GetRunResponse> getGetRunMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetRun",
      requestType = dev.lattice.agent.v1.GetRunRequest.class,
      responseType = dev.lattice.agent.v1.GetRunResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.GetRunRequest,
      dev.lattice.agent.v1.GetRunResponse> getGetRunMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.GetRunRequest, dev.lattice.agent.v1.GetRunResponse> getGetRunMethod;
    if ((getGetRunMethod = RunsServiceGrpc.getGetRunMethod) == null) {
      synchronized (RunsServiceGrpc.class) {
        if ((getGetRunMethod = RunsServiceGrpc.getGetRunMethod) == null) {
          RunsServiceGrpc.getGetRunMethod = getGetRunMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.GetRunRequest, dev.lattice.agent.v1.GetRunResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetRun"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.GetRunRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.GetRunResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunsServiceMethodDescriptorSupplier("GetRun"))
              .build();
        }
      }
    }
    return getGetRunMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListRunsRequest,
      dev.lattice.agent.v1.ListRunsResponse> getListRunsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListRuns",
      requestType = dev.lattice.agent.v1.ListRunsRequest.class,
      responseType = dev.lattice.agent.v1.ListRunsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListRunsRequest,
      dev.lattice.agent.v1.ListRunsResponse> getListRunsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListRunsRequest, dev.lattice.agent.v1.ListRunsResponse> getListRunsMethod;
    if ((getListRunsMethod = RunsServiceGrpc.getListRunsMethod) == null) {
      synchronized (RunsServiceGrpc.class) {
        if ((getListRunsMethod = RunsServiceGrpc.getListRunsMethod) == null) {
          RunsServiceGrpc.getListRunsMethod = getListRunsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.ListRunsRequest, dev.lattice.agent.v1.ListRunsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListRuns"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.ListRunsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.ListRunsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunsServiceMethodDescriptorSupplier("ListRuns"))
              .build();
        }
      }
    }
    return getListRunsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.StopRunRequest,
      dev.lattice.agent.v1.StopRunResponse> getStopRunMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "StopRun",
      requestType = dev.lattice.agent.v1.StopRunRequest.class,
      responseType = dev.lattice.agent.v1.StopRunResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.StopRunRequest,
      dev.lattice.agent.v1.StopRunResponse> getStopRunMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.StopRunRequest, dev.lattice.agent.v1.StopRunResponse> getStopRunMethod;
    if ((getStopRunMethod = RunsServiceGrpc.getStopRunMethod) == null) {
      synchronized (RunsServiceGrpc.class) {
        if ((getStopRunMethod = RunsServiceGrpc.getStopRunMethod) == null) {
          RunsServiceGrpc.getStopRunMethod = getStopRunMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.StopRunRequest, dev.lattice.agent.v1.StopRunResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "StopRun"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.StopRunRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.StopRunResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunsServiceMethodDescriptorSupplier("StopRun"))
              .build();
        }
      }
    }
    return getStopRunMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.AnswerDeferredRequest,
      dev.lattice.agent.v1.AnswerDeferredResponse> getAnswerDeferredMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AnswerDeferred",
      requestType = dev.lattice.agent.v1.AnswerDeferredRequest.class,
      responseType = dev.lattice.agent.v1.AnswerDeferredResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.AnswerDeferredRequest,
      dev.lattice.agent.v1.AnswerDeferredResponse> getAnswerDeferredMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.AnswerDeferredRequest, dev.lattice.agent.v1.AnswerDeferredResponse> getAnswerDeferredMethod;
    if ((getAnswerDeferredMethod = RunsServiceGrpc.getAnswerDeferredMethod) == null) {
      synchronized (RunsServiceGrpc.class) {
        if ((getAnswerDeferredMethod = RunsServiceGrpc.getAnswerDeferredMethod) == null) {
          RunsServiceGrpc.getAnswerDeferredMethod = getAnswerDeferredMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.AnswerDeferredRequest, dev.lattice.agent.v1.AnswerDeferredResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AnswerDeferred"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.AnswerDeferredRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.AnswerDeferredResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunsServiceMethodDescriptorSupplier("AnswerDeferred"))
              .build();
        }
      }
    }
    return getAnswerDeferredMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.WatchRunRequest,
      dev.lattice.agent.v1.WatchRunResponse> getWatchRunMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchRun",
      requestType = dev.lattice.agent.v1.WatchRunRequest.class,
      responseType = dev.lattice.agent.v1.WatchRunResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.WatchRunRequest,
      dev.lattice.agent.v1.WatchRunResponse> getWatchRunMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.WatchRunRequest, dev.lattice.agent.v1.WatchRunResponse> getWatchRunMethod;
    if ((getWatchRunMethod = RunsServiceGrpc.getWatchRunMethod) == null) {
      synchronized (RunsServiceGrpc.class) {
        if ((getWatchRunMethod = RunsServiceGrpc.getWatchRunMethod) == null) {
          RunsServiceGrpc.getWatchRunMethod = getWatchRunMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.WatchRunRequest, dev.lattice.agent.v1.WatchRunResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchRun"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.WatchRunRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.WatchRunResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunsServiceMethodDescriptorSupplier("WatchRun"))
              .build();
        }
      }
    }
    return getWatchRunMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static RunsServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<RunsServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<RunsServiceStub>() {
        @java.lang.Override
        public RunsServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new RunsServiceStub(channel, callOptions);
        }
      };
    return RunsServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static RunsServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<RunsServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<RunsServiceBlockingV2Stub>() {
        @java.lang.Override
        public RunsServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new RunsServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return RunsServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static RunsServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<RunsServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<RunsServiceBlockingStub>() {
        @java.lang.Override
        public RunsServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new RunsServiceBlockingStub(channel, callOptions);
        }
      };
    return RunsServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static RunsServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<RunsServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<RunsServiceFutureStub>() {
        @java.lang.Override
        public RunsServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new RunsServiceFutureStub(channel, callOptions);
        }
      };
    return RunsServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Reads, stops, watches and answers runs.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Reads a run.
     * </pre>
     */
    default void getRun(dev.lattice.agent.v1.GetRunRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.GetRunResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetRunMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the runs of a workspace or thread, oldest first.
     * </pre>
     */
    default void listRuns(dev.lattice.agent.v1.ListRunsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListRunsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListRunsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stops a run wherever it runs. Answers once its end is recorded, or that the stop was requested,
     * as for a paused run in a thread whose agent this replica does not serve.
     * NOT_FOUND when there is no such run; INVALID_STATE when it has ended.
     * </pre>
     */
    default void stopRun(dev.lattice.agent.v1.StopRunRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.StopRunResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getStopRunMethod(), responseObserver);
    }

    /**
     * <pre>
     * Answers one open request of a paused run; after the last answer the run resumes. Where this
     * replica does not serve the thread's agent, it resumes once one that does has looked, within 15 s.
     * NOT_FOUND for an unknown run or request; INVALID_STATE when the run is not paused, the request
     * is answered, or the answer is of the wrong kind. Users only for approvals, FORBIDDEN otherwise.
     * </pre>
     */
    default void answerDeferred(dev.lattice.agent.v1.AnswerDeferredRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.AnswerDeferredResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAnswerDeferredMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams what a run produces while it lasts, whichever replica executes it: first what there was,
     * then the rest until its end.
     * Frames are best-effort and not stored; what the log records supersedes them. Of a run 1,024 frames
     * are kept: who comes later gets the newest of them first, and a slow reader loses the oldest.
     * It ends with OK once the end of the run is recorded; for a run that has ended, at once. A pause
     * does not end it: nothing comes until the run goes on, and then what it goes on to produce, though
     * another replica may execute it. Who comes after a pause gets what came since.
     * It sends nothing of a run that a program without a server executes, and ends as for any other.
     * NOT_FOUND when there is no such run; PEER_UNAVAILABLE when the replica that executes it cannot be
     * reached: the run may go on all the same, and watching it again begins with what there is.
     * </pre>
     */
    default void watchRun(dev.lattice.agent.v1.WatchRunRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.WatchRunResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchRunMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service RunsService.
   * <pre>
   * Reads, stops, watches and answers runs.
   * </pre>
   */
  public static abstract class RunsServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return RunsServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service RunsService.
   * <pre>
   * Reads, stops, watches and answers runs.
   * </pre>
   */
  public static final class RunsServiceStub
      extends io.grpc.stub.AbstractAsyncStub<RunsServiceStub> {
    private RunsServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected RunsServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new RunsServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Reads a run.
     * </pre>
     */
    public void getRun(dev.lattice.agent.v1.GetRunRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.GetRunResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetRunMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the runs of a workspace or thread, oldest first.
     * </pre>
     */
    public void listRuns(dev.lattice.agent.v1.ListRunsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListRunsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListRunsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stops a run wherever it runs. Answers once its end is recorded, or that the stop was requested,
     * as for a paused run in a thread whose agent this replica does not serve.
     * NOT_FOUND when there is no such run; INVALID_STATE when it has ended.
     * </pre>
     */
    public void stopRun(dev.lattice.agent.v1.StopRunRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.StopRunResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getStopRunMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Answers one open request of a paused run; after the last answer the run resumes. Where this
     * replica does not serve the thread's agent, it resumes once one that does has looked, within 15 s.
     * NOT_FOUND for an unknown run or request; INVALID_STATE when the run is not paused, the request
     * is answered, or the answer is of the wrong kind. Users only for approvals, FORBIDDEN otherwise.
     * </pre>
     */
    public void answerDeferred(dev.lattice.agent.v1.AnswerDeferredRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.AnswerDeferredResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAnswerDeferredMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams what a run produces while it lasts, whichever replica executes it: first what there was,
     * then the rest until its end.
     * Frames are best-effort and not stored; what the log records supersedes them. Of a run 1,024 frames
     * are kept: who comes later gets the newest of them first, and a slow reader loses the oldest.
     * It ends with OK once the end of the run is recorded; for a run that has ended, at once. A pause
     * does not end it: nothing comes until the run goes on, and then what it goes on to produce, though
     * another replica may execute it. Who comes after a pause gets what came since.
     * It sends nothing of a run that a program without a server executes, and ends as for any other.
     * NOT_FOUND when there is no such run; PEER_UNAVAILABLE when the replica that executes it cannot be
     * reached: the run may go on all the same, and watching it again begins with what there is.
     * </pre>
     */
    public void watchRun(dev.lattice.agent.v1.WatchRunRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.WatchRunResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchRunMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service RunsService.
   * <pre>
   * Reads, stops, watches and answers runs.
   * </pre>
   */
  public static final class RunsServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<RunsServiceBlockingV2Stub> {
    private RunsServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected RunsServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new RunsServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Reads a run.
     * </pre>
     */
    public dev.lattice.agent.v1.GetRunResponse getRun(dev.lattice.agent.v1.GetRunRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the runs of a workspace or thread, oldest first.
     * </pre>
     */
    public dev.lattice.agent.v1.ListRunsResponse listRuns(dev.lattice.agent.v1.ListRunsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListRunsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stops a run wherever it runs. Answers once its end is recorded, or that the stop was requested,
     * as for a paused run in a thread whose agent this replica does not serve.
     * NOT_FOUND when there is no such run; INVALID_STATE when it has ended.
     * </pre>
     */
    public dev.lattice.agent.v1.StopRunResponse stopRun(dev.lattice.agent.v1.StopRunRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getStopRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Answers one open request of a paused run; after the last answer the run resumes. Where this
     * replica does not serve the thread's agent, it resumes once one that does has looked, within 15 s.
     * NOT_FOUND for an unknown run or request; INVALID_STATE when the run is not paused, the request
     * is answered, or the answer is of the wrong kind. Users only for approvals, FORBIDDEN otherwise.
     * </pre>
     */
    public dev.lattice.agent.v1.AnswerDeferredResponse answerDeferred(dev.lattice.agent.v1.AnswerDeferredRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAnswerDeferredMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams what a run produces while it lasts, whichever replica executes it: first what there was,
     * then the rest until its end.
     * Frames are best-effort and not stored; what the log records supersedes them. Of a run 1,024 frames
     * are kept: who comes later gets the newest of them first, and a slow reader loses the oldest.
     * It ends with OK once the end of the run is recorded; for a run that has ended, at once. A pause
     * does not end it: nothing comes until the run goes on, and then what it goes on to produce, though
     * another replica may execute it. Who comes after a pause gets what came since.
     * It sends nothing of a run that a program without a server executes, and ends as for any other.
     * NOT_FOUND when there is no such run; PEER_UNAVAILABLE when the replica that executes it cannot be
     * reached: the run may go on all the same, and watching it again begins with what there is.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.lattice.agent.v1.WatchRunResponse>
        watchRun(dev.lattice.agent.v1.WatchRunRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchRunMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service RunsService.
   * <pre>
   * Reads, stops, watches and answers runs.
   * </pre>
   */
  public static final class RunsServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<RunsServiceBlockingStub> {
    private RunsServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected RunsServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new RunsServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Reads a run.
     * </pre>
     */
    public dev.lattice.agent.v1.GetRunResponse getRun(dev.lattice.agent.v1.GetRunRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the runs of a workspace or thread, oldest first.
     * </pre>
     */
    public dev.lattice.agent.v1.ListRunsResponse listRuns(dev.lattice.agent.v1.ListRunsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListRunsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stops a run wherever it runs. Answers once its end is recorded, or that the stop was requested,
     * as for a paused run in a thread whose agent this replica does not serve.
     * NOT_FOUND when there is no such run; INVALID_STATE when it has ended.
     * </pre>
     */
    public dev.lattice.agent.v1.StopRunResponse stopRun(dev.lattice.agent.v1.StopRunRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getStopRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Answers one open request of a paused run; after the last answer the run resumes. Where this
     * replica does not serve the thread's agent, it resumes once one that does has looked, within 15 s.
     * NOT_FOUND for an unknown run or request; INVALID_STATE when the run is not paused, the request
     * is answered, or the answer is of the wrong kind. Users only for approvals, FORBIDDEN otherwise.
     * </pre>
     */
    public dev.lattice.agent.v1.AnswerDeferredResponse answerDeferred(dev.lattice.agent.v1.AnswerDeferredRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAnswerDeferredMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams what a run produces while it lasts, whichever replica executes it: first what there was,
     * then the rest until its end.
     * Frames are best-effort and not stored; what the log records supersedes them. Of a run 1,024 frames
     * are kept: who comes later gets the newest of them first, and a slow reader loses the oldest.
     * It ends with OK once the end of the run is recorded; for a run that has ended, at once. A pause
     * does not end it: nothing comes until the run goes on, and then what it goes on to produce, though
     * another replica may execute it. Who comes after a pause gets what came since.
     * It sends nothing of a run that a program without a server executes, and ends as for any other.
     * NOT_FOUND when there is no such run; PEER_UNAVAILABLE when the replica that executes it cannot be
     * reached: the run may go on all the same, and watching it again begins with what there is.
     * </pre>
     */
    public java.util.Iterator<dev.lattice.agent.v1.WatchRunResponse> watchRun(
        dev.lattice.agent.v1.WatchRunRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchRunMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service RunsService.
   * <pre>
   * Reads, stops, watches and answers runs.
   * </pre>
   */
  public static final class RunsServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<RunsServiceFutureStub> {
    private RunsServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected RunsServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new RunsServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Reads a run.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.GetRunResponse> getRun(
        dev.lattice.agent.v1.GetRunRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetRunMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the runs of a workspace or thread, oldest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.ListRunsResponse> listRuns(
        dev.lattice.agent.v1.ListRunsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListRunsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stops a run wherever it runs. Answers once its end is recorded, or that the stop was requested,
     * as for a paused run in a thread whose agent this replica does not serve.
     * NOT_FOUND when there is no such run; INVALID_STATE when it has ended.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.StopRunResponse> stopRun(
        dev.lattice.agent.v1.StopRunRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getStopRunMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Answers one open request of a paused run; after the last answer the run resumes. Where this
     * replica does not serve the thread's agent, it resumes once one that does has looked, within 15 s.
     * NOT_FOUND for an unknown run or request; INVALID_STATE when the run is not paused, the request
     * is answered, or the answer is of the wrong kind. Users only for approvals, FORBIDDEN otherwise.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.AnswerDeferredResponse> answerDeferred(
        dev.lattice.agent.v1.AnswerDeferredRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAnswerDeferredMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_GET_RUN = 0;
  private static final int METHODID_LIST_RUNS = 1;
  private static final int METHODID_STOP_RUN = 2;
  private static final int METHODID_ANSWER_DEFERRED = 3;
  private static final int METHODID_WATCH_RUN = 4;

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
        case METHODID_GET_RUN:
          serviceImpl.getRun((dev.lattice.agent.v1.GetRunRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.GetRunResponse>) responseObserver);
          break;
        case METHODID_LIST_RUNS:
          serviceImpl.listRuns((dev.lattice.agent.v1.ListRunsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListRunsResponse>) responseObserver);
          break;
        case METHODID_STOP_RUN:
          serviceImpl.stopRun((dev.lattice.agent.v1.StopRunRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.StopRunResponse>) responseObserver);
          break;
        case METHODID_ANSWER_DEFERRED:
          serviceImpl.answerDeferred((dev.lattice.agent.v1.AnswerDeferredRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.AnswerDeferredResponse>) responseObserver);
          break;
        case METHODID_WATCH_RUN:
          serviceImpl.watchRun((dev.lattice.agent.v1.WatchRunRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.WatchRunResponse>) responseObserver);
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
          getGetRunMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.GetRunRequest,
              dev.lattice.agent.v1.GetRunResponse>(
                service, METHODID_GET_RUN)))
        .addMethod(
          getListRunsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.ListRunsRequest,
              dev.lattice.agent.v1.ListRunsResponse>(
                service, METHODID_LIST_RUNS)))
        .addMethod(
          getStopRunMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.StopRunRequest,
              dev.lattice.agent.v1.StopRunResponse>(
                service, METHODID_STOP_RUN)))
        .addMethod(
          getAnswerDeferredMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.AnswerDeferredRequest,
              dev.lattice.agent.v1.AnswerDeferredResponse>(
                service, METHODID_ANSWER_DEFERRED)))
        .addMethod(
          getWatchRunMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.lattice.agent.v1.WatchRunRequest,
              dev.lattice.agent.v1.WatchRunResponse>(
                service, METHODID_WATCH_RUN)))
        .build();
  }

  private static abstract class RunsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    RunsServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.agent.v1.RunsServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("RunsService");
    }
  }

  private static final class RunsServiceFileDescriptorSupplier
      extends RunsServiceBaseDescriptorSupplier {
    RunsServiceFileDescriptorSupplier() {}
  }

  private static final class RunsServiceMethodDescriptorSupplier
      extends RunsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    RunsServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (RunsServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new RunsServiceFileDescriptorSupplier())
              .addMethod(getGetRunMethod())
              .addMethod(getListRunsMethod())
              .addMethod(getStopRunMethod())
              .addMethod(getAnswerDeferredMethod())
              .addMethod(getWatchRunMethod())
              .build();
        }
      }
    }
    return result;
  }
}
