package dev.lattice.example;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.annotations.SerializedName;
import com.google.rpc.ErrorInfo;
import dev.lattice.files.v1.AppCommand;
import dev.lattice.files.v1.Change;
import dev.lattice.files.v1.ChangesServiceGrpc;
import dev.lattice.files.v1.CheckInHeader;
import dev.lattice.files.v1.CheckOutRequest;
import dev.lattice.files.v1.EditRequest;
import dev.lattice.files.v1.NativeFilesServiceGrpc;
import dev.lattice.files.v1.NativeFilesServiceGrpc.NativeFilesServiceBlockingV2Stub;
import dev.lattice.files.v1.Outcome;
import dev.lattice.files.v1.ReleaseCheckOutRequest;
import dev.lattice.files.v1.WriteContext;
import dev.lattice.integrations.v1.CheckEnabledRequest;
import dev.lattice.integrations.v1.IntegrationsServiceGrpc;
import dev.lattice.integrations.v1.IntegrationsServiceGrpc.IntegrationsServiceBlockingV2Stub;
import dev.lattice.integrations.v1.SetEnabledRequest;
import io.grpc.StatusException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Plays a scenario, such as examples/clients/scenario.json, and prints what happened, a line for each thing.
 *
 * <p>Where Lattice is, is told by the environment: LATTICE_FILES and LATTICE_INTEGRATIONS name addresses, LATTICE_TLS the
 * folder of the certificates, LATTICE_WORKSPACE the workspace, and LATTICE_TOKEN_ALICE and so on hold a token each.
 */
public final class Scenario {
    private static final String WORKSPACE = System.getenv("LATTICE_WORKSPACE");

    private final Path folder;
    private final List<Step> steps;
    private final Map<String, Person> people = new HashMap<>();
    private final Map<String, String> artifacts = new HashMap<>();
    private final Map<String, String> requests = new HashMap<>();

    /** One thing that somebody does; which fields there are depends on what it is. */
    private static final class Step {
        @SerializedName("do")
        String what;

        @SerializedName("for")
        String waitsFor;

        @SerializedName("base_version")
        long baseVersion;

        String by;
        String document;
        String file;
        String summary;
        String command;
        JsonObject arguments;
        String request;
        String integration;
        boolean on;
        String reason;
        long until;
        List<String> tells = List.of();
    }

    private static final class Steps {
        List<Step> steps;
    }

    /** Somebody with a token, and what they hold. */
    private static final class Person {
        final NativeFilesServiceBlockingV2Stub files;
        final IntegrationsServiceBlockingV2Stub integrations;
        final Watch watch;
        long seen;
        long checkOutToken;

        Person(String name) {
            try {
                String token = System.getenv("LATTICE_TOKEN_" + name.toUpperCase());
                Path tls = Path.of(System.getenv("LATTICE_TLS"));
                var channel = Client.connect(System.getenv("LATTICE_FILES"), token, tls);
                files = NativeFilesServiceGrpc.newBlockingV2Stub(channel);
                watch = new Watch(ChangesServiceGrpc.newBlockingV2Stub(channel), WORKSPACE, null);
                integrations = IntegrationsServiceGrpc.newBlockingV2Stub(
                        Client.connect(System.getenv("LATTICE_INTEGRATIONS"), token, tls));
            } catch (IOException missing) {
                throw new IllegalStateException(missing);
            }
        }

        NativeFilesServiceBlockingV2Stub files() {
            return files.withDeadlineAfter(Client.DEADLINE, TimeUnit.SECONDS);
        }

        IntegrationsServiceBlockingV2Stub integrations() {
            return integrations.withDeadlineAfter(Client.DEADLINE, TimeUnit.SECONDS);
        }
    }

    private Scenario(Path file) throws IOException {
        folder = file.getParent();
        steps = new Gson().fromJson(Files.readString(file), Steps.class).steps;
    }

    /** Plays the scenario that the first argument names. */
    public static void main(String[] arguments) throws Exception {
        new Scenario(Path.of(arguments[0])).play();
        System.exit(0); // the connections of those who watch are still open
    }

