// The person's direct commands. They bypass the model and the loop, but not the gate: `/tool` is decided like any call.
import { excerpt } from "../result.ts";
import { recentRecords } from "./audit.ts";
import { budget, policy, why } from "./decisions.ts";
import { grants, listCapabilities, revoke } from "./grants.ts";
import type { CommandParts, Lines } from "./parts.ts";
import { beginTask, enterPhase } from "./tasks.ts";
import { callTool, inspect, listTools } from "./tools.ts";

export type { CommandParts } from "./parts.ts";

interface Command {
  readonly usage: string;
  readonly run: (parts: CommandParts, argument: string, signal: AbortSignal) => Lines | Promise<Lines>;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["help", { usage: "/help: these lines", run: help }],
  ["tools", { usage: "/tools: what the model may propose, and behind which gate", run: listTools }],
  ["cap", { usage: "/cap: the capabilities that this session's gate holds", run: listCapabilities }],
  ["inspect", { usage: "/inspect NAME: all that the tables say about a tool, or a service", run: inspect }],
  [
    "why",
    { usage: "/why [ID]: the last decision, or that about a call, and the line of the page behind it", run: why },
  ],
  [
    "policy",
    { usage: "/policy [decisions]: the digest of the tables and their lines, or every decision", run: policy },
  ],
  [
    "task",
    { usage: "/task [NAME]: begin a task, as the first thing of a conversation; or which there are", run: beginTask },
  ],
  ["phase", { usage: "/phase [NAME]: go on to a later phase of the task; or which there are", run: enterPhase }],
  ["audit", { usage: "/audit [N]: the newest records of this session", run: recentRecords }],
  ["grants", { usage: "/grants: what this session may still use", run: grants }],
  ["revoke", { usage: "/revoke NAME: take a service back until the machine starts again", run: revoke }],
  ["budget", { usage: "/budget: how the quotas stand", run: budget }],
  ["tool", { usage: "/tool NAME ARGUMENTS: call a tool yourself; arguments are JSON", run: callTool }],
]);

/** The answer to a command, as lines for the screen. */
export async function answerCommand(
  parts: CommandParts,
  name: string,
  argument: string,
  signal: AbortSignal,
): Promise<Lines> {
  const command = COMMANDS.get(name);
  return command === undefined
    ? [`there is no command /${excerpt(name)}; /help lists them`]
    : command.run(parts, argument.trim(), signal);
}

function help(): Lines {
  return [...[...COMMANDS.values()].map(({ usage }) => usage), "/exit: leave; the machine powers off"];
}
