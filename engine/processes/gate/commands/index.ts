// The direct commands of a person. Direct commands bypass the model and the loop, but not the gate: `/tool` is decided
// like any call.
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
  /**
   * Whether the command waits for earlier commands: it begins a turn, enters another row, opens another conversation,
   * or may ask the person.
   */
  readonly acts?: boolean;
  readonly run: (parts: CommandParts, argument: string, signal: AbortSignal) => Lines | Promise<Lines>;
}

/** The list of all commands. The console's help and completion, and the answers of this file, are derived from it. */
const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    argument: "text",
    usage: "/login [NAME]: log in to the session, by a signature or a passphrase",
    run: logIn,
  },
  lock: {
    argument: "text",
    usage: "/lock [MINUTES|off]: lock the session now, or after that many minutes without input; /login unlocks it",
    run: lock,
  },
  logout: { argument: "none", usage: "/logout: log out and lock the session", run: logOut },
  passphrase: { argument: "none", usage: "/passphrase: change your passphrase", run: changePassphrase },
  tools: { argument: "none", usage: "/tools: list the model's tools and their gates", run: listTools },
  cap: { argument: "none", usage: "/cap: list the capabilities of this session's gate", run: listCapabilities },
  inspect: {
    argument: "tool",
    usage: "/inspect NAME: show the tables of a tool or a service",
    run: inspect,
  },
  why: {
    argument: "text",
    usage:
      "/why [ID|TOOL ARGUMENTS]: explain the last decision, the decision about call ID, or the decision about a call of TOOL",
    run: explainDecision,
  },
  policy: {
    argument: "text",
    usage: "/policy [decisions]: show the digest of the policy tables and the rules of the session, or every decision",
    run: showPolicy,
  },
  task: {
    acts: true,
    argument: "task",
    usage:
      "/task [NAME]: begin a task at the start of a conversation; without NAME, show the current task and list all tasks",
    run: beginTask,
  },
  phase: {
    acts: true,
    argument: "phase",
    usage: "/phase [NAME]: go to a later phase of the task; without NAME, list the phases",
    run: enterPhase,
  },
  away: {
    argument: "none",
    usage:
      "/away: declare that you leave; calls that need a person then wait in a task, and are refused outside of tasks",
    run: markAway,
  },
  back: {
    argument: "none",
    usage: "/back: declare that you are at the console again, and list the waiting calls",
    run: markBack,
  },
  parked: {
    acts: true,
    argument: "text",
    usage: "/parked [N|drop N|drop all]: list calls that wait for a person, decide call N, or drop calls",
    run: handleParked,
  },
  status: {
    argument: "none",
    usage: "/status: show the state of the session, its records and its storage",
    run: showStatus,
  },
  audit: { argument: "text", usage: "/audit [N]: show the newest records of this session", run: showRecentRecords },
  grants: {
    argument: "none",
    usage: "/grants: list the services that this session may use, and remembered approvals",
    run: showGrants,
  },
  revoke: {
    argument: "service",
    usage:
      "/revoke NAME|N|all: revoke service NAME until the next start, remembered approval N, or all remembered approvals",
    run: revoke,
  },
  conversations: {
    argument: "text",
    usage: "/conversations [N]: list the newest conversations",
    run: listConversations,
  },
  new: { acts: true, argument: "none", usage: "/new: begin another conversation", run: beginConversation },
  save: {
    argument: "none",
    usage: "/save: show where the conversation is stored; the machine saves it continuously",
    run: save,
  },
  resume: {
    acts: true,
    argument: "text",
    namesConversations: true,
    usage: "/resume [NAME]: resume the stored conversation NAME, or the newest one",
    run: resume,
  },
  fork: {
    acts: true,
    argument: "text",
    namesConversations: true,
    usage: "/fork [NAME [N]]: continue in a copy of a conversation, up to its message N",
    run: fork,
  },
  compare: {
    argument: "text",
    namesConversations: true,
    usage: "/compare NAME NAME: show the first difference of two conversations",
    run: compare,
  },
  search: { argument: "text", usage: "/search WORDS: search all stored conversations", run: search },
  export: {
    argument: "text",
    namesConversations: true,
    usage: "/export [NAME [markdown|jsonl [N]]]: print a conversation, or only its messages after N",
    run: exportConversation,
  },
  forget: {
    argument: "text",
    namesConversations: true,
    usage: "/forget NAME: erase the text of a conversation",
    run: forget,
  },
  context: {
    argument: "none",
    usage: "/context: show the part of the conversation that the model reads",
    run: showContext,
  },
  recall: {
    argument: "text",
    usage: "/recall [on|off]: show the model earlier messages that no longer fit its context, or stop this",
    run: recall,
  },
  model: {
    acts: true,
    argument: "text",
    usage: "/model [NAME]: list the backends of this session with models and digests, or approve the backend NAME",
    run: showOrOpenModel,
  },
  budget: { argument: "none", usage: "/budget: show the quotas", run: showBudget },
  tool: {
    acts: true,
    argument: "call",
    usage: "/tool NAME ARGUMENTS: call a tool yourself; arguments are JSON, or words in the tool's order",
    run: callTool,
  },
  llmsh: {
    acts: true,
    argument: "text",
    usage: "/llmsh PLAN|ping: submit an action plan, a JSON document on one line, and show a result for each action",
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
  // The result of one person's command must not be shown to the next person, who may be logged in by then.
  const taken = seat.signal;
  const ends = AbortSignal.any([signal, taken]);
  const run = () => command.run(parts, argument.trim(), ends);
  const lines = await (command.acts === true ? parts.gate.commands.run(run, ends) : run());
  return taken.aborted && name !== "logout" && name !== "lock" ? [describeLocked(own.session)] : lines;
}

/** Returns the commands that a person can type now; while the session is locked, only the commands that unlock it. */
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