    private void play() throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (Step step : steps) {
            if (step.what.equals("wait")) {
                System.out.println("-- " + step.waitsFor);
                input.readLine();
                continue;
            }
            try {
                take(step, people.computeIfAbsent(step.by, Person::new));
            } catch (StatusException error) {
                ErrorInfo refusal = Client.refusalOf(error).orElseThrow(() -> error);
                var text = new StringBuilder("refused, ").append(refusal.getReason());
                for (String key : step.tells) {
                    text.append(", %s %s".formatted(key, refusal.getMetadataMap().get(key)));
                }
                tell(step, text.toString());
            }
        }
    }

    private void take(Step step, Person by) throws Exception {
        switch (step.what) {
            case "upload" -> tell(step, upload(step, by));
            case "check_out" -> tell(step, checkOut(step, by));
            case "cancel_check_out" -> tell(step, cancelCheckOut(step, by));
            case "check_in" -> tell(step, checkIn(step, by));
            case "edit" -> tell(step, edit(step, by));
            case "switch" -> tell(step, turn(step, by));
            case "watch" -> readOn(step, by);
            default -> throw new IllegalArgumentException(step.what);
        }
    }

    private String upload(Step step, Person by) throws Exception {
        Path file = folder.resolve(step.file);
        byte[] content = Files.readAllBytes(file);
        Outcome outcome =
                Client.upload(by.files, WORKSPACE, file.getFileName().toString(), content, Client.newId());
        artifacts.put(step.document, outcome.getApplied().getArtifactId());
        return told(outcome);
    }

    private String checkOut(Step step, Person by) throws StatusException {
        var request = CheckOutRequest.newBuilder().setName(nameOf(step)).setRequestId(Client.newId());
        var checkOut = by.files().checkOut(request.build()).getCheckOut();
        by.checkOutToken = checkOut.getToken();
        return "version " + checkOut.getBaseVersion();
    }

    private String cancelCheckOut(Step step, Person by) throws StatusException {
        var request = ReleaseCheckOutRequest.newBuilder().setName(nameOf(step)).setToken(by.checkOutToken);
        return by.files().releaseCheckOut(request.build()).getReleased() ? "done" : "nothing";
    }

    private String checkIn(Step step, Person by) throws Exception {
        var header = CheckInHeader.newBuilder()
                .setName(nameOf(step))
                .setToken(by.checkOutToken)
                .setSummary(step.summary)
                .setRequestId(Client.newId());
        return told(Client.checkIn(by.files, header.build(), Files.readAllBytes(folder.resolve(step.file))));
    }

    private String edit(Step step, Person by) throws StatusException {
        String requestId = requests.computeIfAbsent(step.request, it -> Client.newId());
        // region edit
        var request = EditRequest.newBuilder()
                .setName(nameOf(step))
                .setBaseVersion(step.baseVersion)
                .addCommands(AppCommand.newBuilder()
                        .setCommand(step.command)
                        .setArgumentsJson(step.arguments.toString()))
                .setSummary(step.summary)
                // Chosen once for what is meant to happen once: whoever asks again, gRPC or you, asks with the same id.
                .setContext(WriteContext.newBuilder().setRequestId(requestId));
        Outcome outcome = by.files().edit(request.build()).getOutcome();
        // endregion
        return told(outcome);
    }

    /** Switches an integration, from whatever revision it is at. */
    private String turn(Step step, Person by) throws StatusException {
        var check = CheckEnabledRequest.newBuilder().setWorkspace(WORKSPACE).setKey(step.integration);
        long revision = by.integrations().checkEnabled(check.build()).getRevision();
        var request = SetEnabledRequest.newBuilder()
                .setWorkspace(WORKSPACE)
                .setKey(step.integration)
                .setEnabled(step.on)
                .setExpectedRevision(revision)
                .setReason(step.reason)
                .setRequestId(Client.newId());
        boolean enabled = by.integrations().setEnabled(request.build()).getSwitch().getEnabled();
        return step.integration + " is " + (enabled ? "on" : "off");
    }

    /** Reads the changes until the one that the step names. */
    private void readOn(Step step, Person by) throws StatusException, InterruptedException {
        int cuts = by.watch.cuts();
        while (by.seen < step.until) {
            Change change = by.watch.next();
            if (by.watch.cuts() > cuts) {
                tell(step, "was cut off, goes on after change " + by.seen);
                cuts = by.watch.cuts();
            }
            by.seen = change.getChangeSequence();
            tell(step, toldOf(change));
        }
    }

    /** A change in words, with the documents' names in this scenario. */
    private String toldOf(Change change) {
        boolean created = change.hasArtifactCreated();
        String id = created
                ? change.getArtifactCreated().getArtifactId()
                : change.getArtifactChanged().getArtifactId();
        long version = created
                ? change.getArtifactCreated().getVersion()
                : change.getArtifactChanged().getVersion();
        String document = artifacts.entrySet().stream()
                .filter(it -> it.getValue().equals(id))
                .findFirst()
                .orElseThrow()
                .getKey();
        return "change %d, artifact %s, %s version %d by %s"
                .formatted(
                        change.getChangeSequence(),
                        created ? "created" : "changed",
                        document,
                        version,
                        change.getActor().getUser().getId());
    }

    private String nameOf(Step step) {
        return WORKSPACE + "/artifacts/" + artifacts.get(step.document);
    }

    private static String told(Outcome outcome) {
        return "version %d, change %d".formatted(outcome.getApplied().getVersion(), outcome.getChangeSequence());
    }

    private static void tell(Step step, String line) {
        System.out.println(step.by + ": " + step.what.replace('_', ' ') + ": " + line);
    }
}
