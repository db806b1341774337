// Implements capc llmsh, which sends an action plan to llm-osd and prints the results.

import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { resolve } from "node:path";
import { isRecord, recordFrom } from "../../../engine/lib/policy/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import {
  convertRequest,
  isUpstreamWell,
  MOST_REQUEST_BYTES,
  readPlan,
  readWidePlan,
  VERSION,
} from "../../../engine/outside/osd/index.ts";
import { explainRefusal } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";

const refuse = createRefuser("llmsh");

/** `capc llmsh ping|send|validate` */
export const llmsh: Command = {
  name: "llmsh",
  operands: ["ping|send|validate"],
  does: "send an action plan to llm-osd, and print the result",
  details: `send reads a plan from standard input and submits it. validate only checks the form of a plan. ping
checks whether the daemon is running. All output is JSON. Ends with 1 if the request was refused or
an action failed. examples/host-actions/plans has plans to try.`,
  options: [
    { name: "socket", value: "PATH", does: "socket of llm-osd (required for ping and send)" },
    {
      name: "wire",
      value: "FORM",
      choices: ["seed", "upstream"],
      does: "protocol: seed (of seed 5, default) or upstream (of upstream's llm-osd)",
    },
    { name: "request-id", value: "ID", does: "id of the request, instead of the id in the plan" },
    { name: "session-id", value: "ID", does: "id of the session, instead of the id in the plan" },
    { ...JSON_OPTION, does: "no effect; answers are always JSON" },
  ],
  run: runClient,
};

async function runClient(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [action = ""] = typed.operands;
  if (action !== "ping" && action !== "send" && action !== "validate")
    return refuse(world, 2, `'${action}' is none of ping, send, validate`);
  if (action !== "ping" && world.inputIsTerminal) world.report(WAITS);
  const given = action === "ping" ? PING : await world.readInput(MOST_REQUEST_BYTES);
  const plan = addIds(given, typed.values);
  const isUpstream = typed.values.get("wire") === "upstream";
  const read = isUpstream ? readWidePlan(plan) : readPlan(plan);
  if (!read.ok || action === "validate") return tell(read.ok ? { ok: true } : read, world);
  const socket = typed.values.get("socket");
  if (socket === undefined) return refuse(world, 2, "--socket PATH is missing: where llm-osd listens");
  const sent = isUpstream ? convertRequest(plan) : plan;
  const answer = await sendPlan(resolve(world.folder, socket), sent, world.interrupted);
  if (!answer.ok) return refuse(world, 3, answer.reason);
  const told = recordFrom(answer.value, MOST_ANSWER_BYTES);
  return told.ok
    ? tell(told.value, world, isUpstream ? isUpstreamWell : isWell)
    : refuse(world, 3, `what came back is no answer: ${told.reason}`);
}

const PING = Buffer.from(
  JSON.stringify({ request_id: randomUUID(), version: VERSION, mode: "execute", actions: [{ type: "ping" }] }),
);

/** Maximum bytes of a response, enough for sixteen actions with two outputs each, as JSON. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;
const ANSWER_MS = 20 * 60_000;

/**
 * Returns the plan with the ids from `--request-id` and `--session-id`. A plan that is not a JSON object stays
 * unchanged, and the service refuses it.
 */
function addIds(plan: Uint8Array, values: ParsedArguments["values"]): Uint8Array {
  const [request, session] = [values.get("request-id"), values.get("session-id")];
  const read = recordFrom(plan, MOST_REQUEST_BYTES);
  if (!read.ok || (request === undefined && session === undefined)) return plan;
  const ids = {
    ...(request !== undefined && { request_id: request }),
    ...(session !== undefined && { session_id: session }),
  };
  return Buffer.from(JSON.stringify({ ...read.value, ...ids }));
}

function tell(answer: object, world: World, isGood = isWell): ExitStatus {
  world.print(`${JSON.stringify(answer, undefined, 2)}\n`);
  return isGood(answer) ? 0 : 1;
}

function isWell(answer: object): boolean {
  const results = "results" in answer && Array.isArray(answer.results) ? answer.results : [];
  return "ok" in answer && answer.ok === true && results.every((result) => isRecord(result) && result["ok"] === true);
}

async function sendPlan(path: string, plan: Uint8Array, stop: AbortSignal): Promise<Result<Uint8Array>> {
  const socket = connect(path);
  const end = () => socket.destroy();
  stop.addEventListener("abort", end, { once: true });
  const timer = setTimeout(end, ANSWER_MS);
  try {
    socket.end(plan);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of socket) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MOST_ANSWER_BYTES) break;
    }
    return { ok: true, value: Buffer.concat(chunks) };
  } catch (error) {
    return { ok: false, reason: explainRefusal(path, error) };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}

const WAITS = "capc llmsh: reads a plan from standard input, JSON; Ctrl-D ends it\n";
