import { expect, test } from "vitest";
import { decide, enterPhase, indexTables, openConversation, openTask } from "../../../engine/lib/policy/index.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import { compilePolicy, compilePolicyOnPaper, renderFactsPage } from "../../dev/fixtures/facts.ts";

const TASKS = (task: string, rest = "") =>
  renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service machine : Status {}",
    sessions: `session operator { kind operator  models { auto canned }
        permit { auto readOnly  consent mutatingLocal }
        quota { 9 calls per turn  30 calls per task }  timeout { 5 s per call } }
      session night extends operator { suppress notes.list }
      task triage in operator { ${task} } ${rest}`,
  });
const PHASES = `only notes.*  quota { 4 prompts per task }
  phase look { only notes.read, notes.list  timeout { 2 s per call } }
  phase mend after consent { permit { consent notes.read  forbidden notes.list } }`;

/** Returns the decision for each tool in every row, by the names of the row's session, task, phase and worker. */
function rowsOf({ tables }: Policy): Record<string, Record<string, string>> {
  const indexed = indexTables(tables);
  if (!indexed.ok) throw new Error(indexed.reason);
  const named = tables.rows.map((row, index) => {
    const cells = tables.tools.map(({ name }) => {
      const args = name.endsWith("show") ? {} : { path: "a", ...(name.endsWith("write") ? { content: "b" } : {}) };
      const conversation = { row: index, label: row.starts, unattended: false, spent: row.quotas.map(() => 0n) };
      const decision = decide(indexed.value, conversation, { tool: name, arguments: JSON.stringify(args) });
      return [name, decision.kind === "gated" ? decision.gate : decision.outcome] as const;
    });
    const shown = cells.filter(([, answer]) => answer !== "unknownTool");
    return [[row.session, row.task, row.phase, row.worker].join("/"), Object.fromEntries(shown)] as const;
  });
  return Object.fromEntries(named);
}

test("ruling 5: session, task and phase are each resolved alone, and the strictest decision wins", async () => {
  expect(rowsOf(await compilePolicy(TASKS(PHASES)))).toMatchObject({
    "operator///": { "machine.show": "auto", "notes.list": "auto", "notes.read": "auto", "notes.write": "consent" },
    "operator/triage/look/": { "notes.list": "auto", "notes.read": "auto" },
    "operator/triage/mend/": { "notes.list": "refusedByPolicy", "notes.read": "consent", "notes.write": "consent" },
  });
});

test("ruling 5: a task does not allow a tool that its session does not", async () => {
  const rows = rowsOf(await compilePolicy(TASKS("permit { auto readOnly  auto destructive  consent notes.read }")));
  expect(rows["operator/triage//"]).toEqual({
    "machine.show": "auto",
    "notes.list": "auto",
    "notes.read": "consent",
    "notes.write": "consent",
  });
});

test("a session that requires a task forbids all calls outside of tasks, and its rules still limit its tasks", async () => {
  const page = TASKS("only notes.*").replace("kind operator", "kind operator  requires task");
  const policy = await compilePolicy(page);
  const rows = rowsOf(policy);
  expect(rows["operator///"]).toEqual({
    "machine.show": "refusedByPolicy",
    "notes.delete": "refusedByPolicy",
    "notes.list": "refusedByPolicy",
    "notes.read": "refusedByPolicy",
    "notes.write": "refusedByPolicy",
  });
  expect(rows["night/triage//"]).toEqual({ "notes.read": "auto", "notes.write": "consent" });
  const { tables } = policy;
  expect(tables.rows.map(({ session, task, requiresTask }) => [session, task, requiresTask])).toEqual([
    ["night", "", true],
    ["night", "triage", false],
    ["operator", "", true],
    ["operator", "triage", false],
  ]);
  expect(
    tables.rows.filter(({ requiresTask }) => requiresTask).map(({ taskRule }) => tables.rules[taskRule]?.id),
  ).toEqual(["operator/requires task", "operator/requires task"]);
});

test("ruling 7: a tool that an `only` does not list does not exist", async () => {
  const { tables } = await compilePolicy(TASKS(PHASES));
  const look = tables.rows.find(({ session, phase }) => session === "operator" && phase === "look");
  expect(tables.tools.filter((_, index) => look?.cells[index] !== 0).map(({ name }) => name)).toEqual([
    "notes.list",
    "notes.read",
  ]);
});

