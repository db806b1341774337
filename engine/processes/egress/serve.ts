// Serves HttpEndpoint and Fetch over one connection. The grant's badge determines the endpoint; a caller gives a path or URL, and a body.

import type { Duplex } from "node:stream";
import { canonicalizeArguments, type JsonRecord, renderCanonicalJson } from "../../lib/policy/index.ts";
import { resolveServerTarget, resolveUrlTarget, type Target } from "../../lib/reach/place.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Endpoint } from "../../lib/wire/generated/egress.ts";
import { Fetch, HttpEndpoint } from "../../lib/wire/generated/tools.ts";
import { makeFailure, type Serving, serve } from "../../lib/wire/index.ts";
import { MOST_RESULT_BYTES } from "./limits.ts";
import { answerOf, type EgressResponse, type Exit, type Wish } from "./request.ts";

interface Face {
  readonly id: bigint;
  /** Name of the argument with the target. */
  readonly names: "path" | "url";
  readonly target: (endpoint: Endpoint, text: string) => Result<Target>;
}

const FACES: readonly Face[] = [
  { id: HttpEndpoint.id, names: "path", target: resolveServerTarget },
  { id: Fetch.id, names: "url", target: resolveUrlTarget },
];

/** The ordinals of these two methods are the same in HttpEndpoint and Fetch. */
const { get, post } = HttpEndpoint.methods;

/** Serves one holder; returns `undefined` if the interface is neither HttpEndpoint nor Fetch. */
export function serveTools(stream: Duplex, interfaceId: bigint, endpoint: Endpoint, exit: Exit): Serving | undefined {
  const face = FACES.find(({ id }) => id === interfaceId);
  if (face === undefined) return undefined;
  return serve(stream, [face.id], async ({ method, payload, signal }) => {
    if (payload.which !== "json") return makeFailure("malformed", "arguments are taken as JSON");
    if (method !== get.ordinal && method !== post.ordinal)
      return makeFailure("unknownMethod", `there is no method ${method}`);
    const result = await call({ face, endpoint, exit }, method === get.ordinal ? "GET" : "POST", payload.json, signal);
    if (result.ok) return { ok: true, payload: { which: "json", json: result.value } };
    return makeFailure(signal.aborted ? "cancelled" : "failed", result.reason);
  });
}

/** An endpoint, the interface that serves it, and the access to the network. */
interface Served {
  readonly face: Face;
  readonly endpoint: Endpoint;
  readonly exit: Exit;
}

async function call(
  { face, endpoint, exit }: Served,
  method: Wish["method"],
  json: string,
  signal: AbortSignal,
): Promise<Result<string>> {
  const args = canonicalizeArguments(json);
  if (!args.ok) return args;
  const read = readWish(args.value.value, face.names, method);
  if (!read.ok) return read;
  const target = face.target(endpoint, read.value.where);
  if (!target.ok) return target;
  const answer = await answerOf(exit, { endpoint, target: target.value, wish: read.value }, signal);
  return answer.ok ? renderResult(answer.value) : answer;
}

function readWish(args: JsonRecord, name: Face["names"], method: Wish["method"]): Result<Wish & { where: string }> {
  const { [name]: where, contentType = "", body = "", ...others } = args;
  const names = Object.keys(others);
  if (names.length > 0) return refuse(`there is no argument ${names[0]}`);
  if (typeof where !== "string") return refuse(`${name} must be a text`);
  if (typeof contentType !== "string" || typeof body !== "string") return refuse("contentType and body are texts");
  if (method === "GET" && (contentType !== "" || body !== ""))
    return refuse("what is only read is asked for without a body");
  return accept({ method, contentType, body, where });
}

/**
 * Renders an answer. Fails if its body is not UTF-8, or if it is too large as JSON. A redirect is a result like any
 * other: following it is a new call with a new decision.
 */
function renderResult({ head, body }: EgressResponse): Result<string> {
  const text = decodeText(body);
  if (text === undefined) return refuse("the answer is no text in UTF-8");
  const { status, contentType, location } = head;
  const json = renderCanonicalJson({ response: { body: text, contentType, location, status } });
  return Buffer.byteLength(json) > MOST_RESULT_BYTES ? refuse("the answer is too large as JSON") : accept(json);
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
