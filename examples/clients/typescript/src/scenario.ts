// Plays a scenario, such as examples/clients/scenario.json, and prints what happened, a line for each thing.
//
// Where Lattice is, is told by the environment: LATTICE_FILES and LATTICE_INTEGRATIONS name addresses, LATTICE_TLS the
// folder of the certificates, LATTICE_WORKSPACE the workspace, and LATTICE_TOKEN_ALICE and so on hold a token each.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { create } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import type { Outcome } from "@lattice/protos/files/v1/artifacts_service_pb";
import { type Change, ChangesService } from "@lattice/protos/files/v1/changes_service_pb";
import { CheckInHeaderSchema, NativeFilesService } from "@lattice/protos/files/v1/native_files_service_pb";
import { IntegrationsService } from "@lattice/protos/integrations/v1/integrations_service_pb";
import { checkIn, connect, DEADLINE, refusalOf, upload, Watch } from "./client.js";

/** One thing that somebody does; which fields there are depends on `do`. */
interface Step {
  do: string;
  by: string;
  for: string;
  document: string;
  file: string;
  summary: string;
  base_version: number;
  command: string;
  arguments: object;
  request: string;
  integration: string;
  on: boolean;
  reason: string;
  until: number;
  tells?: string[];
}

function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

const workspace = environment("LATTICE_WORKSPACE");

/** Somebody with a token, and what they hold. */
class Person {
  readonly nativeFiles: Client<typeof NativeFilesService>;
  readonly integrations: Client<typeof IntegrationsService>;
  readonly watch: Watch;
  readonly changes: AsyncGenerator<Change>;
  seen = 0n;
  checkOutToken = 0n;

  constructor(name: string) {
    const token = environment(`LATTICE_TOKEN_${name.toUpperCase()}`);
    const tls = environment("LATTICE_TLS");
    const files = connect(environment("LATTICE_FILES"), token, tls);
    this.nativeFiles = createClient(NativeFilesService, files);
    this.integrations = createClient(IntegrationsService, connect(environment("LATTICE_INTEGRATIONS"), token, tls));
    this.watch = new Watch(createClient(ChangesService, files), workspace);
    this.changes = this.watch.changes();
  }
}

/** The steps, with the ids that were chosen and given. */
class Scenario {
  private readonly folder: string;
  private readonly steps: Step[];
  private readonly people = new Map<string, Person>();
  private readonly artifacts = new Map<string, string>();
  private readonly requests = new Map<string, string>();
  private readonly input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

  constructor(file: string) {
    this.folder = dirname(file);
    this.steps = JSON.parse(readFileSync(file, "utf8")).steps;
  }

  /** Takes each step, and prints what became of it. */
  async play(): Promise<void> {
    for (const step of this.steps) {
      if (step.do === "wait") {
        console.log(`-- ${step.for}`);
        await this.input.next();
        continue;
      }
      try {
        for await (const line of this.take(step, this.person(step.by))) tell(step, line);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw error;
        const values = (step.tells ?? []).map((key) => `, ${key} ${refusal.metadata[key]}`);
        tell(step, `refused, ${refusal.reason}${values.join("")}`);
      }
    }
  }

  private person(name: string): Person {
    const known = this.people.get(name) ?? new Person(name);
    this.people.set(name, known);
    return known;
  }

  /** One step; what became of it. */
  private async *take(step: Step, person: Person): AsyncIterable<string> {
    switch (step.do) {
      case "upload":
        return yield await this.upload(step, person);
      case "check_out":
        return yield await this.checkOut(step, person);
      case "cancel_check_out":
        return yield await this.cancelCheckOut(step, person);
      case "check_in":
        return yield await this.checkIn(step, person);
      case "edit":
        return yield await this.edit(step, person);
      case "switch":
        return yield await this.switch(step, person);
      case "watch":
        return yield* this.watch(step, person);
    }
  }

