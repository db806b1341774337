import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  admit,
  type Conversation,
  decide,
  type IndexedTables,
  indexTables,
  listAdvertisedTools,
  openConversation,
  startTurn,
} from "../engine/lib/policy/index.ts";
import { compilePage } from "./dev/fixtures/facts.ts";

// Checks the decisions that the README of `examples/first-agent` states for the calls of its conversations. The
// function that decides is the function of the gate. Each session has one conversation, and its calls are decided in
// order: data that a call reads changes the label of the conversation, and this label affects the later decisions.

const PAGE = new URL("../examples/first-agent/system.cap", import.meta.url);

async function compiled() {
  const { policy, diagnostics } = await compilePage(await readFile(PAGE, "utf8"));
  expect(diagnostics).toEqual([]);
  const indexed = policy && indexTables(policy.tables);
  if (policy === undefined || !indexed?.ok) throw new Error("the example has no tables");
  return { policy, tables: indexed.value };
}

/** Calls that the model proposes for a line of the person: each with its tool, its arguments, and the expected decision. */
type Line = readonly (readonly [tool: string, args: string, decided: string])[];

const FORBIDDEN = 'forbidden in this session by "forbidden Files.write where path under "/locked" else consent"';
const NO_TOOL = "unknownTool: no such tool is offered in this session";
const LEAK = "consent refusedByPolicy: this conversation has seen what may not flow to this tool";
const LIST = ["notes.list", '{"path":""}', "auto"] as const;

const OPERATOR: readonly Line[] = [
  [["notes.read", '{"path":"todo.txt"}', "auto"]],
  [["notes.write", '{"path":"ada.txt","content":"call Ada"}', "consent"]],
  [["notes.delete", '{"path":"todo.txt"}', "stepUp"]],
  [["notes.write", '{"path":"locked/a.txt","content":"x"}', `forbidden refusedByPolicy: ${FORBIDDEN}`]],
  [["notes.write", '{"path":"/./locked//b/../a.txt","content":"x"}', `forbidden refusedByPolicy: ${FORBIDDEN}`]],
  [["notes.write", '{"path":"lockedlike/a.txt","content":"x"}', "consent"]],
  [["machine.show", "{}", NO_TOOL]],
  [["notes.burn", "{}", NO_TOOL]],
  [["notes.read", '{"path":', expect.stringMatching(/^invalidArguments: /)]],
  [["notes.read", '{"path":1}', "invalidArguments: path is not a text"]],
  [
    LIST,
    LIST,
    LIST,
    LIST,
    ["notes.list", '{"path":""}', "auto refusedByPolicy: used up: quota 4 readOnly per turn"],
    ["notes.write", '{"path":"bob.txt","content":"call Bob"}', "consent"],
  ],
  [LIST],
  [["notes.delete", '{"path":"todo.txt"}', "stepUp"]],
  [["journal.follow", '{"pattern":"a line that nobody writes"}', "auto"]],
  [["journal.tail", '{"lines":5}', "auto"]],
  [["notes.write", '{"path":"bob.txt","content":"call Bob"}', LEAK]],
  [["notes.delete", '{"path":"todo.txt"}', LEAK.replace("consent", "stepUp")]],
  [["notes.read", '{"path":"todo.txt"}', "auto"]],
];

const VISITOR: readonly Line[] = [
  [["notes.read", '{"path":"todo.txt"}', "auto"]],
  [["machine.show", "{}", "auto"]],
  [["notes.write", '{"path":"bob.txt","content":"call Bob"}', NO_TOOL]],
  [["notes.delete", '{"path":"todo.txt"}', NO_TOOL]],
  [["journal.tail", '{"lines":5}', NO_TOOL]],
];

test.each([
  ["operator", OPERATOR, "internal/untrusted"],
  ["visitor", VISITOR, "internal/reviewed"],
])("%s: every call of the conversation is decided as the README says", async (session, lines, label) => {
  const { tables } = await compiled();
  let conversation = opened(tables, session);
  for (const line of lines) {
    conversation = startTurn(tables, conversation);
    for (const [tool, args, decided] of line) {
      const decision = decide(tables, conversation, { tool, arguments: args });
      if (decision.kind === "refused") {
        const { mode, outcome, reason } = decision;
        expect(`${mode === undefined ? "" : `${mode} `}${outcome}: ${reason}`).toEqual(decided);
        continue;
      }
      expect(decision.gate).toBe(decided);
      const ran = admit(tables, { ...conversation, spent: decision.spent }, decision.tool);
      expect(ran.withheld).toBe(false);
      conversation = ran.conversation;
    }
  }
  expect(words(tables, conversation)).toBe(label);
});

test("each session's model is offered only its own tools", async () => {
  const { tables } = await compiled();
  const seen = (session: string) => listAdvertisedTools(tables, opened(tables, session)).map(({ tool }) => tool.name);
  const notes = ["notes.delete", "notes.list", "notes.read", "notes.write"];
  expect(seen("operator")).toEqual(["journal.follow", "journal.tail", ...notes]);
  expect(seen("visitor")).toEqual(["machine.show", "notes.list", "notes.read"]);
});

test("the conversation starts at public/reviewed, alice belongs to the operator, and calls have a timeout", async () => {
  const { tables, policy } = await compiled();
  const [operator, visitor] = tables.rows;
  expect(tables.rows.map((row) => [row.session, row.kind, row.principals])).toEqual([
    ["operator", "operator", [0]],
    ["visitor", "guest", []],
  ]);
  expect(tables.principals.map(({ name, keys }) => [name, keys.length])).toEqual([["alice", 1]]);
  expect(operator?.timeouts).toEqual({ callMs: 8000, turnMs: 120_000, loginMs: 0, idleMs: 0 });
  expect(visitor?.timeouts.callMs).toBe(30_000);
  expect(words(tables, opened(tables, "operator"))).toBe("public/reviewed");
  expect(policy.services.map(({ name, implementation, stateBytes }) => [name, implementation, stateBytes])).toEqual([
    ["journal", "logs", 0],
    ["machine", "status", 0],
    ["notes", "files", 16 * 1024 * 1024],
  ]);
});

function opened(tables: IndexedTables, session: string): Conversation {
  const conversation = openConversation(tables, session);
  if (conversation === undefined) throw new Error(`no session ${session}`);
  return conversation;
}

function words({ lattice }: IndexedTables, { label }: Conversation): string {
  return `${lattice.confidentiality[label.confidentiality]}/${lattice.integrity[label.integrity]}`;
}
