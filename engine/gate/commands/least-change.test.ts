import { expect, test } from "vitest";
import { type Conversation, decide, type IndexedTables, openConversation } from "../../policy/index.ts";
import { always, check, indexed, PUBLIC, row, SECRET, tool, where } from "../../policy/testing/sample.ts";
import { leastChange } from "./least-change.ts";

const NONE = ["no change of one line is known that would loosen this"];
const LAWS = "whether the laws allow it, `capc why` tells, which has the page";
const floor = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 2n };

function asked(tables: IndexedTables, name: string, changes: Partial<Conversation> = {}, path = "a") {
  const opened = openConversation(tables, "operator");
  if (opened === undefined) throw new Error("the tables have no such session");
  const conversation = { ...opened, ...changes };
  const call = { tool: name, arguments: JSON.stringify({ path }) };
  return leastChange(tables, conversation, call, decide(tables, conversation, call));
}

test("one line of one tool: nothing else is opened, and what only reads may run without a question", () => {
  const tables = indexed({
    tools: [tool("notes.read", { readOnly: true }), tool("notes.write")],
    decisions: [
      { clauses: [always("forbidden")], floors: [] },
      { clauses: [always("stepUp", 1)], floors: [] },
    ],
    rows: [row("operator", [2, 3])],
  });
  expect(asked(tables, "notes.read")).toEqual([
    "least change, after which the answer is auto:",
    "  the first line (a.cap:1:1) becomes auto",
    "it opens nothing else",
    LAWS,
  ]);
  expect(asked(tables, "notes.write")[1]).toBe("  the second line (a.cap:2:1) becomes auto");
});

test("what hangs on the same line is told: in other rows, under conditions, and behind a floor", () => {
  const tables = indexed({
    tools: [tool("notes.list"), tool("notes.read"), tool("notes.write")],
    decisions: [
      { clauses: [always("consent")], floors: [] },
      { clauses: [where([check("path", "equal", "a")], "consent", "auto")], floors: [] },
      { clauses: [always("auto", 1)], floors: [{ ...floor, unattended: false, mode: "stepUp", rule: 0 }] },
    ],
    rows: [
      row("operator", [2, 3, 4]),
      row("operator", [2, 0, 0], { task: "triage", phase: "look" }),
      row("visitor", [2, 0, 0]),
    ],
  });
  expect(asked(tables, "notes.list").slice(2)).toEqual([
    "what else that opens:",
    "  operator notes.read: consent → auto",
    "  operator notes.write: auto → auto, under other conditions",
    "  operator.triage.look notes.list: consent → auto",
    "  visitor notes.list: consent → auto",
    LAWS,
  ]);
});

test("no line helps where another asks as much, where the words may not flow, where arguments do not fit", () => {
  const tables = indexed({
    tools: [tool("notes.read", { sink: PUBLIC }), tool("notes.write")],
    decisions: [
      { clauses: [always("auto")], floors: [] },
      { clauses: [always("forbidden"), always("forbidden", 1)], floors: [] },
      { clauses: [always("consent")], floors: [] },
    ],
    rows: [row("operator", [2, 3])],
  });
  expect(asked(tables, "notes.write")).toEqual(NONE);
  expect(asked(tables, "notes.read", { label: SECRET })).toEqual(NONE);
  expect(asked(tables, "notes.read", {}, "x".repeat(65))).toEqual(NONE);
  expect(asked(tables, "notes.read")).toEqual(["nothing asks: there is no looser answer"]);
});

test("of much that is opened a screen is told, and how much more there is", () => {
  const tools = Array.from({ length: 30 }, (_, index) => tool(`notes.t${10 + index}`));
  const tables = indexed({
    tools,
    decisions: [{ clauses: [always("consent")], floors: [] }],
    rows: [
      row(
        "operator",
        tools.map(() => 2),
      ),
    ],
  });
  const lines = asked(tables, "notes.t10");
  expect([lines.length, lines.at(-2)]).toEqual([25, "  and 9 more"]);
});
