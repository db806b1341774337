// One request and its answer over one connection, which is then closed: surplus bytes of a server cannot become the
// beginning of another answer. The only protocol is HTTP/1.1, parsed by Node's own strict parser.

import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { getDefaultPort } from "../../lib/reach/place.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Place } from "../../lib/wire/generated/egress.ts";
import { ECHOED, hasEcho, type Watch, watchFor } from "./echo.ts";
import { MOST_FIELD_CHARACTERS, MOST_HEADER_BYTES, MOST_INTERIM_ANSWERS } from "./limits.ts";
import type { Credential } from "./vault.ts";

export interface EgressRequest {
  readonly place: Place;
  /** The checked path and query. */
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly credential: Credential;
}

/** The head of an answer. The answer's body is read from `message` through `watch`, and ends with the connection. */
export interface EgressResponseHead {
  readonly status: number;
  readonly contentType: string;
  readonly location: string;
  readonly retryAfter: string;
  readonly message: IncomingMessage;
  readonly watch: Watch;
}

/**
 * Sends a request on a connection and returns the head of its answer. Fails if no valid head arrives. When `signal`
 * fires, the connection is closed.
 */
export function ask(
  connection: Duplex,
  asked: EgressRequest,
  signal: AbortSignal,
): Promise<Result<EgressResponseHead>> {
  const { promise, resolve } = Promise.withResolvers<Result<EgressResponseHead>>();
  const { place, path, method, body, credential } = asked;
  const sent = request({
    createConnection: () => connection,
    method,
    path,
    setHost: false,
    headers: makeHeaders(asked),
    maxHeaderSize: MOST_HEADER_BYTES,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
    signal,
  });
  const end = (reason: string): void => {
    sent.destroy();
    connection.destroy();
    resolve(refuse(`${place.host}: ${reason}`));
  };
  let isAnswered = false;
  let interim = 0;
  sent.on("information", () => {
    interim += 1;
    if (interim > MOST_INTERIM_ANSWERS) end("it answers again and again before it answers");
  });
  sent.on("response", (message) => {
    const head = readHead(message, credential.forms);
    isAnswered = head.ok;
    if (head.ok) resolve(accept({ ...head.value, message, watch: watchFor(credential.forms) }));
    else end(head.reason);
  });
  sent.on("upgrade", () => end("it wants to speak another protocol"));
  sent.on("error", (error) => end(signal.aborted ? "it took too long" : describeBreak(error)));
  // `close` also occurs after a complete answer, whose last bytes may not have been read yet. So `close` is a fault
  // only if no answer has begun.
  sent.on("close", () => isAnswered || end("it hung up"));
  sent.end(method === "POST" ? body : undefined);
  return promise;
}

/** Returns all headers of a request; the caller chooses only the content type. */
function makeHeaders({ place, method, contentType, body, credential }: EgressRequest): Record<string, string> {
  const port = place.port === getDefaultPort(place.scheme) ? "" : `:${place.port}`;
  return {
    host: `${place.host}${port}`,
    accept: "*/*",
    // Ask for no compression: an uncompressed answer cannot be a decompression bomb.
    "accept-encoding": "identity",
    "user-agent": "capos-egress",
    connection: "close",
    ...(credential.authorization === "" ? {} : { authorization: credential.authorization }),
    ...(method === "POST" ? { "content-type": contentType, "content-length": String(body.length) } : {}),
  };
}

type Head = Omit<EgressResponseHead, "message" | "watch">;

function readHead({ statusCode = 0, headers }: IncomingMessage, forms: readonly string[]): Result<Head> {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity")
    return refuse(
      hasEcho(encoding, forms) ? ECHOED : `its answer is packed (${trimField(encoding)}), which was not asked for`,
    );
  const { "content-type": contentType = "", location = "", "retry-after": retryAfter = "" } = headers;
  if ([contentType, location, retryAfter].some((text) => hasEcho(text, forms))) return refuse(ECHOED);
  if (location.length > MOST_FIELD_CHARACTERS) return refuse("it leads to an address that is too long");
  return accept({
    status: statusCode,
    contentType: trimField(contentType),
    location,
    retryAfter: trimField(retryAfter),
  });
}

function trimField(text: string): string {
  return text.slice(0, 200);
}

/** Describes an error by its code, of Node's parser (HPE_…) or of the system; the error's message could contain text of the server. */
function describeBreak(error: Error): string {
  return "code" in error && typeof error.code === "string"
    ? `the connection or its answer is broken (${error.code})`
    : "the connection or its answer is broken";
}

/** Returns the whole body. Fails if the body does not arrive completely. */
export function readBody(
  { message, watch }: EgressResponseHead,
  most: number,
  signal: AbortSignal,
): Promise<Result<Uint8Array>> {
  const { promise, resolve } = Promise.withResolvers<Result<Uint8Array>>();
  const pieces: Uint8Array[] = [];
  let size = 0;
  const end = (result: Result<Uint8Array>): void => {
    message.destroy();
    resolve(result);
  };
  message.on("data", (piece: Uint8Array) => {
    size += piece.length;
    if (size > most) return end(refuse(`the answer is larger than ${most} bytes`));
    const passed = watch.next(piece);
    if (passed.ok) pieces.push(passed.value);
    else end(passed);
  });
  const collectBody = () => accept(Buffer.concat([...pieces, watch.last()]));
  message.on("end", () => end(message.complete ? collectBody() : refuse("the answer ends too early")));
  message.on("error", () => end(refuse(signal.aborted ? "the answer took too long" : "the answer ends too early")));
  message.on("close", () => end(refuse("the answer ends too early")));
  return promise;
}
