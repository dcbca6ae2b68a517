package dev.lattice.example;

import dev.lattice.files.v1.Change;
import dev.lattice.files.v1.ChangesServiceGrpc.ChangesServiceBlockingV2Stub;
import dev.lattice.files.v1.WatchChangesRequest;
import dev.lattice.files.v1.WatchChangesResponse;
import dev.lattice.type.v1.Cursor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import java.util.ArrayDeque;
import java.util.Queue;

// region watch
/** The changes of a workspace, each exactly once, over connections that are cut. */
final class Watch {
    private final ChangesServiceBlockingV2Stub changes;
    private final String workspace;
    private final Queue<Change> waiting = new ArrayDeque<>();
    private BlockingClientCall<?, WatchChangesResponse> stream;

    /** Up to where `next` has told of everything, or null. */
    private Cursor cursor;

    /** The end of what waits. */
    private Cursor reached;

    private int cuts;
    private long pause = 100;

    /** Goes on after a cursor, or begins with the first change for null. */
    Watch(ChangesServiceBlockingV2Stub changes, String workspace, Cursor cursor) {
        this.changes = changes;
        this.workspace = workspace;
        this.cursor = cursor;
    }

    /** Where it goes on. Keep it with what you made of the changes, and a restart repeats nothing either. */
    Cursor cursor() {
        return cursor;
    }

    /** How often it began anew. */
    int cuts() {
        return cuts;
    }

    /** Waits for a change. */
    Change next() throws StatusException, InterruptedException {
        while (waiting.isEmpty()) {
            try {
                if (stream == null) {
                    var request = WatchChangesRequest.newBuilder().setWorkspace(workspace);
                    if (cursor != null) {
                        request.setCursor(cursor);
                    }
                    stream = changes.watchChanges(request.build());
                }
                WatchChangesResponse message = stream.read();
                message.getCommitsList().forEach(commit -> waiting.addAll(commit.getChangesList()));
                reached = message.getCursor();
                toldAll();
                pause = 100;
            } catch (StatusException error) {
                boolean away = error.getStatus().getCode() == Status.Code.UNAVAILABLE;
                boolean slow = Client.refusalOf(error).filter(it -> it.getReason().equals("SLOW_CONSUMER")).isPresent();
                if (!away && !slow) {
                    throw error;
                }
                stream = null;
                cuts++;
                Thread.sleep(pause);
                pause = Math.min(2 * pause, 5_000);
            }
        }
        var change = waiting.remove();
        toldAll();
        return change;
    }

    private void toldAll() {
        if (waiting.isEmpty()) {
            cursor = reached;
        }
    }
}
// endregion
