package dev.lattice.files.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Keeps native files, lends them to people, and edits them through their app.
 * Five writes are governed by the app's integration: UploadFile, CheckOut, ExtendCheckOut, CheckIn
 * and Edit. While it is off each is refused with NOT_ENABLED, while nobody can tell with
 * PEER_UNAVAILABLE, both before any lease is taken. Everything else goes on.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class NativeFilesServiceGrpc {

  private NativeFilesServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "lattice.files.v1.NativeFilesService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.UploadFileRequest,
      dev.lattice.files.v1.UploadFileResponse> getUploadFileMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UploadFile",
      requestType = dev.lattice.files.v1.UploadFileRequest.class,
      responseType = dev.lattice.files.v1.UploadFileResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.UploadFileRequest,
      dev.lattice.files.v1.UploadFileResponse> getUploadFileMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.UploadFileRequest, dev.lattice.files.v1.UploadFileResponse> getUploadFileMethod;
    if ((getUploadFileMethod = NativeFilesServiceGrpc.getUploadFileMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getUploadFileMethod = NativeFilesServiceGrpc.getUploadFileMethod) == null) {
          NativeFilesServiceGrpc.getUploadFileMethod = getUploadFileMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.UploadFileRequest, dev.lattice.files.v1.UploadFileResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UploadFile"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.UploadFileRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.UploadFileResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("UploadFile"))
              .build();
        }
      }
    }
    return getUploadFileMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.DownloadFileRequest,
      dev.lattice.files.v1.DownloadFileResponse> getDownloadFileMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DownloadFile",
      requestType = dev.lattice.files.v1.DownloadFileRequest.class,
      responseType = dev.lattice.files.v1.DownloadFileResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.DownloadFileRequest,
      dev.lattice.files.v1.DownloadFileResponse> getDownloadFileMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.DownloadFileRequest, dev.lattice.files.v1.DownloadFileResponse> getDownloadFileMethod;
    if ((getDownloadFileMethod = NativeFilesServiceGrpc.getDownloadFileMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getDownloadFileMethod = NativeFilesServiceGrpc.getDownloadFileMethod) == null) {
          NativeFilesServiceGrpc.getDownloadFileMethod = getDownloadFileMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.DownloadFileRequest, dev.lattice.files.v1.DownloadFileResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DownloadFile"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.DownloadFileRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.DownloadFileResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("DownloadFile"))
              .build();
        }
      }
    }
    return getDownloadFileMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.CheckOutRequest,
      dev.lattice.files.v1.CheckOutResponse> getCheckOutMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CheckOut",
      requestType = dev.lattice.files.v1.CheckOutRequest.class,
      responseType = dev.lattice.files.v1.CheckOutResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.CheckOutRequest,
      dev.lattice.files.v1.CheckOutResponse> getCheckOutMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.CheckOutRequest, dev.lattice.files.v1.CheckOutResponse> getCheckOutMethod;
    if ((getCheckOutMethod = NativeFilesServiceGrpc.getCheckOutMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getCheckOutMethod = NativeFilesServiceGrpc.getCheckOutMethod) == null) {
          NativeFilesServiceGrpc.getCheckOutMethod = getCheckOutMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.CheckOutRequest, dev.lattice.files.v1.CheckOutResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CheckOut"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.CheckOutRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.CheckOutResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("CheckOut"))
              .build();
        }
      }
    }
    return getCheckOutMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ExtendCheckOutRequest,
      dev.lattice.files.v1.ExtendCheckOutResponse> getExtendCheckOutMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ExtendCheckOut",
      requestType = dev.lattice.files.v1.ExtendCheckOutRequest.class,
      responseType = dev.lattice.files.v1.ExtendCheckOutResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ExtendCheckOutRequest,
      dev.lattice.files.v1.ExtendCheckOutResponse> getExtendCheckOutMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ExtendCheckOutRequest, dev.lattice.files.v1.ExtendCheckOutResponse> getExtendCheckOutMethod;
    if ((getExtendCheckOutMethod = NativeFilesServiceGrpc.getExtendCheckOutMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getExtendCheckOutMethod = NativeFilesServiceGrpc.getExtendCheckOutMethod) == null) {
          NativeFilesServiceGrpc.getExtendCheckOutMethod = getExtendCheckOutMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ExtendCheckOutRequest, dev.lattice.files.v1.ExtendCheckOutResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ExtendCheckOut"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ExtendCheckOutRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ExtendCheckOutResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("ExtendCheckOut"))
              .build();
        }
      }
    }
    return getExtendCheckOutMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.CheckInRequest,
      dev.lattice.files.v1.CheckInResponse> getCheckInMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CheckIn",
      requestType = dev.lattice.files.v1.CheckInRequest.class,
      responseType = dev.lattice.files.v1.CheckInResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.CheckInRequest,
      dev.lattice.files.v1.CheckInResponse> getCheckInMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.CheckInRequest, dev.lattice.files.v1.CheckInResponse> getCheckInMethod;
    if ((getCheckInMethod = NativeFilesServiceGrpc.getCheckInMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getCheckInMethod = NativeFilesServiceGrpc.getCheckInMethod) == null) {
          NativeFilesServiceGrpc.getCheckInMethod = getCheckInMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.CheckInRequest, dev.lattice.files.v1.CheckInResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CheckIn"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.CheckInRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.CheckInResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("CheckIn"))
              .build();
        }
      }
    }
    return getCheckInMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ReleaseCheckOutRequest,
      dev.lattice.files.v1.ReleaseCheckOutResponse> getReleaseCheckOutMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReleaseCheckOut",
      requestType = dev.lattice.files.v1.ReleaseCheckOutRequest.class,
      responseType = dev.lattice.files.v1.ReleaseCheckOutResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ReleaseCheckOutRequest,
      dev.lattice.files.v1.ReleaseCheckOutResponse> getReleaseCheckOutMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ReleaseCheckOutRequest, dev.lattice.files.v1.ReleaseCheckOutResponse> getReleaseCheckOutMethod;
    if ((getReleaseCheckOutMethod = NativeFilesServiceGrpc.getReleaseCheckOutMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getReleaseCheckOutMethod = NativeFilesServiceGrpc.getReleaseCheckOutMethod) == null) {
          NativeFilesServiceGrpc.getReleaseCheckOutMethod = getReleaseCheckOutMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ReleaseCheckOutRequest, dev.lattice.files.v1.ReleaseCheckOutResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReleaseCheckOut"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ReleaseCheckOutRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ReleaseCheckOutResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("ReleaseCheckOut"))
              .build();
        }
      }
    }
    return getReleaseCheckOutMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.BreakCheckOutRequest,
      dev.lattice.files.v1.BreakCheckOutResponse> getBreakCheckOutMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BreakCheckOut",
      requestType = dev.lattice.files.v1.BreakCheckOutRequest.class,
      responseType = dev.lattice.files.v1.BreakCheckOutResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.BreakCheckOutRequest,
      dev.lattice.files.v1.BreakCheckOutResponse> getBreakCheckOutMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.BreakCheckOutRequest, dev.lattice.files.v1.BreakCheckOutResponse> getBreakCheckOutMethod;
    if ((getBreakCheckOutMethod = NativeFilesServiceGrpc.getBreakCheckOutMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getBreakCheckOutMethod = NativeFilesServiceGrpc.getBreakCheckOutMethod) == null) {
          NativeFilesServiceGrpc.getBreakCheckOutMethod = getBreakCheckOutMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.BreakCheckOutRequest, dev.lattice.files.v1.BreakCheckOutResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BreakCheckOut"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.BreakCheckOutRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.BreakCheckOutResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("BreakCheckOut"))
              .build();
        }
      }
    }
    return getBreakCheckOutMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ListBrokenCheckOutsRequest,
      dev.lattice.files.v1.ListBrokenCheckOutsResponse> getListBrokenCheckOutsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListBrokenCheckOuts",
      requestType = dev.lattice.files.v1.ListBrokenCheckOutsRequest.class,
      responseType = dev.lattice.files.v1.ListBrokenCheckOutsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ListBrokenCheckOutsRequest,
      dev.lattice.files.v1.ListBrokenCheckOutsResponse> getListBrokenCheckOutsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ListBrokenCheckOutsRequest, dev.lattice.files.v1.ListBrokenCheckOutsResponse> getListBrokenCheckOutsMethod;
    if ((getListBrokenCheckOutsMethod = NativeFilesServiceGrpc.getListBrokenCheckOutsMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getListBrokenCheckOutsMethod = NativeFilesServiceGrpc.getListBrokenCheckOutsMethod) == null) {
          NativeFilesServiceGrpc.getListBrokenCheckOutsMethod = getListBrokenCheckOutsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ListBrokenCheckOutsRequest, dev.lattice.files.v1.ListBrokenCheckOutsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListBrokenCheckOuts"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListBrokenCheckOutsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListBrokenCheckOutsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("ListBrokenCheckOuts"))
              .build();
        }
      }
    }
    return getListBrokenCheckOutsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.GetLeaseRequest,
      dev.lattice.files.v1.GetLeaseResponse> getGetLeaseMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetLease",
      requestType = dev.lattice.files.v1.GetLeaseRequest.class,
      responseType = dev.lattice.files.v1.GetLeaseResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.GetLeaseRequest,
      dev.lattice.files.v1.GetLeaseResponse> getGetLeaseMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.GetLeaseRequest, dev.lattice.files.v1.GetLeaseResponse> getGetLeaseMethod;
    if ((getGetLeaseMethod = NativeFilesServiceGrpc.getGetLeaseMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getGetLeaseMethod = NativeFilesServiceGrpc.getGetLeaseMethod) == null) {
          NativeFilesServiceGrpc.getGetLeaseMethod = getGetLeaseMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.GetLeaseRequest, dev.lattice.files.v1.GetLeaseResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetLease"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetLeaseRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetLeaseResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("GetLease"))
              .build();
        }
      }
    }
    return getGetLeaseMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ListCheckOutsRequest,
      dev.lattice.files.v1.ListCheckOutsResponse> getListCheckOutsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListCheckOuts",
      requestType = dev.lattice.files.v1.ListCheckOutsRequest.class,
      responseType = dev.lattice.files.v1.ListCheckOutsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ListCheckOutsRequest,
      dev.lattice.files.v1.ListCheckOutsResponse> getListCheckOutsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ListCheckOutsRequest, dev.lattice.files.v1.ListCheckOutsResponse> getListCheckOutsMethod;
    if ((getListCheckOutsMethod = NativeFilesServiceGrpc.getListCheckOutsMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getListCheckOutsMethod = NativeFilesServiceGrpc.getListCheckOutsMethod) == null) {
          NativeFilesServiceGrpc.getListCheckOutsMethod = getListCheckOutsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ListCheckOutsRequest, dev.lattice.files.v1.ListCheckOutsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListCheckOuts"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListCheckOutsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ListCheckOutsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("ListCheckOuts"))
              .build();
        }
      }
    }
    return getListCheckOutsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.EditRequest,
      dev.lattice.files.v1.EditResponse> getEditMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Edit",
      requestType = dev.lattice.files.v1.EditRequest.class,
      responseType = dev.lattice.files.v1.EditResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.EditRequest,
      dev.lattice.files.v1.EditResponse> getEditMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.EditRequest, dev.lattice.files.v1.EditResponse> getEditMethod;
    if ((getEditMethod = NativeFilesServiceGrpc.getEditMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getEditMethod = NativeFilesServiceGrpc.getEditMethod) == null) {
          NativeFilesServiceGrpc.getEditMethod = getEditMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.EditRequest, dev.lattice.files.v1.EditResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Edit"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.EditRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.EditResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("Edit"))
              .build();
        }
      }
    }
    return getEditMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.PreviewEditRequest,
      dev.lattice.files.v1.PreviewEditResponse> getPreviewEditMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PreviewEdit",
      requestType = dev.lattice.files.v1.PreviewEditRequest.class,
      responseType = dev.lattice.files.v1.PreviewEditResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.PreviewEditRequest,
      dev.lattice.files.v1.PreviewEditResponse> getPreviewEditMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.PreviewEditRequest, dev.lattice.files.v1.PreviewEditResponse> getPreviewEditMethod;
    if ((getPreviewEditMethod = NativeFilesServiceGrpc.getPreviewEditMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getPreviewEditMethod = NativeFilesServiceGrpc.getPreviewEditMethod) == null) {
          NativeFilesServiceGrpc.getPreviewEditMethod = getPreviewEditMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.PreviewEditRequest, dev.lattice.files.v1.PreviewEditResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PreviewEdit"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.PreviewEditRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.PreviewEditResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("PreviewEdit"))
              .build();
        }
      }
    }
    return getPreviewEditMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.GetAppStatusRequest,
      dev.lattice.files.v1.GetAppStatusResponse> getGetAppStatusMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetAppStatus",
      requestType = dev.lattice.files.v1.GetAppStatusRequest.class,
      responseType = dev.lattice.files.v1.GetAppStatusResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.GetAppStatusRequest,
      dev.lattice.files.v1.GetAppStatusResponse> getGetAppStatusMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.GetAppStatusRequest, dev.lattice.files.v1.GetAppStatusResponse> getGetAppStatusMethod;
    if ((getGetAppStatusMethod = NativeFilesServiceGrpc.getGetAppStatusMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getGetAppStatusMethod = NativeFilesServiceGrpc.getGetAppStatusMethod) == null) {
          NativeFilesServiceGrpc.getGetAppStatusMethod = getGetAppStatusMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.GetAppStatusRequest, dev.lattice.files.v1.GetAppStatusResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetAppStatus"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetAppStatusRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.GetAppStatusResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("GetAppStatus"))
              .build();
        }
      }
    }
    return getGetAppStatusMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ReadTextRequest,
      dev.lattice.files.v1.ReadTextResponse> getReadTextMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReadText",
      requestType = dev.lattice.files.v1.ReadTextRequest.class,
      responseType = dev.lattice.files.v1.ReadTextResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ReadTextRequest,
      dev.lattice.files.v1.ReadTextResponse> getReadTextMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ReadTextRequest, dev.lattice.files.v1.ReadTextResponse> getReadTextMethod;
    if ((getReadTextMethod = NativeFilesServiceGrpc.getReadTextMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getReadTextMethod = NativeFilesServiceGrpc.getReadTextMethod) == null) {
          NativeFilesServiceGrpc.getReadTextMethod = getReadTextMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ReadTextRequest, dev.lattice.files.v1.ReadTextResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReadText"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ReadTextRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ReadTextResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("ReadText"))
              .build();
        }
      }
    }
    return getReadTextMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.ReadReviewRequest,
      dev.lattice.files.v1.ReadReviewResponse> getReadReviewMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReadReview",
      requestType = dev.lattice.files.v1.ReadReviewRequest.class,
      responseType = dev.lattice.files.v1.ReadReviewResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.ReadReviewRequest,
      dev.lattice.files.v1.ReadReviewResponse> getReadReviewMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.ReadReviewRequest, dev.lattice.files.v1.ReadReviewResponse> getReadReviewMethod;
    if ((getReadReviewMethod = NativeFilesServiceGrpc.getReadReviewMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getReadReviewMethod = NativeFilesServiceGrpc.getReadReviewMethod) == null) {
          NativeFilesServiceGrpc.getReadReviewMethod = getReadReviewMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.ReadReviewRequest, dev.lattice.files.v1.ReadReviewResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReadReview"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ReadReviewRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.ReadReviewResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("ReadReview"))
              .build();
        }
      }
    }
    return getReadReviewMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.FindCommandsRequest,
      dev.lattice.files.v1.FindCommandsResponse> getFindCommandsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "FindCommands",
      requestType = dev.lattice.files.v1.FindCommandsRequest.class,
      responseType = dev.lattice.files.v1.FindCommandsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.FindCommandsRequest,
      dev.lattice.files.v1.FindCommandsResponse> getFindCommandsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.FindCommandsRequest, dev.lattice.files.v1.FindCommandsResponse> getFindCommandsMethod;
    if ((getFindCommandsMethod = NativeFilesServiceGrpc.getFindCommandsMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getFindCommandsMethod = NativeFilesServiceGrpc.getFindCommandsMethod) == null) {
          NativeFilesServiceGrpc.getFindCommandsMethod = getFindCommandsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.FindCommandsRequest, dev.lattice.files.v1.FindCommandsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "FindCommands"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.FindCommandsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.FindCommandsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("FindCommands"))
              .build();
        }
      }
    }
    return getFindCommandsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.RenderPageRequest,
      dev.lattice.files.v1.RenderPageResponse> getRenderPageMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RenderPage",
      requestType = dev.lattice.files.v1.RenderPageRequest.class,
      responseType = dev.lattice.files.v1.RenderPageResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.RenderPageRequest,
      dev.lattice.files.v1.RenderPageResponse> getRenderPageMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.RenderPageRequest, dev.lattice.files.v1.RenderPageResponse> getRenderPageMethod;
    if ((getRenderPageMethod = NativeFilesServiceGrpc.getRenderPageMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getRenderPageMethod = NativeFilesServiceGrpc.getRenderPageMethod) == null) {
          NativeFilesServiceGrpc.getRenderPageMethod = getRenderPageMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.RenderPageRequest, dev.lattice.files.v1.RenderPageResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RenderPage"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.RenderPageRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.RenderPageResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("RenderPage"))
              .build();
        }
      }
    }
    return getRenderPageMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.lattice.files.v1.CollectBlobsRequest,
      dev.lattice.files.v1.CollectBlobsResponse> getCollectBlobsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CollectBlobs",
      requestType = dev.lattice.files.v1.CollectBlobsRequest.class,
      responseType = dev.lattice.files.v1.CollectBlobsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.lattice.files.v1.CollectBlobsRequest,
      dev.lattice.files.v1.CollectBlobsResponse> getCollectBlobsMethod() {
    io.grpc.MethodDescriptor<dev.lattice.files.v1.CollectBlobsRequest, dev.lattice.files.v1.CollectBlobsResponse> getCollectBlobsMethod;
    if ((getCollectBlobsMethod = NativeFilesServiceGrpc.getCollectBlobsMethod) == null) {
      synchronized (NativeFilesServiceGrpc.class) {
        if ((getCollectBlobsMethod = NativeFilesServiceGrpc.getCollectBlobsMethod) == null) {
          NativeFilesServiceGrpc.getCollectBlobsMethod = getCollectBlobsMethod =
              io.grpc.MethodDescriptor.<dev.lattice.files.v1.CollectBlobsRequest, dev.lattice.files.v1.CollectBlobsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CollectBlobs"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.CollectBlobsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.lattice.files.v1.CollectBlobsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NativeFilesServiceMethodDescriptorSupplier("CollectBlobs"))
              .build();
        }
      }
    }
    return getCollectBlobsMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static NativeFilesServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<NativeFilesServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<NativeFilesServiceStub>() {
        @java.lang.Override
        public NativeFilesServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new NativeFilesServiceStub(channel, callOptions);
        }
      };
    return NativeFilesServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static NativeFilesServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<NativeFilesServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<NativeFilesServiceBlockingV2Stub>() {
        @java.lang.Override
        public NativeFilesServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new NativeFilesServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return NativeFilesServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static NativeFilesServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<NativeFilesServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<NativeFilesServiceBlockingStub>() {
        @java.lang.Override
        public NativeFilesServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new NativeFilesServiceBlockingStub(channel, callOptions);
        }
      };
    return NativeFilesServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static NativeFilesServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<NativeFilesServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<NativeFilesServiceFutureStub>() {
        @java.lang.Override
        public NativeFilesServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new NativeFilesServiceFutureStub(channel, callOptions);
        }
      };
    return NativeFilesServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Keeps native files, lends them to people, and edits them through their app.
   * Five writes are governed by the app's integration: UploadFile, CheckOut, ExtendCheckOut, CheckIn
   * and Edit. While it is off each is refused with NOT_ENABLED, while nobody can tell with
   * PEER_UNAVAILABLE, both before any lease is taken. Everything else goes on.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Makes a new artifact from a file: the header, then chunks of at most 64 KiB.
     * FILE_REFUSED (metadata `guard`) when the app's guards refuse it, FILE_TOO_LARGE over the limit,
     * DIGEST_MISMATCH when the content is not what the header declares, NOT_FOUND for a format that no
     * app serves, INVALID_STATE when the id was used before. A newer copy of a file that is already
     * here is a check-in, not an upload. QUOTA_EXCEEDED (metadata `quota`) when the tenant has no room for
     * it, or as many uploads, or bytes of them, at once as it may; SLOW_PRODUCER (metadata `limit`) when the
     * next message, the first included, or the last one of all is too long in coming. Nothing is kept then.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.lattice.files.v1.UploadFileRequest> uploadFile(
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.UploadFileResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getUploadFileMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams the bytes of a file at its current version or at a named one: the header, then chunks.
     * QUOTA_EXCEEDED (metadata `quota`) when the tenant has as many downloads at once as it may;
     * SLOW_CONSUMER (metadata `limit`) when a message, or all of them, are too long in being taken.
     * </pre>
     */
    default void downloadFile(dev.lattice.files.v1.DownloadFileRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.DownloadFileResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDownloadFileMethod(), responseObserver);
    }

    /**
     * <pre>
     * Checks a native file out to the caller, who alone may write it until `expire_time`. People only.
     * ARTIFACT_BUSY, with holder and end, while another lease lives. After any refusal no lease of this
     * call exists. It appends nothing to the feed.
     * </pre>
     */
    default void checkOut(dev.lattice.files.v1.CheckOutRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.CheckOutResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCheckOutMethod(), responseObserver);
    }

    /**
     * <pre>
     * Sets the end of a check-out to now and the check-out time, at most 8 hours after it began.
     * LEASE_EXPIRED when it has ended, ARTIFACT_BUSY when somebody else holds the file.
     * </pre>
     */
    default void extendCheckOut(dev.lattice.files.v1.ExtendCheckOutRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ExtendCheckOutResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getExtendCheckOutMethod(), responseObserver);
    }

    /**
     * <pre>
     * Makes the caller's copy the newest version and ends the check-out in the same commit.
     * Identical bytes make no version and only end it. A lapsed check-out is still taken within 24
     * hours of its end, while no later lease was given out and the file is unchanged. Otherwise
     * LEASE_EXPIRED, ARTIFACT_BUSY or VERSION_CONFLICT; the other refusals are those of UploadFile.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.lattice.files.v1.CheckInRequest> checkIn(
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.CheckInResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getCheckInMethod(), responseObserver);
    }

    /**
     * <pre>
     * Ends one's own check-out without a new version, by its token or as its holder. Repeating is harmless.
     * FORBIDDEN to whoever could not check out either.
     * </pre>
     */
    default void releaseCheckOut(dev.lattice.files.v1.ReleaseCheckOutRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReleaseCheckOutResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReleaseCheckOutMethod(), responseObserver);
    }

    /**
     * <pre>
     * Ends somebody else's check-out, also one that lapsed; its token is worth nothing afterwards.
     * Administrators only, and also while the app is off. It is on record: see ListBrokenCheckOuts.
     * </pre>
     */
    default void breakCheckOut(dev.lattice.files.v1.BreakCheckOutRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.BreakCheckOutResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBreakCheckOutMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the check-outs of a workspace that were broken, oldest first. Administrators only.
     * </pre>
     */
    default void listBrokenCheckOuts(dev.lattice.files.v1.ListBrokenCheckOutsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListBrokenCheckOutsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListBrokenCheckOutsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Says who holds a native file, and until when.
     * </pre>
     */
    default void getLease(dev.lattice.files.v1.GetLeaseRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetLeaseResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetLeaseMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the live check-outs of a workspace, oldest first.
     * </pre>
     */
    default void listCheckOuts(dev.lattice.files.v1.ListCheckOutsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListCheckOutsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListCheckOutsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Applies a batch of app commands to the current version, all or nothing.
     * VERSION_CONFLICT on another version, before the app runs. ARTIFACT_BUSY with the kind of the
     * lease while one lives. APP_REFUSED (metadata `index`, `command`, `why`) when a command cannot be
     * applied or nothing would change; APP_TIMEOUT, APP_CRASHED, FILE_TOO_LARGE when the app fails.
     * After every refusal nothing is changed, queued or held. May become a proposal by policy.
     * </pre>
     */
    default void edit(dev.lattice.files.v1.EditRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.EditResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getEditMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lets the app apply a batch and says what would change; nothing is stored, queued or held.
     * Refused as Edit would be now: by the integration's switch, by the caller's rights, while a lease
     * lives, on another version, and for the reasons of the app. Whether Edit would apply the batch or
     * propose it is not said.
     * </pre>
     */
    default void previewEdit(dev.lattice.files.v1.PreviewEditRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.PreviewEditResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPreviewEditMethod(), responseObserver);
    }

    /**
     * <pre>
     * Says whether the app of native files is on in a workspace, and which kinds it governs.
     * </pre>
     */
    default void getAppStatus(dev.lattice.files.v1.GetAppStatusRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetAppStatusResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetAppStatusMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reads the words of a file as plain text, from a character on.
     * </pre>
     */
    default void readText(dev.lattice.files.v1.ReadTextRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReadTextResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReadTextMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reads the comments, tracked changes and external targets of a file, from an item on.
     * </pre>
     */
    default void readReview(dev.lattice.files.v1.ReadReviewRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReadReviewResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReadReviewMethod(), responseObserver);
    }

    /**
     * <pre>
     * Finds commands of a file's app by plain words, best first.
     * </pre>
     */
    default void findCommands(dev.lattice.files.v1.FindCommandsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.FindCommandsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getFindCommandsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Renders one page of a file as a PNG image. PAGE_OUT_OF_RANGE with metadata `count` beyond the last.
     * </pre>
     */
    default void renderPage(dev.lattice.files.v1.RenderPageRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.RenderPageResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRenderPageMethod(), responseObserver);
    }

    /**
     * <pre>
     * Deletes blobs that nothing references any more and that nobody touched for the grace period.
     * Administrators only. Idempotent, safe beside writes, and runs whatever the switch says.
     * INVALID_STATE while another collection of the workspace runs; PEER_UNAVAILABLE when the blob store
     * is out of reach or too slow. What was deleted before a failure stays deleted; a repeat goes on.
     * </pre>
     */
    default void collectBlobs(dev.lattice.files.v1.CollectBlobsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.CollectBlobsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCollectBlobsMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service NativeFilesService.
   * <pre>
   * Keeps native files, lends them to people, and edits them through their app.
   * Five writes are governed by the app's integration: UploadFile, CheckOut, ExtendCheckOut, CheckIn
   * and Edit. While it is off each is refused with NOT_ENABLED, while nobody can tell with
   * PEER_UNAVAILABLE, both before any lease is taken. Everything else goes on.
   * </pre>
   */
  public static abstract class NativeFilesServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return NativeFilesServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service NativeFilesService.
   * <pre>
   * Keeps native files, lends them to people, and edits them through their app.
   * Five writes are governed by the app's integration: UploadFile, CheckOut, ExtendCheckOut, CheckIn
   * and Edit. While it is off each is refused with NOT_ENABLED, while nobody can tell with
   * PEER_UNAVAILABLE, both before any lease is taken. Everything else goes on.
   * </pre>
   */
  public static final class NativeFilesServiceStub
      extends io.grpc.stub.AbstractAsyncStub<NativeFilesServiceStub> {
    private NativeFilesServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected NativeFilesServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new NativeFilesServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Makes a new artifact from a file: the header, then chunks of at most 64 KiB.
     * FILE_REFUSED (metadata `guard`) when the app's guards refuse it, FILE_TOO_LARGE over the limit,
     * DIGEST_MISMATCH when the content is not what the header declares, NOT_FOUND for a format that no
     * app serves, INVALID_STATE when the id was used before. A newer copy of a file that is already
     * here is a check-in, not an upload. QUOTA_EXCEEDED (metadata `quota`) when the tenant has no room for
     * it, or as many uploads, or bytes of them, at once as it may; SLOW_PRODUCER (metadata `limit`) when the
     * next message, the first included, or the last one of all is too long in coming. Nothing is kept then.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.lattice.files.v1.UploadFileRequest> uploadFile(
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.UploadFileResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncClientStreamingCall(
          getChannel().newCall(getUploadFileMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Streams the bytes of a file at its current version or at a named one: the header, then chunks.
     * QUOTA_EXCEEDED (metadata `quota`) when the tenant has as many downloads at once as it may;
     * SLOW_CONSUMER (metadata `limit`) when a message, or all of them, are too long in being taken.
     * </pre>
     */
    public void downloadFile(dev.lattice.files.v1.DownloadFileRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.DownloadFileResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getDownloadFileMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Checks a native file out to the caller, who alone may write it until `expire_time`. People only.
     * ARTIFACT_BUSY, with holder and end, while another lease lives. After any refusal no lease of this
     * call exists. It appends nothing to the feed.
     * </pre>
     */
    public void checkOut(dev.lattice.files.v1.CheckOutRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.CheckOutResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCheckOutMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Sets the end of a check-out to now and the check-out time, at most 8 hours after it began.
     * LEASE_EXPIRED when it has ended, ARTIFACT_BUSY when somebody else holds the file.
     * </pre>
     */
    public void extendCheckOut(dev.lattice.files.v1.ExtendCheckOutRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ExtendCheckOutResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getExtendCheckOutMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Makes the caller's copy the newest version and ends the check-out in the same commit.
     * Identical bytes make no version and only end it. A lapsed check-out is still taken within 24
     * hours of its end, while no later lease was given out and the file is unchanged. Otherwise
     * LEASE_EXPIRED, ARTIFACT_BUSY or VERSION_CONFLICT; the other refusals are those of UploadFile.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.lattice.files.v1.CheckInRequest> checkIn(
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.CheckInResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncClientStreamingCall(
          getChannel().newCall(getCheckInMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Ends one's own check-out without a new version, by its token or as its holder. Repeating is harmless.
     * FORBIDDEN to whoever could not check out either.
     * </pre>
     */
    public void releaseCheckOut(dev.lattice.files.v1.ReleaseCheckOutRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReleaseCheckOutResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReleaseCheckOutMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Ends somebody else's check-out, also one that lapsed; its token is worth nothing afterwards.
     * Administrators only, and also while the app is off. It is on record: see ListBrokenCheckOuts.
     * </pre>
     */
    public void breakCheckOut(dev.lattice.files.v1.BreakCheckOutRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.BreakCheckOutResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBreakCheckOutMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the check-outs of a workspace that were broken, oldest first. Administrators only.
     * </pre>
     */
    public void listBrokenCheckOuts(dev.lattice.files.v1.ListBrokenCheckOutsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListBrokenCheckOutsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListBrokenCheckOutsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Says who holds a native file, and until when.
     * </pre>
     */
    public void getLease(dev.lattice.files.v1.GetLeaseRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetLeaseResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetLeaseMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the live check-outs of a workspace, oldest first.
     * </pre>
     */
    public void listCheckOuts(dev.lattice.files.v1.ListCheckOutsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListCheckOutsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListCheckOutsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Applies a batch of app commands to the current version, all or nothing.
     * VERSION_CONFLICT on another version, before the app runs. ARTIFACT_BUSY with the kind of the
     * lease while one lives. APP_REFUSED (metadata `index`, `command`, `why`) when a command cannot be
     * applied or nothing would change; APP_TIMEOUT, APP_CRASHED, FILE_TOO_LARGE when the app fails.
     * After every refusal nothing is changed, queued or held. May become a proposal by policy.
     * </pre>
     */
    public void edit(dev.lattice.files.v1.EditRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.EditResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getEditMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lets the app apply a batch and says what would change; nothing is stored, queued or held.
     * Refused as Edit would be now: by the integration's switch, by the caller's rights, while a lease
     * lives, on another version, and for the reasons of the app. Whether Edit would apply the batch or
     * propose it is not said.
     * </pre>
     */
    public void previewEdit(dev.lattice.files.v1.PreviewEditRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.PreviewEditResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPreviewEditMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Says whether the app of native files is on in a workspace, and which kinds it governs.
     * </pre>
     */
    public void getAppStatus(dev.lattice.files.v1.GetAppStatusRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetAppStatusResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetAppStatusMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reads the words of a file as plain text, from a character on.
     * </pre>
     */
    public void readText(dev.lattice.files.v1.ReadTextRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReadTextResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReadTextMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reads the comments, tracked changes and external targets of a file, from an item on.
     * </pre>
     */
    public void readReview(dev.lattice.files.v1.ReadReviewRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReadReviewResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReadReviewMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Finds commands of a file's app by plain words, best first.
     * </pre>
     */
    public void findCommands(dev.lattice.files.v1.FindCommandsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.FindCommandsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getFindCommandsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Renders one page of a file as a PNG image. PAGE_OUT_OF_RANGE with metadata `count` beyond the last.
     * </pre>
     */
    public void renderPage(dev.lattice.files.v1.RenderPageRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.RenderPageResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRenderPageMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Deletes blobs that nothing references any more and that nobody touched for the grace period.
     * Administrators only. Idempotent, safe beside writes, and runs whatever the switch says.
     * INVALID_STATE while another collection of the workspace runs; PEER_UNAVAILABLE when the blob store
     * is out of reach or too slow. What was deleted before a failure stays deleted; a repeat goes on.
     * </pre>
     */
    public void collectBlobs(dev.lattice.files.v1.CollectBlobsRequest request,
        io.grpc.stub.StreamObserver<dev.lattice.files.v1.CollectBlobsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCollectBlobsMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service NativeFilesService.
   * <pre>
   * Keeps native files, lends them to people, and edits them through their app.
   * Five writes are governed by the app's integration: UploadFile, CheckOut, ExtendCheckOut, CheckIn
   * and Edit. While it is off each is refused with NOT_ENABLED, while nobody can tell with
   * PEER_UNAVAILABLE, both before any lease is taken. Everything else goes on.
   * </pre>
   */
  public static final class NativeFilesServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<NativeFilesServiceBlockingV2Stub> {
    private NativeFilesServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected NativeFilesServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new NativeFilesServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Makes a new artifact from a file: the header, then chunks of at most 64 KiB.
     * FILE_REFUSED (metadata `guard`) when the app's guards refuse it, FILE_TOO_LARGE over the limit,
     * DIGEST_MISMATCH when the content is not what the header declares, NOT_FOUND for a format that no
     * app serves, INVALID_STATE when the id was used before. A newer copy of a file that is already
     * here is a check-in, not an upload. QUOTA_EXCEEDED (metadata `quota`) when the tenant has no room for
     * it, or as many uploads, or bytes of them, at once as it may; SLOW_PRODUCER (metadata `limit`) when the
     * next message, the first included, or the last one of all is too long in coming. Nothing is kept then.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<dev.lattice.files.v1.UploadFileRequest, dev.lattice.files.v1.UploadFileResponse>
        uploadFile() {
      return io.grpc.stub.ClientCalls.blockingClientStreamingCall(
          getChannel(), getUploadFileMethod(), getCallOptions());
    }

    /**
     * <pre>
     * Streams the bytes of a file at its current version or at a named one: the header, then chunks.
     * QUOTA_EXCEEDED (metadata `quota`) when the tenant has as many downloads at once as it may;
     * SLOW_CONSUMER (metadata `limit`) when a message, or all of them, are too long in being taken.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.lattice.files.v1.DownloadFileResponse>
        downloadFile(dev.lattice.files.v1.DownloadFileRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getDownloadFileMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Checks a native file out to the caller, who alone may write it until `expire_time`. People only.
     * ARTIFACT_BUSY, with holder and end, while another lease lives. After any refusal no lease of this
     * call exists. It appends nothing to the feed.
     * </pre>
     */
    public dev.lattice.files.v1.CheckOutResponse checkOut(dev.lattice.files.v1.CheckOutRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCheckOutMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets the end of a check-out to now and the check-out time, at most 8 hours after it began.
     * LEASE_EXPIRED when it has ended, ARTIFACT_BUSY when somebody else holds the file.
     * </pre>
     */
    public dev.lattice.files.v1.ExtendCheckOutResponse extendCheckOut(dev.lattice.files.v1.ExtendCheckOutRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getExtendCheckOutMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Makes the caller's copy the newest version and ends the check-out in the same commit.
     * Identical bytes make no version and only end it. A lapsed check-out is still taken within 24
     * hours of its end, while no later lease was given out and the file is unchanged. Otherwise
     * LEASE_EXPIRED, ARTIFACT_BUSY or VERSION_CONFLICT; the other refusals are those of UploadFile.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<dev.lattice.files.v1.CheckInRequest, dev.lattice.files.v1.CheckInResponse>
        checkIn() {
      return io.grpc.stub.ClientCalls.blockingClientStreamingCall(
          getChannel(), getCheckInMethod(), getCallOptions());
    }

    /**
     * <pre>
     * Ends one's own check-out without a new version, by its token or as its holder. Repeating is harmless.
     * FORBIDDEN to whoever could not check out either.
     * </pre>
     */
    public dev.lattice.files.v1.ReleaseCheckOutResponse releaseCheckOut(dev.lattice.files.v1.ReleaseCheckOutRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReleaseCheckOutMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ends somebody else's check-out, also one that lapsed; its token is worth nothing afterwards.
     * Administrators only, and also while the app is off. It is on record: see ListBrokenCheckOuts.
     * </pre>
     */
    public dev.lattice.files.v1.BreakCheckOutResponse breakCheckOut(dev.lattice.files.v1.BreakCheckOutRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBreakCheckOutMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the check-outs of a workspace that were broken, oldest first. Administrators only.
     * </pre>
     */
    public dev.lattice.files.v1.ListBrokenCheckOutsResponse listBrokenCheckOuts(dev.lattice.files.v1.ListBrokenCheckOutsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListBrokenCheckOutsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says who holds a native file, and until when.
     * </pre>
     */
    public dev.lattice.files.v1.GetLeaseResponse getLease(dev.lattice.files.v1.GetLeaseRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetLeaseMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the live check-outs of a workspace, oldest first.
     * </pre>
     */
    public dev.lattice.files.v1.ListCheckOutsResponse listCheckOuts(dev.lattice.files.v1.ListCheckOutsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListCheckOutsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies a batch of app commands to the current version, all or nothing.
     * VERSION_CONFLICT on another version, before the app runs. ARTIFACT_BUSY with the kind of the
     * lease while one lives. APP_REFUSED (metadata `index`, `command`, `why`) when a command cannot be
     * applied or nothing would change; APP_TIMEOUT, APP_CRASHED, FILE_TOO_LARGE when the app fails.
     * After every refusal nothing is changed, queued or held. May become a proposal by policy.
     * </pre>
     */
    public dev.lattice.files.v1.EditResponse edit(dev.lattice.files.v1.EditRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getEditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lets the app apply a batch and says what would change; nothing is stored, queued or held.
     * Refused as Edit would be now: by the integration's switch, by the caller's rights, while a lease
     * lives, on another version, and for the reasons of the app. Whether Edit would apply the batch or
     * propose it is not said.
     * </pre>
     */
    public dev.lattice.files.v1.PreviewEditResponse previewEdit(dev.lattice.files.v1.PreviewEditRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPreviewEditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says whether the app of native files is on in a workspace, and which kinds it governs.
     * </pre>
     */
    public dev.lattice.files.v1.GetAppStatusResponse getAppStatus(dev.lattice.files.v1.GetAppStatusRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetAppStatusMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads the words of a file as plain text, from a character on.
     * </pre>
     */
    public dev.lattice.files.v1.ReadTextResponse readText(dev.lattice.files.v1.ReadTextRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReadTextMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads the comments, tracked changes and external targets of a file, from an item on.
     * </pre>
     */
    public dev.lattice.files.v1.ReadReviewResponse readReview(dev.lattice.files.v1.ReadReviewRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReadReviewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds commands of a file's app by plain words, best first.
     * </pre>
     */
    public dev.lattice.files.v1.FindCommandsResponse findCommands(dev.lattice.files.v1.FindCommandsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getFindCommandsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Renders one page of a file as a PNG image. PAGE_OUT_OF_RANGE with metadata `count` beyond the last.
     * </pre>
     */
    public dev.lattice.files.v1.RenderPageResponse renderPage(dev.lattice.files.v1.RenderPageRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRenderPageMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Deletes blobs that nothing references any more and that nobody touched for the grace period.
     * Administrators only. Idempotent, safe beside writes, and runs whatever the switch says.
     * INVALID_STATE while another collection of the workspace runs; PEER_UNAVAILABLE when the blob store
     * is out of reach or too slow. What was deleted before a failure stays deleted; a repeat goes on.
     * </pre>
     */
    public dev.lattice.files.v1.CollectBlobsResponse collectBlobs(dev.lattice.files.v1.CollectBlobsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCollectBlobsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service NativeFilesService.
   * <pre>
   * Keeps native files, lends them to people, and edits them through their app.
   * Five writes are governed by the app's integration: UploadFile, CheckOut, ExtendCheckOut, CheckIn
   * and Edit. While it is off each is refused with NOT_ENABLED, while nobody can tell with
   * PEER_UNAVAILABLE, both before any lease is taken. Everything else goes on.
   * </pre>
   */
  public static final class NativeFilesServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<NativeFilesServiceBlockingStub> {
    private NativeFilesServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected NativeFilesServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new NativeFilesServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Streams the bytes of a file at its current version or at a named one: the header, then chunks.
     * QUOTA_EXCEEDED (metadata `quota`) when the tenant has as many downloads at once as it may;
     * SLOW_CONSUMER (metadata `limit`) when a message, or all of them, are too long in being taken.
     * </pre>
     */
    public java.util.Iterator<dev.lattice.files.v1.DownloadFileResponse> downloadFile(
        dev.lattice.files.v1.DownloadFileRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getDownloadFileMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Checks a native file out to the caller, who alone may write it until `expire_time`. People only.
     * ARTIFACT_BUSY, with holder and end, while another lease lives. After any refusal no lease of this
     * call exists. It appends nothing to the feed.
     * </pre>
     */
    public dev.lattice.files.v1.CheckOutResponse checkOut(dev.lattice.files.v1.CheckOutRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCheckOutMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets the end of a check-out to now and the check-out time, at most 8 hours after it began.
     * LEASE_EXPIRED when it has ended, ARTIFACT_BUSY when somebody else holds the file.
     * </pre>
     */
    public dev.lattice.files.v1.ExtendCheckOutResponse extendCheckOut(dev.lattice.files.v1.ExtendCheckOutRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getExtendCheckOutMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ends one's own check-out without a new version, by its token or as its holder. Repeating is harmless.
     * FORBIDDEN to whoever could not check out either.
     * </pre>
     */
    public dev.lattice.files.v1.ReleaseCheckOutResponse releaseCheckOut(dev.lattice.files.v1.ReleaseCheckOutRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReleaseCheckOutMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ends somebody else's check-out, also one that lapsed; its token is worth nothing afterwards.
     * Administrators only, and also while the app is off. It is on record: see ListBrokenCheckOuts.
     * </pre>
     */
    public dev.lattice.files.v1.BreakCheckOutResponse breakCheckOut(dev.lattice.files.v1.BreakCheckOutRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBreakCheckOutMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the check-outs of a workspace that were broken, oldest first. Administrators only.
     * </pre>
     */
    public dev.lattice.files.v1.ListBrokenCheckOutsResponse listBrokenCheckOuts(dev.lattice.files.v1.ListBrokenCheckOutsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListBrokenCheckOutsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says who holds a native file, and until when.
     * </pre>
     */
    public dev.lattice.files.v1.GetLeaseResponse getLease(dev.lattice.files.v1.GetLeaseRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetLeaseMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the live check-outs of a workspace, oldest first.
     * </pre>
     */
    public dev.lattice.files.v1.ListCheckOutsResponse listCheckOuts(dev.lattice.files.v1.ListCheckOutsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListCheckOutsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies a batch of app commands to the current version, all or nothing.
     * VERSION_CONFLICT on another version, before the app runs. ARTIFACT_BUSY with the kind of the
     * lease while one lives. APP_REFUSED (metadata `index`, `command`, `why`) when a command cannot be
     * applied or nothing would change; APP_TIMEOUT, APP_CRASHED, FILE_TOO_LARGE when the app fails.
     * After every refusal nothing is changed, queued or held. May become a proposal by policy.
     * </pre>
     */
    public dev.lattice.files.v1.EditResponse edit(dev.lattice.files.v1.EditRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getEditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lets the app apply a batch and says what would change; nothing is stored, queued or held.
     * Refused as Edit would be now: by the integration's switch, by the caller's rights, while a lease
     * lives, on another version, and for the reasons of the app. Whether Edit would apply the batch or
     * propose it is not said.
     * </pre>
     */
    public dev.lattice.files.v1.PreviewEditResponse previewEdit(dev.lattice.files.v1.PreviewEditRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPreviewEditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says whether the app of native files is on in a workspace, and which kinds it governs.
     * </pre>
     */
    public dev.lattice.files.v1.GetAppStatusResponse getAppStatus(dev.lattice.files.v1.GetAppStatusRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetAppStatusMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads the words of a file as plain text, from a character on.
     * </pre>
     */
    public dev.lattice.files.v1.ReadTextResponse readText(dev.lattice.files.v1.ReadTextRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReadTextMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads the comments, tracked changes and external targets of a file, from an item on.
     * </pre>
     */
    public dev.lattice.files.v1.ReadReviewResponse readReview(dev.lattice.files.v1.ReadReviewRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReadReviewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds commands of a file's app by plain words, best first.
     * </pre>
     */
    public dev.lattice.files.v1.FindCommandsResponse findCommands(dev.lattice.files.v1.FindCommandsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getFindCommandsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Renders one page of a file as a PNG image. PAGE_OUT_OF_RANGE with metadata `count` beyond the last.
     * </pre>
     */
    public dev.lattice.files.v1.RenderPageResponse renderPage(dev.lattice.files.v1.RenderPageRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRenderPageMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Deletes blobs that nothing references any more and that nobody touched for the grace period.
     * Administrators only. Idempotent, safe beside writes, and runs whatever the switch says.
     * INVALID_STATE while another collection of the workspace runs; PEER_UNAVAILABLE when the blob store
     * is out of reach or too slow. What was deleted before a failure stays deleted; a repeat goes on.
     * </pre>
     */
    public dev.lattice.files.v1.CollectBlobsResponse collectBlobs(dev.lattice.files.v1.CollectBlobsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCollectBlobsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service NativeFilesService.
   * <pre>
   * Keeps native files, lends them to people, and edits them through their app.
   * Five writes are governed by the app's integration: UploadFile, CheckOut, ExtendCheckOut, CheckIn
   * and Edit. While it is off each is refused with NOT_ENABLED, while nobody can tell with
   * PEER_UNAVAILABLE, both before any lease is taken. Everything else goes on.
   * </pre>
   */
  public static final class NativeFilesServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<NativeFilesServiceFutureStub> {
    private NativeFilesServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected NativeFilesServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new NativeFilesServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Checks a native file out to the caller, who alone may write it until `expire_time`. People only.
     * ARTIFACT_BUSY, with holder and end, while another lease lives. After any refusal no lease of this
     * call exists. It appends nothing to the feed.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.CheckOutResponse> checkOut(
        dev.lattice.files.v1.CheckOutRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCheckOutMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Sets the end of a check-out to now and the check-out time, at most 8 hours after it began.
     * LEASE_EXPIRED when it has ended, ARTIFACT_BUSY when somebody else holds the file.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ExtendCheckOutResponse> extendCheckOut(
        dev.lattice.files.v1.ExtendCheckOutRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getExtendCheckOutMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Ends one's own check-out without a new version, by its token or as its holder. Repeating is harmless.
     * FORBIDDEN to whoever could not check out either.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ReleaseCheckOutResponse> releaseCheckOut(
        dev.lattice.files.v1.ReleaseCheckOutRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReleaseCheckOutMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Ends somebody else's check-out, also one that lapsed; its token is worth nothing afterwards.
     * Administrators only, and also while the app is off. It is on record: see ListBrokenCheckOuts.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.BreakCheckOutResponse> breakCheckOut(
        dev.lattice.files.v1.BreakCheckOutRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBreakCheckOutMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the check-outs of a workspace that were broken, oldest first. Administrators only.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ListBrokenCheckOutsResponse> listBrokenCheckOuts(
        dev.lattice.files.v1.ListBrokenCheckOutsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListBrokenCheckOutsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Says who holds a native file, and until when.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.GetLeaseResponse> getLease(
        dev.lattice.files.v1.GetLeaseRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetLeaseMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the live check-outs of a workspace, oldest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ListCheckOutsResponse> listCheckOuts(
        dev.lattice.files.v1.ListCheckOutsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListCheckOutsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Applies a batch of app commands to the current version, all or nothing.
     * VERSION_CONFLICT on another version, before the app runs. ARTIFACT_BUSY with the kind of the
     * lease while one lives. APP_REFUSED (metadata `index`, `command`, `why`) when a command cannot be
     * applied or nothing would change; APP_TIMEOUT, APP_CRASHED, FILE_TOO_LARGE when the app fails.
     * After every refusal nothing is changed, queued or held. May become a proposal by policy.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.EditResponse> edit(
        dev.lattice.files.v1.EditRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getEditMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lets the app apply a batch and says what would change; nothing is stored, queued or held.
     * Refused as Edit would be now: by the integration's switch, by the caller's rights, while a lease
     * lives, on another version, and for the reasons of the app. Whether Edit would apply the batch or
     * propose it is not said.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.PreviewEditResponse> previewEdit(
        dev.lattice.files.v1.PreviewEditRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPreviewEditMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Says whether the app of native files is on in a workspace, and which kinds it governs.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.GetAppStatusResponse> getAppStatus(
        dev.lattice.files.v1.GetAppStatusRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetAppStatusMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reads the words of a file as plain text, from a character on.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ReadTextResponse> readText(
        dev.lattice.files.v1.ReadTextRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReadTextMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reads the comments, tracked changes and external targets of a file, from an item on.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.ReadReviewResponse> readReview(
        dev.lattice.files.v1.ReadReviewRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReadReviewMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Finds commands of a file's app by plain words, best first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.FindCommandsResponse> findCommands(
        dev.lattice.files.v1.FindCommandsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getFindCommandsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Renders one page of a file as a PNG image. PAGE_OUT_OF_RANGE with metadata `count` beyond the last.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.RenderPageResponse> renderPage(
        dev.lattice.files.v1.RenderPageRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRenderPageMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Deletes blobs that nothing references any more and that nobody touched for the grace period.
     * Administrators only. Idempotent, safe beside writes, and runs whatever the switch says.
     * INVALID_STATE while another collection of the workspace runs; PEER_UNAVAILABLE when the blob store
     * is out of reach or too slow. What was deleted before a failure stays deleted; a repeat goes on.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.lattice.files.v1.CollectBlobsResponse> collectBlobs(
        dev.lattice.files.v1.CollectBlobsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCollectBlobsMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_DOWNLOAD_FILE = 0;
  private static final int METHODID_CHECK_OUT = 1;
  private static final int METHODID_EXTEND_CHECK_OUT = 2;
  private static final int METHODID_RELEASE_CHECK_OUT = 3;
  private static final int METHODID_BREAK_CHECK_OUT = 4;
  private static final int METHODID_LIST_BROKEN_CHECK_OUTS = 5;
  private static final int METHODID_GET_LEASE = 6;
  private static final int METHODID_LIST_CHECK_OUTS = 7;
  private static final int METHODID_EDIT = 8;
  private static final int METHODID_PREVIEW_EDIT = 9;
  private static final int METHODID_GET_APP_STATUS = 10;
  private static final int METHODID_READ_TEXT = 11;
  private static final int METHODID_READ_REVIEW = 12;
  private static final int METHODID_FIND_COMMANDS = 13;
  private static final int METHODID_RENDER_PAGE = 14;
  private static final int METHODID_COLLECT_BLOBS = 15;
  private static final int METHODID_UPLOAD_FILE = 16;
  private static final int METHODID_CHECK_IN = 17;

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
        case METHODID_DOWNLOAD_FILE:
          serviceImpl.downloadFile((dev.lattice.files.v1.DownloadFileRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.DownloadFileResponse>) responseObserver);
          break;
        case METHODID_CHECK_OUT:
          serviceImpl.checkOut((dev.lattice.files.v1.CheckOutRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.CheckOutResponse>) responseObserver);
          break;
        case METHODID_EXTEND_CHECK_OUT:
          serviceImpl.extendCheckOut((dev.lattice.files.v1.ExtendCheckOutRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ExtendCheckOutResponse>) responseObserver);
          break;
        case METHODID_RELEASE_CHECK_OUT:
          serviceImpl.releaseCheckOut((dev.lattice.files.v1.ReleaseCheckOutRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReleaseCheckOutResponse>) responseObserver);
          break;
        case METHODID_BREAK_CHECK_OUT:
          serviceImpl.breakCheckOut((dev.lattice.files.v1.BreakCheckOutRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.BreakCheckOutResponse>) responseObserver);
          break;
        case METHODID_LIST_BROKEN_CHECK_OUTS:
          serviceImpl.listBrokenCheckOuts((dev.lattice.files.v1.ListBrokenCheckOutsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListBrokenCheckOutsResponse>) responseObserver);
          break;
        case METHODID_GET_LEASE:
          serviceImpl.getLease((dev.lattice.files.v1.GetLeaseRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetLeaseResponse>) responseObserver);
          break;
        case METHODID_LIST_CHECK_OUTS:
          serviceImpl.listCheckOuts((dev.lattice.files.v1.ListCheckOutsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ListCheckOutsResponse>) responseObserver);
          break;
        case METHODID_EDIT:
          serviceImpl.edit((dev.lattice.files.v1.EditRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.EditResponse>) responseObserver);
          break;
        case METHODID_PREVIEW_EDIT:
          serviceImpl.previewEdit((dev.lattice.files.v1.PreviewEditRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.PreviewEditResponse>) responseObserver);
          break;
        case METHODID_GET_APP_STATUS:
          serviceImpl.getAppStatus((dev.lattice.files.v1.GetAppStatusRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.GetAppStatusResponse>) responseObserver);
          break;
        case METHODID_READ_TEXT:
          serviceImpl.readText((dev.lattice.files.v1.ReadTextRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReadTextResponse>) responseObserver);
          break;
        case METHODID_READ_REVIEW:
          serviceImpl.readReview((dev.lattice.files.v1.ReadReviewRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.ReadReviewResponse>) responseObserver);
          break;
        case METHODID_FIND_COMMANDS:
          serviceImpl.findCommands((dev.lattice.files.v1.FindCommandsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.FindCommandsResponse>) responseObserver);
          break;
        case METHODID_RENDER_PAGE:
          serviceImpl.renderPage((dev.lattice.files.v1.RenderPageRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.RenderPageResponse>) responseObserver);
          break;
        case METHODID_COLLECT_BLOBS:
          serviceImpl.collectBlobs((dev.lattice.files.v1.CollectBlobsRequest) request,
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.CollectBlobsResponse>) responseObserver);
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
        case METHODID_UPLOAD_FILE:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.uploadFile(
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.UploadFileResponse>) responseObserver);
        case METHODID_CHECK_IN:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.checkIn(
              (io.grpc.stub.StreamObserver<dev.lattice.files.v1.CheckInResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getUploadFileMethod(),
          io.grpc.stub.ServerCalls.asyncClientStreamingCall(
            new MethodHandlers<
              dev.lattice.files.v1.UploadFileRequest,
              dev.lattice.files.v1.UploadFileResponse>(
                service, METHODID_UPLOAD_FILE)))
        .addMethod(
          getDownloadFileMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.lattice.files.v1.DownloadFileRequest,
              dev.lattice.files.v1.DownloadFileResponse>(
                service, METHODID_DOWNLOAD_FILE)))
        .addMethod(
          getCheckOutMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.CheckOutRequest,
              dev.lattice.files.v1.CheckOutResponse>(
                service, METHODID_CHECK_OUT)))
        .addMethod(
          getExtendCheckOutMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ExtendCheckOutRequest,
              dev.lattice.files.v1.ExtendCheckOutResponse>(
                service, METHODID_EXTEND_CHECK_OUT)))
        .addMethod(
          getCheckInMethod(),
          io.grpc.stub.ServerCalls.asyncClientStreamingCall(
            new MethodHandlers<
              dev.lattice.files.v1.CheckInRequest,
              dev.lattice.files.v1.CheckInResponse>(
                service, METHODID_CHECK_IN)))
        .addMethod(
          getReleaseCheckOutMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ReleaseCheckOutRequest,
              dev.lattice.files.v1.ReleaseCheckOutResponse>(
                service, METHODID_RELEASE_CHECK_OUT)))
        .addMethod(
          getBreakCheckOutMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.BreakCheckOutRequest,
              dev.lattice.files.v1.BreakCheckOutResponse>(
                service, METHODID_BREAK_CHECK_OUT)))
        .addMethod(
          getListBrokenCheckOutsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ListBrokenCheckOutsRequest,
              dev.lattice.files.v1.ListBrokenCheckOutsResponse>(
                service, METHODID_LIST_BROKEN_CHECK_OUTS)))
        .addMethod(
          getGetLeaseMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.GetLeaseRequest,
              dev.lattice.files.v1.GetLeaseResponse>(
                service, METHODID_GET_LEASE)))
        .addMethod(
          getListCheckOutsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ListCheckOutsRequest,
              dev.lattice.files.v1.ListCheckOutsResponse>(
                service, METHODID_LIST_CHECK_OUTS)))
        .addMethod(
          getEditMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.EditRequest,
              dev.lattice.files.v1.EditResponse>(
                service, METHODID_EDIT)))
        .addMethod(
          getPreviewEditMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.PreviewEditRequest,
              dev.lattice.files.v1.PreviewEditResponse>(
                service, METHODID_PREVIEW_EDIT)))
        .addMethod(
          getGetAppStatusMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.GetAppStatusRequest,
              dev.lattice.files.v1.GetAppStatusResponse>(
                service, METHODID_GET_APP_STATUS)))
        .addMethod(
          getReadTextMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ReadTextRequest,
              dev.lattice.files.v1.ReadTextResponse>(
                service, METHODID_READ_TEXT)))
        .addMethod(
          getReadReviewMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.ReadReviewRequest,
              dev.lattice.files.v1.ReadReviewResponse>(
                service, METHODID_READ_REVIEW)))
        .addMethod(
          getFindCommandsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.FindCommandsRequest,
              dev.lattice.files.v1.FindCommandsResponse>(
                service, METHODID_FIND_COMMANDS)))
        .addMethod(
          getRenderPageMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.RenderPageRequest,
              dev.lattice.files.v1.RenderPageResponse>(
                service, METHODID_RENDER_PAGE)))
        .addMethod(
          getCollectBlobsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.lattice.files.v1.CollectBlobsRequest,
              dev.lattice.files.v1.CollectBlobsResponse>(
                service, METHODID_COLLECT_BLOBS)))
        .build();
  }

  private static abstract class NativeFilesServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    NativeFilesServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.lattice.files.v1.NativeFilesServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("NativeFilesService");
    }
  }

  private static final class NativeFilesServiceFileDescriptorSupplier
      extends NativeFilesServiceBaseDescriptorSupplier {
    NativeFilesServiceFileDescriptorSupplier() {}
  }

  private static final class NativeFilesServiceMethodDescriptorSupplier
      extends NativeFilesServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    NativeFilesServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (NativeFilesServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new NativeFilesServiceFileDescriptorSupplier())
              .addMethod(getUploadFileMethod())
              .addMethod(getDownloadFileMethod())
              .addMethod(getCheckOutMethod())
              .addMethod(getExtendCheckOutMethod())
              .addMethod(getCheckInMethod())
              .addMethod(getReleaseCheckOutMethod())
              .addMethod(getBreakCheckOutMethod())
              .addMethod(getListBrokenCheckOutsMethod())
              .addMethod(getGetLeaseMethod())
              .addMethod(getListCheckOutsMethod())
              .addMethod(getEditMethod())
              .addMethod(getPreviewEditMethod())
              .addMethod(getGetAppStatusMethod())
              .addMethod(getReadTextMethod())
              .addMethod(getReadReviewMethod())
              .addMethod(getFindCommandsMethod())
              .addMethod(getRenderPageMethod())
              .addMethod(getCollectBlobsMethod())
              .build();
        }
      }
    }
    return result;
  }
}
