import { expect, test } from "vitest";
import { always, PUBLIC, row, SECRET, tool } from "../../lib/policy/testing/sample.ts";
import type { Label, PolicyTables, Row } from "../../lib/wire/generated/policy.ts";
import { propose } from "./testing/calls.ts";
import { Stage } from "./testing/stage.ts";

const UNTRUSTED = { ...PUBLIC, integrity: 0 };
const FIXED = "this conversation has seen what may not flow to this tool";

/** `a.read` returns secret data, `web.read` untrusted data; `web.find` accepts public data, and `post.send` reviewed public data. */
function page(changes: Partial<Row> = {}): Partial<PolicyTables> {
  const read = (name: string, label: Label) => tool(name, { readOnly: true, result: { low: label, high: label } });
  const tools = [
    read("a.read", SECRET),
    tool("post.send", { sink: PUBLIC }),
    tool("web.find", { sink: UNTRUSTED }),
    read("web.read", UNTRUSTED),
  ];
  const clauses = [always("auto"), always("consent")].map((clause) => ({ clauses: [clause], floors: [] }));
  const answering = row("operator", [2, 3, 3, 2], changes);
  return { tools, decisions: clauses, rows: [answering] };
}

async function sayOf(stage: Stage, name: string): Promise<string> {
  await stage.gate.personCalls.call({ id: "1", name, arguments: '{"path":"a"}' }, new AbortController().signal);
  const { hasMode, mode, outcome, detail } = stage.notices.at(-1) ?? {};
  return `${hasMode === true ? `${mode} ` : ""}${outcome}: ${detail}`;
}

const SERVICES = ["a", "web", "post"];

test("a refusal by flow names the data, the tool's limit and /new as the way out to a person, but no mode", async () => {
  const stage = new Stage({ tables: page(), services: SERVICES });
  await sayOf(stage, "a.read");
  expect(await sayOf(stage, "web.find")).toBe(
    "refusedByPolicy: this conversation has results of a.read (secret), and web.find accepts at most public; /new begins one without them",
  );
  await sayOf(stage, "web.read");
  expect(await sayOf(stage, "post.send")).toBe(
    "refusedByPolicy: this conversation has results of a.read (secret), web.read (untrusted), and post.send accepts at most public and at least reviewed; /new begins one without them",
  );
});

test("the model and the record get only the fixed sentence of a refusal by flow", async () => {
  const stage = new Stage({ tables: page(), services: SERVICES });
  await sayOf(stage, "a.read");
  stage.gate.session.beginTurn();
  const refused = await propose(stage, { id: "2", name: "web.find", arguments: '{"path":"a"}' });
  expect(refused).toMatchObject({ outcome: "refusedByPolicy", error: FIXED });
  expect(stage.entries.at(-1)).toMatchObject({ outcome: { error: FIXED } });
  expect(stage.notices.at(-1)?.detail).toContain("a.read (secret)");
});

test("a refusal by flow names the conversation's label if no call of this run raised the label", async () => {
  const stage = new Stage({ tables: page({ starts: SECRET }), services: SERVICES });
  expect(await sayOf(stage, "web.find")).toBe(
    "refusedByPolicy: this conversation is at secret/reviewed, and web.find accepts at most public",
  );
});

test("a refusal by flow does not propose /new in a session without a model", async () => {
  const stage = new Stage({ tables: { ...page({ backends: [] }), backends: [] }, services: SERVICES });
  await sayOf(stage, "a.read");
  expect(await sayOf(stage, "web.find")).toMatch(/accepts at most public$/);
});

test("a notice of a refusal that is not by flow shows its reason and its mode", async () => {
  const stage = new Stage({ tables: page(), services: SERVICES, said: ["denied"] });
  expect(await sayOf(stage, "web.find")).toBe("consent deniedByUser: the person said no");
});
