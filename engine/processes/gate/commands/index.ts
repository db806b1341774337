// The person's direct commands. They bypass the model and the loop, but not the gate: `/tool` is decided like any call.
import type { Row } from "../../../lib/wire/generated/policy.ts";
import type { ArgumentKind, SessionVocabularyResults } from "../../../lib/wire/generated/wire.ts";
import type { Gate } from "../gate.ts";
import { excerpt } from "../result.ts";
import { describeLocked } from "../sentences.ts";
import { showRecentRecords } from "./audit.ts";
import { compare } from "./compare.ts";
import { recall, showContext } from "./context.ts";
import { beginConversation, forget, fork, listConversations, resume, save, search } from "./conversations.ts";
import { explainDecision, showBudget, showPolicy } from "./decisions.ts";
import { exportConversation } from "./export.ts";
import { listCapabilities, revoke, showGrants } from "./grants.ts";
import { changePassphrase, lock, logIn, logOut } from "./login.ts";
import { showOrOpenModel } from "./models.ts";
import { handleParked, markAway, markBack } from "./parked.ts";
import type { CommandParts, Lines } from "./parts.ts";
import { planTool, submitPlan } from "./plans.ts";
import { showStatus } from "./status.ts";
import { beginTask, enterPhase } from "./tasks.ts";
import { callTool, inspect, listTools } from "./tools.ts";
import { describeTools, placeNames } from "./vocabulary.ts";

export type { CommandParts } from "./parts.ts";

interface Command {
  readonly usage: string;
  /** Kind of the argument, which the console completes. */
  readonly argument: ArgumentKind;
  readonly namesConversations?: boolean;
  /** Whether the command begins a turn or moves the conversation: it then runs after the commands typed before it. */
  readonly acts?: boolean;
  readonly run: (parts: CommandParts, argument: string, signal: AbortSignal) => Lines | Promise<Lines>;
}

/** The list of all commands. The console's help and completion, and the answers here, are made from it. */
const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    argument: "text",
    usage: "/login [NAME]: into a session that its page closes, by a signature or a passphrase",
    run: logIn,
  },
  lock: {
    argument: "text",
    usage: "/lock [MINUTES|off]: lock the session now, or each time nothing was typed for so long; /login opens it",
    run: lock,
  },
  logout: { argument: "none", usage: "/logout: out of it, which locks it", run: logOut },
  passphrase: { argument: "none", usage: "/passphrase: choose another passphrase", run: changePassphrase },
  tools: { argument: "none", usage: "/tools: what the model may propose, and behind which gate", run: listTools },
  cap: { argument: "none", usage: "/cap: the capabilities that this session's gate holds", run: listCapabilities },
  inspect: {
    argument: "tool",
    usage: "/inspect NAME: all that the tables say about a tool, or a service",
    run: inspect,
  },
  why: {
    argument: "text",
    usage:
      "/why [ID|TOOL ARGUMENTS]: the last decision, that about a call, or about one that nobody made, and the line behind it",
    run: explainDecision,
  },
  policy: {
    argument: "text",
    usage: "/policy [decisions]: the digest of the tables and their lines, or every decision",
    run: showPolicy,
  },
  task: {
    acts: true,
    argument: "task",
    usage: "/task [NAME]: begin a task, as the first thing of a conversation; or which there are",
    run: beginTask,
  },
  phase: {
    acts: true,
    argument: "phase",
    usage: "/phase [NAME]: go on to a later phase of the task; or which there are",
    run: enterPhase,
  },
  away: {
    argument: "none",
    usage: "/away: nobody is here; in a task what needs a person waits, elsewhere it is refused",
    run: markAway,
  },
  back: { argument: "none", usage: "/back: somebody is here again, and what waits for them", run: markBack },
  parked: {
    acts: true,
    argument: "text",
    usage: "/parked [N|drop N|drop all]: calls that wait for a person; take one up, which asks; or drop some",
    run: handleParked,
  },
  status: {
    argument: "none",
    usage: "/status: where the session stands, what is recorded, shipped and kept",
    run: showStatus,
  },
  audit: { argument: "text", usage: "/audit [N]: the newest records of this session", run: showRecentRecords },
  grants: {
    argument: "none",
    usage: "/grants: what this session may still use, and which consents are remembered",
    run: showGrants,
  },
  revoke: {
    argument: "service",
    usage:
      "/revoke NAME|N|all: take a service back until the machine starts again; a remembered consent; or all of them",
    run: revoke,
  },
  conversations: { argument: "text", usage: "/conversations [N]: the newest that are kept", run: listConversations },
  new: { acts: true, argument: "none", usage: "/new: begin another conversation", run: beginConversation },
  save: { argument: "none", usage: "/save: where the conversation is kept, which it is as it is said", run: save },
  resume: {
    acts: true,
    argument: "text",
    namesConversations: true,
    usage: "/resume [NAME]: go on with a kept conversation, or the newest",
    run: resume,
  },
  fork: {
    acts: true,
    argument: "text",
    namesConversations: true,
    usage: "/fork [NAME [N]]: go on in a copy of a conversation, up to its saying N",
    run: fork,
  },
  compare: {
    argument: "text",
    namesConversations: true,
    usage: "/compare NAME NAME: where two conversations part",
    run: compare,
  },
  search: { argument: "text", usage: "/search WORDS: what was said, in all that are kept", run: search },
  export: {
    argument: "text",
    namesConversations: true,
    usage: "/export [NAME [markdown|jsonl [N]]]: all of a conversation, behind its saying N",
    run: exportConversation,
  },
  forget: {
    argument: "text",
    namesConversations: true,
    usage: "/forget NAME: erase what was said in a conversation",
    run: forget,
  },
  context: { argument: "none", usage: "/context: what of the conversation the model is shown", run: showContext },
  recall: {
    argument: "text",
    usage: "/recall [on|off]: whether what was evicted is found again for the model",
    run: recall,
  },
  model: {
    acts: true,
    argument: "text",
    usage: "/model [NAME]: which backends may hear this conversation; or open one that is behind a gate",
    run: showOrOpenModel,
  },
  budget: { argument: "none", usage: "/budget: how the quotas stand", run: showBudget },
  tool: {
    acts: true,
    argument: "call",
    usage: "/tool NAME ARGUMENTS: call a tool yourself; arguments are JSON, or words in the tool's order",
    run: callTool,
  },
  llmsh: {
    acts: true,
    argument: "text",
    usage:
      "/llmsh PLAN|ping: hand in an action plan, a JSON document on one line; what came of it, a line for each action",
    run: submitPlan,
  },
};

