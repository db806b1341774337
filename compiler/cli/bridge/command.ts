// Implements capc bridge. It makes plans for another kernel, within the limits of a page and with the backend that the
// page names.

import { resolve } from "node:path";
import type { Duplex } from "node:stream";
import { chooseBackend, openConversation } from "../../../engine/lib/policy/index.ts";
import { accept, type Result } from "../../../engine/lib/result/result.ts";
import { scheduleAfter } from "../../../engine/lib/wire/listen.ts";
import {
  type Bridge,
  createLineFraming,
  createSerialFraming,
  explainRefusedBackend,
  findAllowedActions,
  respond,
  serveLine,
} from "../../../engine/outside/bridge/index.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { listenAt } from "../../host/unix-socket.ts";
import { type ExitStatus, openOutput, type World } from "../../host/world.ts";
import { indexPolicyTables, type Policy } from "../../phases/policy/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, requireLawful } from "../page.ts";
import { tellOnly } from "../render-findings.ts";
import { readOpener } from "../secret/machine.ts";
import { type OpenBackend, openBackend } from "./backend.ts";
import { openSerial } from "./serial.ts";
import { joinStreams } from "./standard.ts";

const refuse = createRefuser("bridge");

/** `capc bridge FILE` */
export const bridge: Command = {
  name: "bridge",
  operands: ["FILE"],
  does: "answer each request of another kernel with one typed action (such as list_files) that the page allows",
  details: `Speaks the host LLM bridge protocol of go-dav-os v0.5.0, with one JSON request on a line, over
standard input and output or at a socket. The command executes nothing, and never answers with a
command line. A tool serves the protocol's action of the same name: the method listFiles serves
list_files. The risk of an action is \`safe\` if its tool only reads and has no gate. The first backend that
the session may use without an approval chooses the actions.
Set the speed of a serial line before you start the command. By default, each request over a serial
line is a binary frame, as the kernel sends it, and each request over another connection is one
line. examples/kernel-bridge has a page and example requests.`,
  options: [
    { name: "session", value: "NAME", does: "session of the page to use (default: the boot session)" },
    { name: "allowed", does: "print the allowed actions with their risk, and exit" },
    { name: "socket", value: "PATH", does: "listen at this socket" },
    {
      name: "group",
      value: "GROUP",
      does: "group whose members may connect to the socket (default: only the command's user)",
    },
    { name: "serial", value: "DEVICE", does: "use this serial line instead of standard input and output" },
    { name: "framing", value: "FORM", choices: ["lines", "frames"], does: "separate requests by lines or by frames" },
    { name: "machine", value: "DIR", does: "folder with the machine key that opens sealed credentials" },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "no effect; the output is always JSON" },
  ],
  run: runBridge,
};

async function runBridge(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = ""] = typed.operands;
  if (typed.values.has("socket") && typed.values.has("serial")) return refuse(world, 2, "either --socket or --serial");
  if (typed.values.has("group") && !typed.values.has("socket")) return refuse(world, 2, "--group is for --socket");
  const page = await compilePage(file, world, { purpose: "build", proofs: "demanded" });
  if (page.kind === "unreadable") return refuse(world, 3, page.reason);
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return 1;
  }
  const { policy } = requireLawful(page.compiled);
  const session = typed.values.get("session") ?? policy.image.boot;
  const tables = indexPolicyTables(policy);
  const conversation = openConversation(tables, session);
  if (conversation === undefined) return refuse(world, 2, `there is no session ${escapeInvisible(session)}`);
  const allowed = findAllowedActions(tables, conversation);
  if (!allowed.ok) return refuse(world, 1, allowed.reason);
  if (typed.switches.has("allowed")) {
    const told = allowed.value.map(({ action, risk, tool }) => ({ action, risk, tool: tool.name }));
    world.print(`${JSON.stringify(told, undefined, 2)}\n`);
    return 0;
  }
  if (allowed.value.length === 0) return refuse(world, 1, `${session} ${NO_ACTION}`);
  const choice = chooseBackend(tables, conversation, new Set());
  const index = choice?.backend ?? -1;
  const name = tables.backends[index]?.name;
  if (name === undefined) return refuse(world, 1, `no backend may answer in ${session} without being asked for`);
  const why = explainRefusedBackend(tables, conversation, index);
  if (why !== undefined) return refuse(world, 1, why);
  const opened = await openNamedBackend(policy, name, typed, world);
  if (!opened.ok) return refuse(world, 3, opened.reason);
  try {
    return await serveAll({ tables, conversation, ...opened.value }, typed, world);
  } finally {
    opened.value.close();
  }
}

async function openNamedBackend(
  policy: Policy,
  name: string,
  typed: ParsedArguments,
  world: World,
): Promise<Result<OpenBackend>> {
  const plan = policy.backends.find((backend) => backend.name === name);
  if (plan === undefined) return { ok: false, reason: `the backend ${name} cannot run here` };
  const folder = typed.values.get("machine");
  const opener = folder === undefined ? undefined : readOpener(resolve(world.folder, folder));
  return opener?.ok === false ? opener : openBackend(plan, policy, { opener: opener?.value });
}

async function serveAll(held: Bridge, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const { values } = typed;
  const [socket, serial] = [values.get("socket"), values.get("serial")];
  const isFramed = (values.get("framing") ?? (serial === undefined ? "lines" : "frames")) === "frames";
  const createFraming = () => (isFramed ? createSerialFraming() : createLineFraming());
  const answer = (request: Uint8Array | "tooLong", signal: AbortSignal) => respond(held, request, signal);
  if (socket !== undefined) {
    const path = resolve(world.folder, socket);
    // With framing, an unfinished request does not end the connection, because the receiver can find the next request. The sender may be
    // behind a serial line, and then cannot connect again.
    const whenStalled = isFramed ? "forget" : "end";
    const serve = (stream: Duplex) =>
      void serveLine({ stream, framing: createFraming(), whenStalled }, answer, scheduleAfter);
    const reportReady = () => world.report(`capc bridge: listens at ${path}\n`);
    const ended = await listenAt(path, serve, {
      stop: world.interrupted,
      ready: reportReady,
      group: values.get("group"),
    });
    return ended.ok ? 0 : refuse(world, 3, ended.reason);
  }
  const opened =
    serial === undefined ? accept(joinStreams(process.stdin, openOutput())) : openSerial(resolve(world.folder, serial));
  if (!opened.ok) return refuse(world, 3, opened.reason);
  const stream = opened.value;
  if (serial === undefined && world.inputIsTerminal) world.report(WAITS);
  if (serial !== undefined) world.report(`capc bridge: speaks over ${serial}\n`);
  world.interrupted.addEventListener("abort", () => stream.destroy(), { once: true });
  await serveLine({ stream, framing: createFraming(), whenStalled: "forget" }, answer, scheduleAfter);
  return 0;
}

const NO_ACTION = "has no tool that is an action of the protocol: it is named after one, as listFiles is list_files";
const WAITS = "capc bridge: reads requests from standard input, JSON, a line each; Ctrl-D ends it\n";
