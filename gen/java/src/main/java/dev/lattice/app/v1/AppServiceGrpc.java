package dev.lattice.app.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * One app's worker, reached over a unix socket that files names.
 * Refusals: FILE_REFUSED (metadata `guard`) when a guard refuses the package, APP_REFUSED when a
 * command cannot be applied, FILE_TOO_LARGE, PAGE_OUT_OF_RANGE, VALIDATION_FAILED for a malformed
 * request. A worker that hangs or dies is replaced; its caller reads APP_TIMEOUT or APP_CRASHED.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class AppServiceGrpc {

  private AppServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.app.v1.AppService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.app.v1.DescribeRequest,
      dev.lattice.app.v1.DescribeResponse> getDescribeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Describe",
      requestType = dev.lattice.app.v1.DescribeRequest.class,
      responseType = dev.lattice.app.v1.DescribeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.app.v1.DescribeRequest,
      dev.lattice.app.v1.DescribeResponse> getDescribeMethod() {
    io.grpc.MethodDescriptor<dev.lattice.app.v1.DescribeRequest, dev.lattice.app.v1.DescribeResponse> getDescribeMethod;
    if ((getDescribeMethod = AppServiceGrpc.getDescribeMethod) == null) {
      synchronized (AppServiceGrpc.class) {
        if ((getDescribeMethod = AppServiceGrpc.getDescribeMethod) == null) {
          AppServiceGrpc.getDescribeMethod = getDescribeMethod =
              io.grpc.MethodDescriptor.<dev.lattice.app.v1.DescribeRequest, dev.lattice.app.v1.DescribeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Describe"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.DescribeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.DescribeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AppServiceMethodDescriptorSupplier("Describe"))
              .build();
        }
      }
    }
    return getDescribeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.app.v1.ListCommandsRequest,
      dev.lattice.app.v1.ListCommandsResponse> getListCommandsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListCommands",
      requestType = dev.lattice.app.v1.ListCommandsRequest.class,
      responseType = dev.lattice.app.v1.ListCommandsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.app.v1.ListCommandsRequest,
      dev.lattice.app.v1.ListCommandsResponse> getListCommandsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.app.v1.ListCommandsRequest, dev.lattice.app.v1.ListCommandsResponse> getListCommandsMethod;
    if ((getListCommandsMethod = AppServiceGrpc.getListCommandsMethod) == null) {
      synchronized (AppServiceGrpc.class) {
        if ((getListCommandsMethod = AppServiceGrpc.getListCommandsMethod) == null) {
          AppServiceGrpc.getListCommandsMethod = getListCommandsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.app.v1.ListCommandsRequest, dev.lattice.app.v1.ListCommandsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListCommands"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.ListCommandsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.ListCommandsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AppServiceMethodDescriptorSupplier("ListCommands"))
              .build();
        }
      }
    }
    return getListCommandsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.app.v1.FindCommandsRequest,
      dev.lattice.app.v1.FindCommandsResponse> getFindCommandsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "FindCommands",
      requestType = dev.lattice.app.v1.FindCommandsRequest.class,
      responseType = dev.lattice.app.v1.FindCommandsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.app.v1.FindCommandsRequest,
      dev.lattice.app.v1.FindCommandsResponse> getFindCommandsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.app.v1.FindCommandsRequest, dev.lattice.app.v1.FindCommandsResponse> getFindCommandsMethod;
    if ((getFindCommandsMethod = AppServiceGrpc.getFindCommandsMethod) == null) {
      synchronized (AppServiceGrpc.class) {
        if ((getFindCommandsMethod = AppServiceGrpc.getFindCommandsMethod) == null) {
          AppServiceGrpc.getFindCommandsMethod = getFindCommandsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.app.v1.FindCommandsRequest, dev.lattice.app.v1.FindCommandsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "FindCommands"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.FindCommandsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.FindCommandsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AppServiceMethodDescriptorSupplier("FindCommands"))
              .build();
        }
      }
    }
    return getFindCommandsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.app.v1.ExtractRequest,
      dev.lattice.app.v1.ExtractResponse> getExtractMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Extract",
      requestType = dev.lattice.app.v1.ExtractRequest.class,
      responseType = dev.lattice.app.v1.ExtractResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.app.v1.ExtractRequest,
      dev.lattice.app.v1.ExtractResponse> getExtractMethod() {
    io.grpc.MethodDescriptor<dev.lattice.app.v1.ExtractRequest, dev.lattice.app.v1.ExtractResponse> getExtractMethod;
    if ((getExtractMethod = AppServiceGrpc.getExtractMethod) == null) {
      synchronized (AppServiceGrpc.class) {
        if ((getExtractMethod = AppServiceGrpc.getExtractMethod) == null) {
          AppServiceGrpc.getExtractMethod = getExtractMethod =
              io.grpc.MethodDescriptor.<dev.lattice.app.v1.ExtractRequest, dev.lattice.app.v1.ExtractResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Extract"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.ExtractRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.ExtractResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AppServiceMethodDescriptorSupplier("Extract"))
              .build();
        }
      }
    }
    return getExtractMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.app.v1.ApplyBatchRequest,
      dev.lattice.app.v1.ApplyBatchResponse> getApplyBatchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ApplyBatch",
      requestType = dev.lattice.app.v1.ApplyBatchRequest.class,
      responseType = dev.lattice.app.v1.ApplyBatchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.app.v1.ApplyBatchRequest,
      dev.lattice.app.v1.ApplyBatchResponse> getApplyBatchMethod() {
    io.grpc.MethodDescriptor<dev.lattice.app.v1.ApplyBatchRequest, dev.lattice.app.v1.ApplyBatchResponse> getApplyBatchMethod;
    if ((getApplyBatchMethod = AppServiceGrpc.getApplyBatchMethod) == null) {
      synchronized (AppServiceGrpc.class) {
        if ((getApplyBatchMethod = AppServiceGrpc.getApplyBatchMethod) == null) {
          AppServiceGrpc.getApplyBatchMethod = getApplyBatchMethod =
              io.grpc.MethodDescriptor.<dev.lattice.app.v1.ApplyBatchRequest, dev.lattice.app.v1.ApplyBatchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ApplyBatch"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.ApplyBatchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.ApplyBatchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AppServiceMethodDescriptorSupplier("ApplyBatch"))
              .build();
        }
      }
    }
    return getApplyBatchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.app.v1.RenderPageRequest,
      dev.lattice.app.v1.RenderPageResponse> getRenderPageMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RenderPage",
      requestType = dev.lattice.app.v1.RenderPageRequest.class,
      responseType = dev.lattice.app.v1.RenderPageResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.app.v1.RenderPageRequest,
      dev.lattice.app.v1.RenderPageResponse> getRenderPageMethod() {
    io.grpc.MethodDescriptor<dev.lattice.app.v1.RenderPageRequest, dev.lattice.app.v1.RenderPageResponse> getRenderPageMethod;
    if ((getRenderPageMethod = AppServiceGrpc.getRenderPageMethod) == null) {
      synchronized (AppServiceGrpc.class) {
        if ((getRenderPageMethod = AppServiceGrpc.getRenderPageMethod) == null) {
          AppServiceGrpc.getRenderPageMethod = getRenderPageMethod =
              io.grpc.MethodDescriptor.<dev.lattice.app.v1.RenderPageRequest, dev.lattice.app.v1.RenderPageResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RenderPage"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.RenderPageRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.app.v1.RenderPageResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AppServiceMethodDescriptorSupplier("RenderPage"))
              .build();
        }
      }
    }
    return getRenderPageMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static AppServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AppServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AppServiceStub>() {
        @java.lang.Override
        public AppServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AppServiceStub(channel, callOptions);
        }
      };
    return AppServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static AppServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AppServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AppServiceBlockingV2Stub>() {
        @java.lang.Override
        public AppServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AppServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return AppServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static AppServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AppServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AppServiceBlockingStub>() {
        @java.lang.Override
        public AppServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AppServiceBlockingStub(channel, callOptions);
        }
      };
    return AppServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static AppServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AppServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AppServiceFutureStub>() {
        @java.lang.Override
        public AppServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AppServiceFutureStub(channel, callOptions);
        }
      };
    return AppServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * One app's worker, reached over a unix socket that files names.
   * Refusals: FILE_REFUSED (metadata `guard`) when a guard refuses the package, APP_REFUSED when a
   * command cannot be applied, FILE_TOO_LARGE, PAGE_OUT_OF_RANGE, VALIDATION_FAILED for a malformed
   * request. A worker that hangs or dies is replaced; its caller reads APP_TIMEOUT or APP_CRASHED.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Says what the app is and which formats it serves. Asked once when a worker has started.
     * </pre>
     */
    default void describe(dev.lattice.app.v1.DescribeRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.DescribeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDescribeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists every command of the app's catalogue, in a stable order.
     * </pre>
     */
    default void listCommands(dev.lattice.app.v1.ListCommandsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.ListCommandsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListCommandsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Ranks the commands that fit a query in plain words, best first; an empty query lists the first ones.
     * </pre>
     */
    default void findCommands(dev.lattice.app.v1.FindCommandsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.FindCommandsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getFindCommandsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Derives the text and the review of a file. The stream ends after `end`.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.lattice.app.v1.ExtractRequest> extract(
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.ExtractResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getExtractMethod(), responseObserver);
    }

    /**
     * <pre>
     * Applies a batch of commands to a file, all or nothing, and derives the result's text and review.
     * APP_REFUSED with metadata `index`, `command` and `why` when one cannot be applied, or when the
     * batch leaves the document unchanged; nothing is answered then.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.lattice.app.v1.ApplyBatchRequest> applyBatch(
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.ApplyBatchResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getApplyBatchMethod(), responseObserver);
    }

    /**
     * <pre>
     * Renders one page as a PNG image. PAGE_OUT_OF_RANGE with metadata `count` beyond the last page.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.lattice.app.v1.RenderPageRequest> renderPage(
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.RenderPageResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getRenderPageMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service AppService.
   * <pre>
   * One app's worker, reached over a unix socket that files names.
   * Refusals: FILE_REFUSED (metadata `guard`) when a guard refuses the package, APP_REFUSED when a
   * command cannot be applied, FILE_TOO_LARGE, PAGE_OUT_OF_RANGE, VALIDATION_FAILED for a malformed
   * request. A worker that hangs or dies is replaced; its caller reads APP_TIMEOUT or APP_CRASHED.
   * </pre>
   */
  public static abstract class AppServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return AppServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service AppService.
   * <pre>
   * One app's worker, reached over a unix socket that files names.
   * Refusals: FILE_REFUSED (metadata `guard`) when a guard refuses the package, APP_REFUSED when a
   * command cannot be applied, FILE_TOO_LARGE, PAGE_OUT_OF_RANGE, VALIDATION_FAILED for a malformed
   * request. A worker that hangs or dies is replaced; its caller reads APP_TIMEOUT or APP_CRASHED.
   * </pre>
   */
  public static final class AppServiceStub
      extends io.grpc.stub.AbstractAsyncStub<AppServiceStub> {
    private AppServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AppServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AppServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says what the app is and which formats it serves. Asked once when a worker has started.
     * </pre>
     */
    public void describe(dev.lattice.app.v1.DescribeRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.DescribeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDescribeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists every command of the app's catalogue, in a stable order.
     * </pre>
     */
    public void listCommands(dev.lattice.app.v1.ListCommandsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.ListCommandsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListCommandsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Ranks the commands that fit a query in plain words, best first; an empty query lists the first ones.
     * </pre>
     */
    public void findCommands(dev.lattice.app.v1.FindCommandsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.FindCommandsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getFindCommandsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Derives the text and the review of a file. The stream ends after `end`.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.lattice.app.v1.ExtractRequest> extract(
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.ExtractResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncBidiStreamingCall(
          getChannel().newCall(getExtractMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Applies a batch of commands to a file, all or nothing, and derives the result's text and review.
     * APP_REFUSED with metadata `index`, `command` and `why` when one cannot be applied, or when the
     * batch leaves the document unchanged; nothing is answered then.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.lattice.app.v1.ApplyBatchRequest> applyBatch(
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.ApplyBatchResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncBidiStreamingCall(
          getChannel().newCall(getApplyBatchMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Renders one page as a PNG image. PAGE_OUT_OF_RANGE with metadata `count` beyond the last page.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.lattice.app.v1.RenderPageRequest> renderPage(
        io.grpc.stub.StreamObserver<dev.lattice.app.v1.RenderPageResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncBidiStreamingCall(
          getChannel().newCall(getRenderPageMethod(), getCallOptions()), responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service AppService.
   * <pre>
   * One app's worker, reached over a unix socket that files names.
   * Refusals: FILE_REFUSED (metadata `guard`) when a guard refuses the package, APP_REFUSED when a
   * command cannot be applied, FILE_TOO_LARGE, PAGE_OUT_OF_RANGE, VALIDATION_FAILED for a malformed
   * request. A worker that hangs or dies is replaced; its caller reads APP_TIMEOUT or APP_CRASHED.
   * </pre>
   */
  public static final class AppServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<AppServiceBlockingV2Stub> {
    private AppServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AppServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AppServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Says what the app is and which formats it serves. Asked once when a worker has started.
     * </pre>
     */
    public dev.lattice.app.v1.DescribeResponse describe(dev.lattice.app.v1.DescribeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDescribeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists every command of the app's catalogue, in a stable order.
     * </pre>
     */
    public dev.lattice.app.v1.ListCommandsResponse listCommands(dev.lattice.app.v1.ListCommandsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListCommandsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ranks the commands that fit a query in plain words, best first; an empty query lists the first ones.
     * </pre>
     */
    public dev.lattice.app.v1.FindCommandsResponse findCommands(dev.lattice.app.v1.FindCommandsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getFindCommandsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Derives the text and the review of a file. The stream ends after `end`.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<dev.lattice.app.v1.ExtractRequest, dev.lattice.app.v1.ExtractResponse>
        extract() {
      return io.grpc.stub.ClientCalls.blockingBidiStreamingCall(
          getChannel(), getExtractMethod(), getCallOptions());
    }

    /**
     * <pre>
     * Applies a batch of commands to a file, all or nothing, and derives the result's text and review.
     * APP_REFUSED with metadata `index`, `command` and `why` when one cannot be applied, or when the
     * batch leaves the document unchanged; nothing is answered then.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<dev.lattice.app.v1.ApplyBatchRequest, dev.lattice.app.v1.ApplyBatchResponse>
        applyBatch() {
      return io.grpc.stub.ClientCalls.blockingBidiStreamingCall(
          getChannel(), getApplyBatchMethod(), getCallOptions());
    }

    /**
     * <pre>
     * Renders one page as a PNG image. PAGE_OUT_OF_RANGE with metadata `count` beyond the last page.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<dev.lattice.app.v1.RenderPageRequest, dev.lattice.app.v1.RenderPageResponse>
        renderPage() {
      return io.grpc.stub.ClientCalls.blockingBidiStreamingCall(
          getChannel(), getRenderPageMethod(), getCallOptions());
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service AppService.
   * <pre>
   * One app's worker, reached over a unix socket that files names.
   * Refusals: FILE_REFUSED (metadata `guard`) when a guard refuses the package, APP_REFUSED when a
   * command cannot be applied, FILE_TOO_LARGE, PAGE_OUT_OF_RANGE, VALIDATION_FAILED for a malformed
   * request. A worker that hangs or dies is replaced; its caller reads APP_TIMEOUT or APP_CRASHED.
   * </pre>
   */
  public static final class AppServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<AppServiceBlockingStub> {
    private AppServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AppServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AppServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says what the app is and which formats it serves. Asked once when a worker has started.
     * </pre>
     */
    public dev.lattice.app.v1.DescribeResponse describe(dev.lattice.app.v1.DescribeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDescribeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists every command of the app's catalogue, in a stable order.
     * </pre>
     */
    public dev.lattice.app.v1.ListCommandsResponse listCommands(dev.lattice.app.v1.ListCommandsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListCommandsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ranks the commands that fit a query in plain words, best first; an empty query lists the first ones.
     * </pre>
     */
    public dev.lattice.app.v1.FindCommandsResponse findCommands(dev.lattice.app.v1.FindCommandsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getFindCommandsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service AppService.
   * <pre>
   * One app's worker, reached over a unix socket that files names.
   * Refusals: FILE_REFUSED (metadata `guard`) when a guard refuses the package, APP_REFUSED when a
   * command cannot be applied, FILE_TOO_LARGE, PAGE_OUT_OF_RANGE, VALIDATION_FAILED for a malformed
   * request. A worker that hangs or dies is replaced; its caller reads APP_TIMEOUT or APP_CRASHED.
   * </pre>
   */
  public static final class AppServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<AppServiceFutureStub> {
    private AppServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AppServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AppServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says what the app is and which formats it serves. Asked once when a worker has started.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.app.v1.DescribeResponse> describe(
        dev.lattice.app.v1.DescribeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDescribeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists every command of the app's catalogue, in a stable order.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.app.v1.ListCommandsResponse> listCommands(
        dev.lattice.app.v1.ListCommandsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListCommandsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Ranks the commands that fit a query in plain words, best first; an empty query lists the first ones.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.app.v1.FindCommandsResponse> findCommands(
        dev.lattice.app.v1.FindCommandsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getFindCommandsMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_DESCRIBE = 0;
  private static final int METHODID_LIST_COMMANDS = 1;
  private static final int METHODID_FIND_COMMANDS = 2;
  private static final int METHODID_EXTRACT = 3;
  private static final int METHODID_APPLY_BATCH = 4;
  private static final int METHODID_RENDER_PAGE = 5;

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
        case METHODID_DESCRIBE:
          serviceImpl.describe((dev.lattice.app.v1.DescribeRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.app.v1.DescribeResponse>) responseObserver);
          break;
        case METHODID_LIST_COMMANDS:
          serviceImpl.listCommands((dev.lattice.app.v1.ListCommandsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.app.v1.ListCommandsResponse>) responseObserver);
          break;
        case METHODID_FIND_COMMANDS:
          serviceImpl.findCommands((dev.lattice.app.v1.FindCommandsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.app.v1.FindCommandsResponse>) responseObserver);
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
        case METHODID_EXTRACT:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.extract(
              (io.grpc.stub.StreamObserver<dev.lattice.app.v1.ExtractResponse>) responseObserver);
        case METHODID_APPLY_BATCH:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.applyBatch(
              (io.grpc.stub.StreamObserver<dev.lattice.app.v1.ApplyBatchResponse>) responseObserver);
        case METHODID_RENDER_PAGE:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.renderPage(
              (io.grpc.stub.StreamObserver<dev.lattice.app.v1.RenderPageResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getDescribeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.app.v1.DescribeRequest,
              dev.lattice.app.v1.DescribeResponse>(
                service, METHODID_DESCRIBE)))
        .addMethod(
          getListCommandsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.app.v1.ListCommandsRequest,
              dev.lattice.app.v1.ListCommandsResponse>(
                service, METHODID_LIST_COMMANDS)))
        .addMethod(
          getFindCommandsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.app.v1.FindCommandsRequest,
              dev.lattice.app.v1.FindCommandsResponse>(
                service, METHODID_FIND_COMMANDS)))
        .addMethod(
          getExtractMethod(),
          io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
            new MethodHandlers<
              dev.lattice.app.v1.ExtractRequest,
              dev.lattice.app.v1.ExtractResponse>(
                service, METHODID_EXTRACT)))
        .addMethod(
          getApplyBatchMethod(),
          io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
            new MethodHandlers<
              dev.lattice.app.v1.ApplyBatchRequest,
              dev.lattice.app.v1.ApplyBatchResponse>(
                service, METHODID_APPLY_BATCH)))
        .addMethod(
          getRenderPageMethod(),
          io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
            new MethodHandlers<
              dev.lattice.app.v1.RenderPageRequest,
              dev.lattice.app.v1.RenderPageResponse>(
                service, METHODID_RENDER_PAGE)))
        .build();
  }

  private static abstract class AppServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    AppServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.app.v1.AppServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("AppService");
    }
  }

  private static final class AppServiceFileDescriptorSupplier
      extends AppServiceBaseDescriptorSupplier {
    AppServiceFileDescriptorSupplier() {}
  }

  private static final class AppServiceMethodDescriptorSupplier
      extends AppServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    AppServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (AppServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new AppServiceFileDescriptorSupplier())
              .addMethod(getDescribeMethod())
              .addMethod(getListCommandsMethod())
              .addMethod(getFindCommandsMethod())
              .addMethod(getExtractMethod())
              .addMethod(getApplyBatchMethod())
              .addMethod(getRenderPageMethod())
              .build();
        }
      }
    }
    return result;
  }
}