/** Returns the answer to a command, as lines for the screen. */
export async function answerCommand(
  parts: CommandParts,
  name: string,
  argument: string,
  signal: AbortSignal,
): Promise<Lines> {
  const { seat, parts: own } = parts.gate;
  if (seat.isLocked) return name === "login" ? logIn(parts, argument, signal) : [describeLocked(own.session)];
  parts.gate.session.touch();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return [`there is no command /${excerpt(name)}; /help lists them`];
  // The result of one person's command must not reach the next person, who may be logged in by then.
  const taken = seat.signal;
  const ends = AbortSignal.any([signal, taken]);
  const run = () => command.run(parts, argument.trim(), ends);
  const lines = await (command.acts === true ? parts.gate.commands.run(run, ends) : run());
  return taken.aborted && name !== "logout" && name !== "lock" ? [describeLocked(own.session)] : lines;
}

/** Returns the commands that a person can type now; while the gate is locked, only those that open it. */
export async function describeVocabulary(parts: CommandParts): Promise<SessionVocabularyResults> {
  const { seat } = parts.gate;
  const { tables } = parts.gate.parts;
  const proof = tables.rows[parts.gate.conversation.row]?.login ?? "none";
  const offered = Object.entries(COMMANDS).filter(([name]) => isOffered(name, parts.gate, proof));
  const commands = offered.map(([name, { usage, argument, namesConversations = false }]) => {
    return { name, usage, argument, namesConversations };
  });
  return seat.isLocked
    ? { commands, tools: [], tasks: [], phases: [], conversations: [] }
    : { commands, tools: describeTools(parts.gate), ...(await placeNames(parts)) };
}

function isOffered(name: string, gate: Gate, proof: Row["login"]): boolean {
  const { hasLogin, isLocked } = gate.seat;
  if (name === "login") return isLocked;
  if (name === "passphrase") return proof === "passphrase" && !isLocked;
  if (name === "llmsh") return !isLocked && planTool(gate).ok;
  return name === "logout" || name === "lock" ? hasLogin && !isLocked : !isLocked;
}
