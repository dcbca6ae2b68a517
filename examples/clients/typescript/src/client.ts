// What a client of Lattice needs in TypeScript: the connection, refusals, and a watch that goes on where it was cut.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { type Change, ChangesService } from "@lattice/protos/files/v1/changes_service_pb";
import {
  type CheckInHeader,
  CheckInRequestSchema,
  NativeFilesService,
  UploadFileRequestSchema,
} from "@lattice/protos/files/v1/native_files_service_pb";
import { ErrorInfoSchema } from "@lattice/protos/google/rpc/error_details_pb";
import type { Cursor } from "@lattice/protos/type/v1/names_pb";

const CHUNK = 64 * 1024;

/** Milliseconds for one call, its repeats included. */
export const DEADLINE = { timeoutMs: 60_000 };

// region connect
/** A transport on which every call carries the token, and what may be repeated is, while a service is away. */
export function connect(address: string, token: string, tls: string): Transport {
  const bearer: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  return createGrpcTransport({
    baseUrl: `https://${address}`,
    interceptors: [bearer, retry],
    nodeOptions: {
      ca: readFileSync(join(tls, "ca.pem")),
      key: readFileSync(join(tls, "key.pem")), // where the deployment asks clients for a certificate
      cert: readFileSync(join(tls, "certificate.pem")),
    },
  });
}

// endregion

// region retry
const [policy] = createRequire(import.meta.url)("@lattice/protos/service_config.json").methodConfig;
const { maxAttempts, backoffMultiplier, initialBackoff, maxBackoff } = policy.retryPolicy;
const repeatable = new Set(policy.name.map((it: { service: string; method: string }) => `${it.service}/${it.method}`));

/** Connect knows no service config, so this does what the shipped one says. */
const retry: Interceptor = (next) => async (request) => {
  const repeats = !request.stream && repeatable.has(`${request.service.typeName}/${request.method.name}`);
  for (let attempt = 1, pause = 1000 * parseFloat(initialBackoff); ; attempt++, pause *= backoffMultiplier) {
    try {
      return await next(request);
    } catch (error) {
      const givesUp = ConnectError.from(error).metadata.get("grpc-retry-pushback-ms") === "-1";
      if (!repeats || attempt === maxAttempts || !isAway(error) || givesUp) throw error;
      await sleep(Math.random() * Math.min(pause, 1000 * parseFloat(maxBackoff)));
    }
  }
};

/** Whether the service is away. A connection that breaks under a call is Canceled or Aborted in Connect's words. */
function isAway(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  const broken = (code === Code.Canceled || code === Code.Aborted) && refusalOf(error) === undefined;
  return broken || code === Code.Unavailable;
}

// endregion

// region upload
/** Uploads a file as a new artifact; whoever does not know how it ended calls again with the same `requestId`. */
export async function upload(
  files: Client<typeof NativeFilesService>,
  workspace: string,
  fileName: string,
  content: Uint8Array,
  requestId: string,
) {
  async function* parts(): AsyncIterable<MessageInitShape<typeof UploadFileRequestSchema>> {
    const size = BigInt(content.length);
    const sha256 = createHash("sha256").update(content).digest();
    const context = { requestId };
    yield { part: { case: "header", value: { workspace, fileName, size, sha256, context } } };
    for (const chunk of chunks(content)) yield { part: { case: "chunk", value: chunk } };
  }
  return (await files.uploadFile(parts(), DEADLINE)).outcome;
}

// endregion

/** Checks a file in; its header needs neither size nor digest. */
export async function checkIn(
  files: Client<typeof NativeFilesService>,
  header: CheckInHeader,
  content: Uint8Array,
) {
  async function* parts(): AsyncIterable<MessageInitShape<typeof CheckInRequestSchema>> {
    const size = BigInt(content.length);
    const sha256 = createHash("sha256").update(content).digest();
    yield { part: { case: "header", value: { ...header, size, sha256 } } };
    for (const chunk of chunks(content)) yield { part: { case: "chunk", value: chunk } };
  }
  return (await files.checkIn(parts(), DEADLINE)).outcome;
}

function* chunks(content: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < content.length; start += CHUNK) yield content.subarray(start, start + CHUNK);
}

// region error
/**
 * Why a call was refused: `reason` is a value of lattice.type.v1.ErrorReason without its prefix, `metadata` holds its
 * values. Undefined where no service answered.
 */
export function refusalOf(error: unknown) {
  const details = ConnectError.from(error).findDetails(ErrorInfoSchema);
  return details.find((it) => it.domain === "lattice");
}

// endregion

// region watch
/** The changes of a workspace, each exactly once, over connections that are cut. */
export class Watch {
  /** How often it began anew. */
  cuts = 0;

  constructor(
    private readonly client: Client<typeof ChangesService>,
    private readonly workspace: string,
    /** Where it goes on. Keep it with what you made of the changes, and a restart repeats nothing either. */
    private cursor?: Cursor,
  ) {}

  /** Each change as it comes. */
  async *changes(): AsyncGenerator<Change> {
    for (let pause = 100; ; pause = Math.min(2 * pause, 5_000)) {
      try {
        for await (const message of this.client.watchChanges({ workspace: this.workspace, cursor: this.cursor })) {
          pause = 100;
          for (const commit of message.commits) yield* commit.changes;
          this.cursor = message.cursor;
        }
      } catch (error) {
        if (!isAway(error) && refusalOf(error)?.reason !== "SLOW_CONSUMER") throw error;
        this.cuts += 1;
        await sleep(pause);
      }
    }
  }
}

// endregion