  private async upload(step: Step, person: Person): Promise<string> {
    const content = readFileSync(join(this.folder, step.file));
    const outcome = await upload(person.nativeFiles, workspace, basename(step.file), content, randomUUID());
    if (outcome?.result.case === "applied") this.artifacts.set(step.document, outcome.result.value.artifactId);
    return told(outcome);
  }

  private async checkOut(step: Step, person: Person): Promise<string> {
    const request = { name: this.nameOf(step), requestId: randomUUID() };
    const { checkOut } = await person.nativeFiles.checkOut(request, DEADLINE);
    person.checkOutToken = checkOut?.token ?? 0n;
    return `version ${checkOut?.baseVersion}`;
  }

  private async cancelCheckOut(step: Step, person: Person): Promise<string> {
    const request = { name: this.nameOf(step), token: person.checkOutToken };
    return (await person.nativeFiles.releaseCheckOut(request, DEADLINE)).released ? "done" : "nothing";
  }

  private async checkIn(step: Step, person: Person): Promise<string> {
    const header = create(CheckInHeaderSchema, {
      name: this.nameOf(step),
      token: person.checkOutToken,
      summary: step.summary,
      requestId: randomUUID(),
    });
    return told(await checkIn(person.nativeFiles, header, readFileSync(join(this.folder, step.file))));
  }

  private async edit(step: Step, person: Person): Promise<string> {
    const requestId = this.requests.get(step.request) ?? randomUUID();
    this.requests.set(step.request, requestId);
    // region edit
    const request = {
      name: this.nameOf(step),
      baseVersion: BigInt(step.base_version),
      commands: [{ command: step.command, argumentsJson: JSON.stringify(step.arguments) }],
      summary: step.summary,
      // Chosen once for what is meant to happen once: whoever asks again, the interceptor or you, asks with the same id.
      context: { requestId },
    };
    const { outcome } = await person.nativeFiles.edit(request, DEADLINE);
    // endregion
    return told(outcome);
  }

  /** Switches an integration, from whatever revision it is at. */
  private async switch(step: Step, person: Person): Promise<string> {
    const key = step.integration;
    const { revision } = await person.integrations.checkEnabled({ workspace, key }, DEADLINE);
    const change = { enabled: step.on, expectedRevision: revision, reason: step.reason, requestId: randomUUID() };
    const answer = await person.integrations.setEnabled({ workspace, key, ...change }, DEADLINE);
    return `${key} is ${answer.switch?.enabled ? "on" : "off"}`;
  }

  /** Reads on until a change. */
  private async *watch(step: Step, person: Person): AsyncIterable<string> {
    let cuts = person.watch.cuts;
    while (person.seen < step.until) {
      const change: Change = (await person.changes.next()).value;
      if (person.watch.cuts > cuts) yield `was cut off, goes on after change ${person.seen}`;
      cuts = person.watch.cuts;
      person.seen = change.changeSequence;
      yield this.toldOf(change);
    }
  }

  /** A change in words, with the documents' names in this scenario. */
  private toldOf(change: Change): string {
    const { event, actor } = change;
    if (event.case !== "artifactCreated" && event.case !== "artifactChanged") return `change ${change.changeSequence}`;
    const { artifactId, version } = event.value;
    const what = event.case === "artifactCreated" ? "artifact created" : "artifact changed";
    const document = [...this.artifacts].find(([, id]) => id === artifactId)?.[0];
    const user = actor?.kind.case === "user" ? actor.kind.value.id : "somebody else";
    return `change ${change.changeSequence}, ${what}, ${document} version ${version} by ${user}`;
  }

  private nameOf(step: Step): string {
    return `${workspace}/artifacts/${this.artifacts.get(step.document)}`;
  }
}

/** An outcome in words. */
function told(outcome?: Outcome): string {
  const version = outcome?.result.case === "applied" ? outcome.result.value.version : "none";
  return `version ${version}, change ${outcome?.changeSequence}`;
}

function tell(step: Step, line: string): void {
  console.log(`${step.by}: ${step.do.replaceAll("_", " ")}: ${line}`);
}

await new Scenario(process.argv[2]).play();
process.exit(0); // the connections of those who watch are still open