test("ruling 8: a task begins in its first phase, and the next phase has a gate", async () => {
  const indexed = indexTables((await compilePolicy(TASKS(PHASES))).tables);
  if (!indexed.ok) throw new Error(indexed.reason);
  const begun = openTask(indexed.value, "operator", "triage");
  if (!begun.ok) throw new Error(begun.reason);
  expect([begun.value.gate, indexed.value.rows[begun.value.conversation.row]?.phase]).toEqual(["auto", "look"]);
  const mend = enterPhase(indexed.value, begun.value.conversation, "mend");
  if (!mend.ok) throw new Error(mend.reason);
  expect(mend.value.gate).toBe("consent");
  expect(indexed.value.rules[mend.value.rule ?? -1]).toMatchObject({
    id: "operator.triage.mend/phase mend after consent",
    words: "phase mend after consent",
  });
});

test("ruling 16: a row of a task counts the quotas of its session, its task and its phase separately", async () => {
  const { tables } = await compilePolicy(TASKS(`${PHASES} phase late after consent { quota { 1 calls per turn } }`));
  const counted = (phase: string) =>
    tables.rows
      .find((row) => row.session === "operator" && row.phase === phase)
      ?.quotas.map(({ rule }) => tables.rules[rule]?.id);
  expect(counted("")).toEqual(["operator/quota 9 calls per turn"]);
  expect(counted("late")).toEqual([
    "operator/quota 30 calls per task",
    "operator/quota 9 calls per turn",
    "operator.triage.late/quota 1 calls per turn",
    "operator.triage/quota 4 prompts per task",
  ]);
});

test("the shortest timeout of all layers applies", async () => {
  const { tables } = await compilePolicy(TASKS(PHASES));
  const times = tables.rows.map(({ session, phase, timeouts }) => [session, phase, timeouts.callMs]);
  expect(times.slice(0, 3)).toEqual([
    ["night", "", 5000],
    ["night", "look", 2000],
    ["night", "mend", 5000],
  ]);
});

test("ruling 19: a session that extends another inherits its tasks, and narrows them", async () => {
  const rows = rowsOf(await compilePolicy(TASKS(PHASES)));
  expect(rows["night/triage/look/"]).toEqual({ "notes.read": "auto" });
  const { tables } = await compilePolicy(TASKS(PHASES));
  expect(tables.rows.map(({ session, task, phase }) => [session, task, phase].join("/"))).toEqual([
    "night//",
    "night/triage/look",
    "night/triage/mend",
    "operator//",
    "operator/triage/look",
    "operator/triage/mend",
  ]);
});

test("a worker has a row in each place where it can start, with the stricter decision of worker and place", async () => {
  const policy = await compilePolicyOnPaper(
    TASKS(PHASES, "worker digest in operator { only readOnly  permit { consent * } }"),
  );
  if (policy === undefined) throw new Error("the page is lawful");
  const rows = rowsOf(policy);
  expect(Object.keys(rows).filter((name) => name.endsWith("/digest"))).toHaveLength(6);
  expect(rows["operator///digest"]).toEqual({
    "machine.show": "consent",
    "notes.list": "consent",
    "notes.read": "consent",
  });
  expect(rows["operator/triage/mend/digest"]).toEqual({ "notes.list": "refusedByPolicy", "notes.read": "consent" });
});

test("ruling 15: consent is remembered only if the session allows it, and no longer than each layer allows", async () => {
  const remembering = (session: string, task: string) =>
    renderFactsPage({
      sessions: `session operator { kind operator models { auto canned } permit { auto readOnly } ${session} }
        session night extends operator { remember conversation }  task triage in operator { ${task} }`,
    });
  const kept = async (session: string, task: string) =>
    (await compilePolicyOnPaper(remembering(session, task)))?.tables.rows.map(({ remember }) => remember);
  expect(await kept("remember conversation", "remember turn")).toEqual([
    "conversation",
    "turn",
    "conversation",
    "turn",
  ]);
  expect(await kept("remember turn", "remember conversation")).toEqual(["turn", "turn", "turn", "turn"]);
  expect(await kept("", "remember turn")).toEqual(["none", "none", "none", "none"]);
});

test("an ingress leads to the first row of its session or task", async () => {
  const text = TASKS(PHASES, 'ingress desk : mail "ops@example.net" into triage label internal/untrusted');
  const tables = (await compilePolicyOnPaper(text))?.tables;
  const [desk] = tables?.ingresses ?? [];
  expect(desk).toMatchObject({ name: "desk", source: "mail", address: "ops@example.net" });
  expect(tables?.rows[desk?.row ?? -1]).toMatchObject({ session: "operator", task: "triage", phase: "look" });
});

test("a conversation that begins outside of a task uses the row of its session", async () => {
  const indexed = indexTables((await compilePolicy(TASKS(PHASES))).tables);
  if (!indexed.ok) throw new Error(indexed.reason);
  const conversation = openConversation(indexed.value, "operator");
  expect(indexed.value.rows[conversation?.row ?? -1]).toMatchObject({ session: "operator", task: "", phase: "" });
});
