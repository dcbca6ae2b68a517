package dev.lattice.example;

import com.google.gson.Gson;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import dev.lattice.files.v1.CheckInHeader;
import dev.lattice.files.v1.CheckInRequest;
import dev.lattice.files.v1.NativeFilesServiceGrpc.NativeFilesServiceBlockingV2Stub;
import dev.lattice.files.v1.Outcome;
import dev.lattice.files.v1.UploadFileRequest;
import dev.lattice.files.v1.UploadHeader;
import dev.lattice.files.v1.WriteContext;
import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.CompositeChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusException;
import io.grpc.TlsChannelCredentials;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** What a client of Lattice needs in Java: the connection, streams of content, and refusals. */
final class Client {
    private static final int CHUNK = 64 * 1024;

    /** Seconds for one call, its repeats included. */
    static final int DEADLINE = 60;

    private Client() {}

    // region connect
    /** A channel on which every call carries the token; what may be repeated is, while a service is away. */
    static ManagedChannel connect(String address, String token, Path tls) throws IOException {
        ChannelCredentials transport = TlsChannelCredentials.newBuilder()
                .trustManager(tls.resolve("ca.pem").toFile())
                // Where the deployment asks clients for a certificate.
                .keyManager(tls.resolve("certificate.pem").toFile(), tls.resolve("key.pem").toFile())
                .build();
        return Grpc.newChannelBuilder(address, CompositeChannelCredentials.create(transport, new Bearer(token)))
                .defaultServiceConfig(retryPolicy())
                .build();
    }

    /** What the package of the contracts ships. */
    @SuppressWarnings("unchecked")
    private static Map<String, ?> retryPolicy() throws IOException {
        try (InputStream shipped = Client.class.getResourceAsStream("/lattice/service_config.json")) {
            return new Gson().fromJson(new InputStreamReader(shipped), Map.class);
        }
    }

    /** Sends a token with every call. */
    private static final class Bearer extends CallCredentials {
        private final Metadata headers = new Metadata();

        Bearer(String token) {
            headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        }

        @Override
        public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
            applier.apply(headers);
        }
    }

    // endregion

    // region upload
    /** Uploads a file as a new artifact; whoever does not know how it ended calls again with the same `requestId`. */
    static Outcome upload(
            NativeFilesServiceBlockingV2Stub files, String workspace, String fileName, byte[] content, String requestId)
            throws StatusException, InterruptedException {
        var call = files.withDeadlineAfter(DEADLINE, TimeUnit.SECONDS).uploadFile();
        call.write(UploadFileRequest.newBuilder()
                .setHeader(UploadHeader.newBuilder()
                        .setWorkspace(workspace)
                        .setFileName(fileName)
                        .setSize(content.length)
                        .setSha256(sha256(content))
                        .setContext(WriteContext.newBuilder().setRequestId(requestId)))
                .build());
        for (int start = 0; start < content.length; start += CHUNK) {
            call.write(UploadFileRequest.newBuilder().setChunk(chunk(content, start)).build());
        }
        call.halfClose();
        return call.read().getOutcome();
    }

    // endregion

    /** Checks a file in; its header needs neither size nor digest. */
    static Outcome checkIn(NativeFilesServiceBlockingV2Stub files, CheckInHeader header, byte[] content)
            throws StatusException, InterruptedException {
        var call = files.withDeadlineAfter(DEADLINE, TimeUnit.SECONDS).checkIn();
        var whole = header.toBuilder().setSize(content.length).setSha256(sha256(content));
        call.write(CheckInRequest.newBuilder().setHeader(whole).build());
        for (int start = 0; start < content.length; start += CHUNK) {
            call.write(CheckInRequest.newBuilder().setChunk(chunk(content, start)).build());
        }
        call.halfClose();
        return call.read().getOutcome();
    }

    // region error
    /**
     * Why a call was refused: the reason is a value of lattice.type.v1.ErrorReason without its prefix, the metadata hold
     * its values. Empty where no service answered.
     */
    static Optional<ErrorInfo> refusalOf(StatusException error) {
        try {
            for (var detail : StatusProto.fromThrowable(error).getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    return Optional.of(detail.unpack(ErrorInfo.class)).filter(it -> it.getDomain().equals("lattice"));
                }
            }
            return Optional.empty();
        } catch (InvalidProtocolBufferException malformed) {
            return Optional.empty();
        }
    }

    // endregion

    static String newId() {
        return UUID.randomUUID().toString();
    }

    private static ByteString chunk(byte[] content, int start) {
        return ByteString.copyFrom(content, start, Math.min(CHUNK, content.length - start));
    }

    private static ByteString sha256(byte[] content) {
        try {
            return ByteString.copyFrom(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java has it
        }
    }
}
