// Compares the golden decisions of every example with a gate: it calls each tool in each row, and the outcome must
// equal the golden outcome. The gate's neighbours are mocks, and the person approves and signs every question.
import { expect, test } from "vitest";
import { mayFlow, renderPlainArguments } from "../../../engine/lib/policy/index.ts";
import type { PolicyTables, Row, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { answerCommand } from "../../../engine/processes/gate/commands/index.ts";
import { Stage } from "../../../engine/processes/gate/testing/stage.ts";
import { compileExample, listExampleNames, readGoldenDecisions } from "../golden/golden.ts";

const never = new AbortController().signal;

/**
 * Returns a gate whose conversation is in the session, task and phase of the row. The person has logged in if the row
 * requires a login.
 */
async function stageIn(tables: PolicyTables, row: Row): Promise<Stage> {
  const { session, task, phase, phaseIndex, login } = row;
  const services = [...new Set(tables.tools.map(({ provider }) => provider))];
  const stage = new Stage({ tables, session, services, said: ["granted", "granted", "granted", "granted"] });
  const parts = { gate: stage.gate, held: new Map<string, bigint>(), supervisor: stage.audit };
  if (login !== "none") await answerCommand(parts, "login", "", never);
  if (task !== "") await answerCommand(parts, "task", task, never);
  if (phaseIndex > 0) await answerCommand(parts, "phase", phase, never);
  expect([stage.gate.row, stage.gate.conversation.label]).toEqual([{ task, phase }, row.starts]);
  return stage;
}

/** Returns the simplest arguments of a tool. If the tool sends requests, they name the first server of its grant. */
function renderArguments({ params, servers }: Tool): string {
  const plain = renderPlainArguments(params);
  const [server] = servers;
  if (server === undefined) return plain;
  const { scheme, host, port, path } = server;
  const url = `${scheme}://${host === "*" ? "www.example.com" : host}:${port}${path}`;
  const named: object = JSON.parse(plain);
  return JSON.stringify({ ...named, ...("url" in named ? { url } : { path }) });
}

/** Calls a tool with the simplest arguments. Returns the mode of the call, or its outcome if the call does not run. */
async function decided(tables: PolicyTables, row: Row, tool: Tool): Promise<string> {
  const { name, result } = tool;
  const stage = await stageIn(tables, row);
  const before = stage.questions.length;
  const { outcome } = await stage.gate.personCalls.call({ id: "1", name, arguments: renderArguments(tool) }, never);
  const question = stage.questions[before];
  if (stage.sent.length === 0) {
    expect(question).toBe(undefined);
    return outcome;
  }
  // If the result is above the session's clearance, the call still runs, and the gate withholds the result.
  expect([stage.sent.length, outcome]).toEqual([1, mayFlow(result.high, row.clearance) ? "ok" : "refusedByPolicy"]);
  expect((question?.challenge ?? "") !== "").toBe(question?.mode === "stepUp");
  return question?.mode ?? "auto";
}

for (const example of listExampleNames()) {
  test(`${example}: a gate decides each call as its golden states`, async () => {
    const { tables } = (await compileExample(example)).policy;
    const lines = readGoldenDecisions(example)
      .slice(1)
      .map((line) => line.split("\t"));
    let at = 0;
    for (const row of tables.rows) {
      for (const tool of tables.tools) {
        const [session, task, phase, worker, name, , , answer] = lines[at++] ?? [];
        const place = [row.session, row.task, row.phase, row.worker].map((part) => part || "-");
        expect([session, task, phase, worker, name]).toEqual([...place, tool.name]);
        // The rows of workers are skipped: a person's command cannot reach them, and no gate starts a worker yet.
        if (row.worker === "")
          expect([...place, name, await decided(tables, row, tool)]).toEqual([...place, name, answer]);
      }
    }
    expect(at).toBe(lines.length);
  });
}
