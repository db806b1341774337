// Runs a request that the page allows, from its target to its answer, within the limits of its endpoint.

import type { Target } from "../../lib/reach/place.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Endpoint } from "../../lib/wire/generated/egress.ts";
import { connectTo, type NetworkAccess } from "./connection.ts";
import { ask, type EgressRequest, type EgressResponseHead, readBody } from "./exchange.ts";
import { MOST_AT_ONCE, MOST_BODY_BYTES } from "./limits.ts";
import type { Vault } from "./vault.ts";

/** The part of a request that the caller chooses besides the target. */
export interface Wish {
  readonly method: "GET" | "POST";
  readonly contentType: string;
  readonly body: string;
}

/** This process's access to the network, with the state that all endpoints share. */
export interface Exit extends NetworkAccess {
  readonly vault: Vault;
  /** Requests under way. */
  readonly underWay: Set<symbol>;
}

export interface EgressResponse {
  readonly head: EgressResponseHead;
  readonly body: Uint8Array;
}

/** A content type as RFC 9110 writes it, without line breaks or anything that could begin another field. */
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}(; ?[\w-]{1,40}=[\w.+-]{1,80})?$/;

/** A request: the endpoint that allows it, its target, and the caller's choices. */
interface RequestParts {
  readonly endpoint: Endpoint;
  readonly target: Target;
  readonly wish: Wish;
}

/** Sends a request and returns the whole answer. Fails with the reason if no whole answer arrives. */
export async function answerOf(
  exit: Exit,
  { endpoint, target, wish }: RequestParts,
  caller: AbortSignal,
): Promise<Result<EgressResponse>> {
  return runWithinLimits(exit, endpoint, caller, async (signal) => {
    const head = await beginRequest(exit, { endpoint, target, wish }, signal);
    if (!head.ok) return head;
    const most = Math.min(endpoint.responseBytes, MOST_BODY_BYTES);
    const body = await readBody(head.value, most, signal);
    return body.ok ? accept({ head: head.value, body: body.value }) : refuse(`${target.place.host}: ${body.reason}`);
  });
}

/**
 * Counts a request while it runs, and ends it after the endpoint's timeout or when the caller cancels it. Fails at once
 * if MOST_AT_ONCE requests are running.
 */
export async function runWithinLimits<T>(
  exit: Exit,
  { milliseconds }: Endpoint,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (exit.underWay.size >= MOST_AT_ONCE) return refuse(`${MOST_AT_ONCE} requests are under way; try again later`);
  const own = Symbol();
  exit.underWay.add(own);
  try {
    return await work(AbortSignal.any([caller, AbortSignal.timeout(milliseconds)]));
  } finally {
    exit.underWay.delete(own);
  }
}

/**
 * Returns the head of the answer while its body is still arriving. Fails if the page does not allow the request, or if
 * no head arrives. `sends` is called before the server gets the first byte.
 */
export async function beginRequest(
  exit: Exit,
  { endpoint, target, wish }: RequestParts,
  signal: AbortSignal,
  sends: () => void = () => {},
): Promise<Result<EgressResponseHead>> {
  const asked = prepareRequest(exit, endpoint, target, wish);
  if (!asked.ok) return asked;
  const connection = await connectTo(target.place, endpoint.pins, exit, signal);
  if (!connection.ok) return connection;
  sends();
  return ask(connection.value, asked.value, signal);
}

function prepareRequest(exit: Exit, endpoint: Endpoint, target: Target, wish: Wish): Result<EgressRequest> {
  if (!endpoint.methods.includes(wish.method)) return refuse(`the page does not let ${wish.method} be asked here`);
  const body = Buffer.from(wish.body);
  if (body.length > endpoint.requestBytes) return refuse(`at most ${endpoint.requestBytes} bytes may be sent here`);
  if (wish.method === "POST" && !CONTENT_TYPE.test(wish.contentType)) return refuse("this is no content type");
  const credential = exit.vault(endpoint, target.place);
  return credential.ok ? accept({ ...target, ...wish, body, credential: credential.value }) : credential;
}
