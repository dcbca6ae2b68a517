package dev.lattice.agent.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Keeps threads and takes messages.
 * A deployment serves one agent or several, each by a name of its own; the first one is its default.
 * While one is rolled out, replicas may serve different agents: the calls below say what becomes of a
 * thread whose agent the replica does not serve. Reads, modes and focus do not depend on the agent.
 * Every read takes `min_change_sequence`: it first takes up files' changes through that number, so
 * that a client reads its own writes.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ThreadsServiceGrpc {

  private ThreadsServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.agent.v1.ThreadsService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListAgentsRequest,
      dev.lattice.agent.v1.ListAgentsResponse> getListAgentsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListAgents",
      requestType = dev.lattice.agent.v1.ListAgentsRequest.class,
      responseType = dev.lattice.agent.v1.ListAgentsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListAgentsRequest,
      dev.lattice.agent.v1.ListAgentsResponse> getListAgentsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListAgentsRequest, dev.lattice.agent.v1.ListAgentsResponse> getListAgentsMethod;
    if ((getListAgentsMethod = ThreadsServiceGrpc.getListAgentsMethod) == null) {
      synchronized (ThreadsServiceGrpc.class) {
        if ((getListAgentsMethod = ThreadsServiceGrpc.getListAgentsMethod) == null) {
          ThreadsServiceGrpc.getListAgentsMethod = getListAgentsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.ListAgentsRequest, dev.lattice.agent.v1.ListAgentsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListAgents"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.ListAgentsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.ListAgentsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ThreadsServiceMethodDescriptorSupplier("ListAgents"))
              .build();
        }
      }
    }
    return getListAgentsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.CreateThreadRequest,
      dev.lattice.agent.v1.CreateThreadResponse> getCreateThreadMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateThread",
      requestType = dev.lattice.agent.v1.CreateThreadRequest.class,
      responseType = dev.lattice.agent.v1.CreateThreadResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.CreateThreadRequest,
      dev.lattice.agent.v1.CreateThreadResponse> getCreateThreadMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.CreateThreadRequest, dev.lattice.agent.v1.CreateThreadResponse> getCreateThreadMethod;
    if ((getCreateThreadMethod = ThreadsServiceGrpc.getCreateThreadMethod) == null) {
      synchronized (ThreadsServiceGrpc.class) {
        if ((getCreateThreadMethod = ThreadsServiceGrpc.getCreateThreadMethod) == null) {
          ThreadsServiceGrpc.getCreateThreadMethod = getCreateThreadMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.CreateThreadRequest, dev.lattice.agent.v1.CreateThreadResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateThread"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.CreateThreadRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.CreateThreadResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ThreadsServiceMethodDescriptorSupplier("CreateThread"))
              .build();
        }
      }
    }
    return getCreateThreadMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.GetThreadRequest,
      dev.lattice.agent.v1.GetThreadResponse> getGetThreadMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetThread",
      requestType = dev.lattice.agent.v1.GetThreadRequest.class,
      responseType = dev.lattice.agent.v1.GetThreadResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.GetThreadRequest,
      dev.lattice.agent.v1.GetThreadResponse> getGetThreadMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.GetThreadRequest, dev.lattice.agent.v1.GetThreadResponse> getGetThreadMethod;
    if ((getGetThreadMethod = ThreadsServiceGrpc.getGetThreadMethod) == null) {
      synchronized (ThreadsServiceGrpc.class) {
        if ((getGetThreadMethod = ThreadsServiceGrpc.getGetThreadMethod) == null) {
          ThreadsServiceGrpc.getGetThreadMethod = getGetThreadMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.GetThreadRequest, dev.lattice.agent.v1.GetThreadResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetThread"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.GetThreadRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.GetThreadResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ThreadsServiceMethodDescriptorSupplier("GetThread"))
              .build();
        }
      }
    }
    return getGetThreadMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListThreadsRequest,
      dev.lattice.agent.v1.ListThreadsResponse> getListThreadsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListThreads",
      requestType = dev.lattice.agent.v1.ListThreadsRequest.class,
      responseType = dev.lattice.agent.v1.ListThreadsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListThreadsRequest,
      dev.lattice.agent.v1.ListThreadsResponse> getListThreadsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.ListThreadsRequest, dev.lattice.agent.v1.ListThreadsResponse> getListThreadsMethod;
    if ((getListThreadsMethod = ThreadsServiceGrpc.getListThreadsMethod) == null) {
      synchronized (ThreadsServiceGrpc.class) {
        if ((getListThreadsMethod = ThreadsServiceGrpc.getListThreadsMethod) == null) {
          ThreadsServiceGrpc.getListThreadsMethod = getListThreadsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.ListThreadsRequest, dev.lattice.agent.v1.ListThreadsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListThreads"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.ListThreadsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.ListThreadsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ThreadsServiceMethodDescriptorSupplier("ListThreads"))
              .build();
        }
      }
    }
    return getListThreadsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.SetThreadModeRequest,
      dev.lattice.agent.v1.SetThreadModeResponse> getSetThreadModeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SetThreadMode",
      requestType = dev.lattice.agent.v1.SetThreadModeRequest.class,
      responseType = dev.lattice.agent.v1.SetThreadModeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.SetThreadModeRequest,
      dev.lattice.agent.v1.SetThreadModeResponse> getSetThreadModeMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.SetThreadModeRequest, dev.lattice.agent.v1.SetThreadModeResponse> getSetThreadModeMethod;
    if ((getSetThreadModeMethod = ThreadsServiceGrpc.getSetThreadModeMethod) == null) {
      synchronized (ThreadsServiceGrpc.class) {
        if ((getSetThreadModeMethod = ThreadsServiceGrpc.getSetThreadModeMethod) == null) {
          ThreadsServiceGrpc.getSetThreadModeMethod = getSetThreadModeMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.SetThreadModeRequest, dev.lattice.agent.v1.SetThreadModeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SetThreadMode"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.SetThreadModeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.SetThreadModeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ThreadsServiceMethodDescriptorSupplier("SetThreadMode"))
              .build();
        }
      }
    }
    return getSetThreadModeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.SetFocusRequest,
      dev.lattice.agent.v1.SetFocusResponse> getSetFocusMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SetFocus",
      requestType = dev.lattice.agent.v1.SetFocusRequest.class,
      responseType = dev.lattice.agent.v1.SetFocusResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.SetFocusRequest,
      dev.lattice.agent.v1.SetFocusResponse> getSetFocusMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.SetFocusRequest, dev.lattice.agent.v1.SetFocusResponse> getSetFocusMethod;
    if ((getSetFocusMethod = ThreadsServiceGrpc.getSetFocusMethod) == null) {
      synchronized (ThreadsServiceGrpc.class) {
        if ((getSetFocusMethod = ThreadsServiceGrpc.getSetFocusMethod) == null) {
          ThreadsServiceGrpc.getSetFocusMethod = getSetFocusMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.SetFocusRequest, dev.lattice.agent.v1.SetFocusResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SetFocus"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.SetFocusRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.SetFocusResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ThreadsServiceMethodDescriptorSupplier("SetFocus"))
              .build();
        }
      }
    }
    return getSetFocusMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.agent.v1.SendMessageRequest,
      dev.lattice.agent.v1.SendMessageResponse> getSendMessageMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SendMessage",
      requestType = dev.lattice.agent.v1.SendMessageRequest.class,
      responseType = dev.lattice.agent.v1.SendMessageResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.agent.v1.SendMessageRequest,
      dev.lattice.agent.v1.SendMessageResponse> getSendMessageMethod() {
    io.grpc.MethodDescriptor<dev.lattice.agent.v1.SendMessageRequest, dev.lattice.agent.v1.SendMessageResponse> getSendMessageMethod;
    if ((getSendMessageMethod = ThreadsServiceGrpc.getSendMessageMethod) == null) {
      synchronized (ThreadsServiceGrpc.class) {
        if ((getSendMessageMethod = ThreadsServiceGrpc.getSendMessageMethod) == null) {
          ThreadsServiceGrpc.getSendMessageMethod = getSendMessageMethod =
              io.grpc.MethodDescriptor.<dev.lattice.agent.v1.SendMessageRequest, dev.lattice.agent.v1.SendMessageResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SendMessage"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.SendMessageRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.agent.v1.SendMessageResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ThreadsServiceMethodDescriptorSupplier("SendMessage"))
              .build();
        }
      }
    }
    return getSendMessageMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ThreadsServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ThreadsServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ThreadsServiceStub>() {
        @java.lang.Override
        public ThreadsServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ThreadsServiceStub(channel, callOptions);
        }
      };
    return ThreadsServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ThreadsServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ThreadsServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ThreadsServiceBlockingV2Stub>() {
        @java.lang.Override
        public ThreadsServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ThreadsServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return ThreadsServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ThreadsServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ThreadsServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ThreadsServiceBlockingStub>() {
        @java.lang.Override
        public ThreadsServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ThreadsServiceBlockingStub(channel, callOptions);
        }
      };
    return ThreadsServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ThreadsServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ThreadsServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ThreadsServiceFutureStub>() {
        @java.lang.Override
        public ThreadsServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ThreadsServiceFutureStub(channel, callOptions);
        }
      };
    return ThreadsServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Keeps threads and takes messages.
   * A deployment serves one agent or several, each by a name of its own; the first one is its default.
   * While one is rolled out, replicas may serve different agents: the calls below say what becomes of a
   * thread whose agent the replica does not serve. Reads, modes and focus do not depend on the agent.
   * Every read takes `min_change_sequence`: it first takes up files' changes through that number, so
   * that a client reads its own writes.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Lists the agents that this replica serves, the default first.
     * </pre>
     */
    default void listAgents(dev.lattice.agent.v1.ListAgentsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListAgentsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListAgentsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Creates a thread with one agent for good.
     * INVALID_STATE when the id was used before in this workspace; NOT_FOUND for an agent that this
     * replica does not serve.
     * </pre>
     */
    default void createThread(dev.lattice.agent.v1.CreateThreadRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.CreateThreadResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateThreadMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reads a thread.
     * </pre>
     */
    default void getThread(dev.lattice.agent.v1.GetThreadRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.GetThreadResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetThreadMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists threads, oldest first.
     * </pre>
     */
    default void listThreads(dev.lattice.agent.v1.ListThreadsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListThreadsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListThreadsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Sets whether the thread's agent applies its changes or proposes every one. Setting it again appends nothing.
     * </pre>
     */
    default void setThreadMode(dev.lattice.agent.v1.SetThreadModeRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SetThreadModeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSetThreadModeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Sets which artifacts the thread follows, in order. NOT_FOUND when one does not exist.
     * </pre>
     */
    default void setFocus(dev.lattice.agent.v1.SetFocusRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SetFocusResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSetFocusMethod(), responseObserver);
    }

    /**
     * <pre>
     * Posts a message and acts on it.
     * In an idle thread it starts a run; while one runs it reaches the model at its next request; in a
     * paused thread it is the reply to what is open, and the run resumes. INVALID_STATE when the
     * message id was used before. The message is recorded even if no run can start.
     * So it is where this replica does not serve the thread's agent: a run that another replica
     * executes must hear it all the same. Where none runs, it waits for a replica that serves the
     * agent, which looks for such messages every 15 s unless set otherwise; for ever, where the agent
     * was given up. Whoever has to know compares the thread's `agent_name` with ListAgents.
     * </pre>
     */
    default void sendMessage(dev.lattice.agent.v1.SendMessageRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SendMessageResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSendMessageMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ThreadsService.
   * <pre>
   * Keeps threads and takes messages.
   * A deployment serves one agent or several, each by a name of its own; the first one is its default.
   * While one is rolled out, replicas may serve different agents: the calls below say what becomes of a
   * thread whose agent the replica does not serve. Reads, modes and focus do not depend on the agent.
   * Every read takes `min_change_sequence`: it first takes up files' changes through that number, so
   * that a client reads its own writes.
   * </pre>
   */
  public static abstract class ThreadsServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ThreadsServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ThreadsService.
   * <pre>
   * Keeps threads and takes messages.
   * A deployment serves one agent or several, each by a name of its own; the first one is its default.
   * While one is rolled out, replicas may serve different agents: the calls below say what becomes of a
   * thread whose agent the replica does not serve. Reads, modes and focus do not depend on the agent.
   * Every read takes `min_change_sequence`: it first takes up files' changes through that number, so
   * that a client reads its own writes.
   * </pre>
   */
  public static final class ThreadsServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ThreadsServiceStub> {
    private ThreadsServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ThreadsServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ThreadsServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the agents that this replica serves, the default first.
     * </pre>
     */
    public void listAgents(dev.lattice.agent.v1.ListAgentsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListAgentsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListAgentsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Creates a thread with one agent for good.
     * INVALID_STATE when the id was used before in this workspace; NOT_FOUND for an agent that this
     * replica does not serve.
     * </pre>
     */
    public void createThread(dev.lattice.agent.v1.CreateThreadRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.CreateThreadResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateThreadMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reads a thread.
     * </pre>
     */
    public void getThread(dev.lattice.agent.v1.GetThreadRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.GetThreadResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetThreadMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists threads, oldest first.
     * </pre>
     */
    public void listThreads(dev.lattice.agent.v1.ListThreadsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListThreadsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListThreadsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Sets whether the thread's agent applies its changes or proposes every one. Setting it again appends nothing.
     * </pre>
     */
    public void setThreadMode(dev.lattice.agent.v1.SetThreadModeRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SetThreadModeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSetThreadModeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Sets which artifacts the thread follows, in order. NOT_FOUND when one does not exist.
     * </pre>
     */
    public void setFocus(dev.lattice.agent.v1.SetFocusRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SetFocusResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSetFocusMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Posts a message and acts on it.
     * In an idle thread it starts a run; while one runs it reaches the model at its next request; in a
     * paused thread it is the reply to what is open, and the run resumes. INVALID_STATE when the
     * message id was used before. The message is recorded even if no run can start.
     * So it is where this replica does not serve the thread's agent: a run that another replica
     * executes must hear it all the same. Where none runs, it waits for a replica that serves the
     * agent, which looks for such messages every 15 s unless set otherwise; for ever, where the agent
     * was given up. Whoever has to know compares the thread's `agent_name` with ListAgents.
     * </pre>
     */
    public void sendMessage(dev.lattice.agent.v1.SendMessageRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SendMessageResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSendMessageMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ThreadsService.
   * <pre>
   * Keeps threads and takes messages.
   * A deployment serves one agent or several, each by a name of its own; the first one is its default.
   * While one is rolled out, replicas may serve different agents: the calls below say what becomes of a
   * thread whose agent the replica does not serve. Reads, modes and focus do not depend on the agent.
   * Every read takes `min_change_sequence`: it first takes up files' changes through that number, so
   * that a client reads its own writes.
   * </pre>
   */
  public static final class ThreadsServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ThreadsServiceBlockingV2Stub> {
    private ThreadsServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ThreadsServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ThreadsServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the agents that this replica serves, the default first.
     * </pre>
     */
    public dev.lattice.agent.v1.ListAgentsResponse listAgents(dev.lattice.agent.v1.ListAgentsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListAgentsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates a thread with one agent for good.
     * INVALID_STATE when the id was used before in this workspace; NOT_FOUND for an agent that this
     * replica does not serve.
     * </pre>
     */
    public dev.lattice.agent.v1.CreateThreadResponse createThread(dev.lattice.agent.v1.CreateThreadRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateThreadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads a thread.
     * </pre>
     */
    public dev.lattice.agent.v1.GetThreadResponse getThread(dev.lattice.agent.v1.GetThreadRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetThreadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists threads, oldest first.
     * </pre>
     */
    public dev.lattice.agent.v1.ListThreadsResponse listThreads(dev.lattice.agent.v1.ListThreadsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListThreadsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets whether the thread's agent applies its changes or proposes every one. Setting it again appends nothing.
     * </pre>
     */
    public dev.lattice.agent.v1.SetThreadModeResponse setThreadMode(dev.lattice.agent.v1.SetThreadModeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSetThreadModeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets which artifacts the thread follows, in order. NOT_FOUND when one does not exist.
     * </pre>
     */
    public dev.lattice.agent.v1.SetFocusResponse setFocus(dev.lattice.agent.v1.SetFocusRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSetFocusMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Posts a message and acts on it.
     * In an idle thread it starts a run; while one runs it reaches the model at its next request; in a
     * paused thread it is the reply to what is open, and the run resumes. INVALID_STATE when the
     * message id was used before. The message is recorded even if no run can start.
     * So it is where this replica does not serve the thread's agent: a run that another replica
     * executes must hear it all the same. Where none runs, it waits for a replica that serves the
     * agent, which looks for such messages every 15 s unless set otherwise; for ever, where the agent
     * was given up. Whoever has to know compares the thread's `agent_name` with ListAgents.
     * </pre>
     */
    public dev.lattice.agent.v1.SendMessageResponse sendMessage(dev.lattice.agent.v1.SendMessageRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSendMessageMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ThreadsService.
   * <pre>
   * Keeps threads and takes messages.
   * A deployment serves one agent or several, each by a name of its own; the first one is its default.
   * While one is rolled out, replicas may serve different agents: the calls below say what becomes of a
   * thread whose agent the replica does not serve. Reads, modes and focus do not depend on the agent.
   * Every read takes `min_change_sequence`: it first takes up files' changes through that number, so
   * that a client reads its own writes.
   * </pre>
   */
  public static final class ThreadsServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ThreadsServiceBlockingStub> {
    private ThreadsServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ThreadsServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ThreadsServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the agents that this replica serves, the default first.
     * </pre>
     */
    public dev.lattice.agent.v1.ListAgentsResponse listAgents(dev.lattice.agent.v1.ListAgentsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListAgentsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates a thread with one agent for good.
     * INVALID_STATE when the id was used before in this workspace; NOT_FOUND for an agent that this
     * replica does not serve.
     * </pre>
     */
    public dev.lattice.agent.v1.CreateThreadResponse createThread(dev.lattice.agent.v1.CreateThreadRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateThreadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads a thread.
     * </pre>
     */
    public dev.lattice.agent.v1.GetThreadResponse getThread(dev.lattice.agent.v1.GetThreadRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetThreadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists threads, oldest first.
     * </pre>
     */
    public dev.lattice.agent.v1.ListThreadsResponse listThreads(dev.lattice.agent.v1.ListThreadsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListThreadsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets whether the thread's agent applies its changes or proposes every one. Setting it again appends nothing.
     * </pre>
     */
    public dev.lattice.agent.v1.SetThreadModeResponse setThreadMode(dev.lattice.agent.v1.SetThreadModeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSetThreadModeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets which artifacts the thread follows, in order. NOT_FOUND when one does not exist.
     * </pre>
     */
    public dev.lattice.agent.v1.SetFocusResponse setFocus(dev.lattice.agent.v1.SetFocusRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSetFocusMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Posts a message and acts on it.
     * In an idle thread it starts a run; while one runs it reaches the model at its next request; in a
     * paused thread it is the reply to what is open, and the run resumes. INVALID_STATE when the
     * message id was used before. The message is recorded even if no run can start.
     * So it is where this replica does not serve the thread's agent: a run that another replica
     * executes must hear it all the same. Where none runs, it waits for a replica that serves the
     * agent, which looks for such messages every 15 s unless set otherwise; for ever, where the agent
     * was given up. Whoever has to know compares the thread's `agent_name` with ListAgents.
     * </pre>
     */
    public dev.lattice.agent.v1.SendMessageResponse sendMessage(dev.lattice.agent.v1.SendMessageRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSendMessageMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ThreadsService.
   * <pre>
   * Keeps threads and takes messages.
   * A deployment serves one agent or several, each by a name of its own; the first one is its default.
   * While one is rolled out, replicas may serve different agents: the calls below say what becomes of a
   * thread whose agent the replica does not serve. Reads, modes and focus do not depend on the agent.
   * Every read takes `min_change_sequence`: it first takes up files' changes through that number, so
   * that a client reads its own writes.
   * </pre>
   */
  public static final class ThreadsServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ThreadsServiceFutureStub> {
    private ThreadsServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ThreadsServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ThreadsServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the agents that this replica serves, the default first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.ListAgentsResponse> listAgents(
        dev.lattice.agent.v1.ListAgentsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListAgentsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Creates a thread with one agent for good.
     * INVALID_STATE when the id was used before in this workspace; NOT_FOUND for an agent that this
     * replica does not serve.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.CreateThreadResponse> createThread(
        dev.lattice.agent.v1.CreateThreadRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateThreadMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reads a thread.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.GetThreadResponse> getThread(
        dev.lattice.agent.v1.GetThreadRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetThreadMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists threads, oldest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.ListThreadsResponse> listThreads(
        dev.lattice.agent.v1.ListThreadsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListThreadsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Sets whether the thread's agent applies its changes or proposes every one. Setting it again appends nothing.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.SetThreadModeResponse> setThreadMode(
        dev.lattice.agent.v1.SetThreadModeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSetThreadModeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Sets which artifacts the thread follows, in order. NOT_FOUND when one does not exist.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.SetFocusResponse> setFocus(
        dev.lattice.agent.v1.SetFocusRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSetFocusMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Posts a message and acts on it.
     * In an idle thread it starts a run; while one runs it reaches the model at its next request; in a
     * paused thread it is the reply to what is open, and the run resumes. INVALID_STATE when the
     * message id was used before. The message is recorded even if no run can start.
     * So it is where this replica does not serve the thread's agent: a run that another replica
     * executes must hear it all the same. Where none runs, it waits for a replica that serves the
     * agent, which looks for such messages every 15 s unless set otherwise; for ever, where the agent
     * was given up. Whoever has to know compares the thread's `agent_name` with ListAgents.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.agent.v1.SendMessageResponse> sendMessage(
        dev.lattice.agent.v1.SendMessageRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSendMessageMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_LIST_AGENTS = 0;
  private static final int METHODID_CREATE_THREAD = 1;
  private static final int METHODID_GET_THREAD = 2;
  private static final int METHODID_LIST_THREADS = 3;
  private static final int METHODID_SET_THREAD_MODE = 4;
  private static final int METHODID_SET_FOCUS = 5;
  private static final int METHODID_SEND_MESSAGE = 6;

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
        case METHODID_LIST_AGENTS:
          serviceImpl.listAgents((dev.lattice.agent.v1.ListAgentsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListAgentsResponse>) responseObserver);
          break;
        case METHODID_CREATE_THREAD:
          serviceImpl.createThread((dev.lattice.agent.v1.CreateThreadRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.CreateThreadResponse>) responseObserver);
          break;
        case METHODID_GET_THREAD:
          serviceImpl.getThread((dev.lattice.agent.v1.GetThreadRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.GetThreadResponse>) responseObserver);
          break;
        case METHODID_LIST_THREADS:
          serviceImpl.listThreads((dev.lattice.agent.v1.ListThreadsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.ListThreadsResponse>) responseObserver);
          break;
        case METHODID_SET_THREAD_MODE:
          serviceImpl.setThreadMode((dev.lattice.agent.v1.SetThreadModeRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SetThreadModeResponse>) responseObserver);
          break;
        case METHODID_SET_FOCUS:
          serviceImpl.setFocus((dev.lattice.agent.v1.SetFocusRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SetFocusResponse>) responseObserver);
          break;
        case METHODID_SEND_MESSAGE:
          serviceImpl.sendMessage((dev.lattice.agent.v1.SendMessageRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.agent.v1.SendMessageResponse>) responseObserver);
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
          getListAgentsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.ListAgentsRequest,
              dev.lattice.agent.v1.ListAgentsResponse>(
                service, METHODID_LIST_AGENTS)))
        .addMethod(
          getCreateThreadMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.CreateThreadRequest,
              dev.lattice.agent.v1.CreateThreadResponse>(
                service, METHODID_CREATE_THREAD)))
        .addMethod(
          getGetThreadMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.GetThreadRequest,
              dev.lattice.agent.v1.GetThreadResponse>(
                service, METHODID_GET_THREAD)))
        .addMethod(
          getListThreadsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.ListThreadsRequest,
              dev.lattice.agent.v1.ListThreadsResponse>(
                service, METHODID_LIST_THREADS)))
        .addMethod(
          getSetThreadModeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.SetThreadModeRequest,
              dev.lattice.agent.v1.SetThreadModeResponse>(
                service, METHODID_SET_THREAD_MODE)))
        .addMethod(
          getSetFocusMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.SetFocusRequest,
              dev.lattice.agent.v1.SetFocusResponse>(
                service, METHODID_SET_FOCUS)))
        .addMethod(
          getSendMessageMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.agent.v1.SendMessageRequest,
              dev.lattice.agent.v1.SendMessageResponse>(
                service, METHODID_SEND_MESSAGE)))
        .build();
  }

  private static abstract class ThreadsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ThreadsServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.agent.v1.ThreadsServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ThreadsService");
    }
  }

  private static final class ThreadsServiceFileDescriptorSupplier
      extends ThreadsServiceBaseDescriptorSupplier {
    ThreadsServiceFileDescriptorSupplier() {}
  }

  private static final class ThreadsServiceMethodDescriptorSupplier
      extends ThreadsServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ThreadsServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (ThreadsServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ThreadsServiceFileDescriptorSupplier())
              .addMethod(getListAgentsMethod())
              .addMethod(getCreateThreadMethod())
              .addMethod(getGetThreadMethod())
              .addMethod(getListThreadsMethod())
              .addMethod(getSetThreadModeMethod())
              .addMethod(getSetFocusMethod())
              .addMethod(getSendMessageMethod())
              .build();
        }
      }
    }
    return result;
  }
}
