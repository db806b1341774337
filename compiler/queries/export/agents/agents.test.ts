// Tests exports to agents such as Claude Code. A simulated agent makes calls that its exported rules allow, and the
// gate decides each call. The gate of the page must not be stricter than the answer of the rules.

import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { admit, beginIn, decide, type IndexedTables } from "../../../../engine/lib/policy/index.ts";
import { anyTables } from "../../../../engine/lib/policy/testing/arbitrary.ts";
import { indexed, tool } from "../../../../engine/lib/policy/testing/sample.ts";
import { compileExample, listExampleNames } from "../../../dev/golden/golden.ts";
import { indexPolicyTables } from "../../../phases/policy/index.ts";
import { collectRowCells, placeName } from "../cells.ts";
import { exportPolicy } from "../export.ts";
import { answerIn } from "../testing/agent-rules.ts";
import { withoutBytes } from "../testing/answers.ts";
import { argumentsFor } from "../testing/questions.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { type AgentAnswer, settleAnswers } from "./settled.ts";

interface Led {
  readonly wrong: readonly string[];
  /** Answers of the exported rules to the calls that the agent made. */
  readonly made: readonly AgentAnswer[];
}

/** Makes a sequence of calls that the export allows; each number in `choices` selects a call. */
function led(tables: IndexedTables, rowIndex: number, choices: readonly number[]): Led {
  const row = tables.rows[rowIndex];
  if (row === undefined) return { wrong: [], made: [] };
  const cells = collectRowCells(tables, row);
  const { answers } = settleAnswers(cells, () => true);
  const open = cells.filter((cell) => answers.get(cell.tool) !== "deny");
  let conversation = beginIn(row, rowIndex);
  const wrong: string[] = [];
  const made: AgentAnswer[] = [];
  for (const choice of open.length === 0 ? [] : choices) {
    const cell = open[choice % open.length];
    const answer = cell && answers.get(cell.tool);
    if (cell === undefined || answer === undefined) continue;
    const texts = argumentsFor(cell);
    const call = { tool: cell.tool.name, arguments: texts[choice % texts.length] ?? "{}" };
    // A call with `consent` needs a person. So only calls that the export allows without a prompt can run while no
    // person is present. The test makes about a third of these calls without a person.
    const decision = decide(tables, { ...conversation, unattended: answer === "allow" && choice % 3 === 0 }, call);
    if (decision.kind === "refused" && decision.outcome === "invalidArguments") continue;
    made.push(answer);
    const isFine =
      decision.kind === "gated" && (decision.gate === "auto" || (answer === "ask" && decision.gate === "consent"));
    if (!isFine) wrong.push(`${call.tool} ${call.arguments}: ${answer}, and the gate says ${decision.reason}`);
    const label = choice % 2 === 0 ? cell.tool.result.high : cell.tool.result.low;
    const { conversation: next, withheld } = admit(tables, conversation, tables.tools.indexOf(cell.tool), label);
    if (withheld) wrong.push(`${call.tool}: its result is withheld`);
    // The exported format cannot express quotas, so each call is made as if no quota were spent.
    conversation = { ...next, spent: conversation.spent };
  }
  return { wrong, made };
}

const examples = new Map<string, IndexedTables>();
beforeAll(async () => {
  for (const name of listExampleNames()) examples.set(name, indexPolicyTables((await compileExample(name)).policy));
});

function example(name: string): IndexedTables {
  const tables = examples.get(name);
  if (tables === undefined) throw new Error("not compiled");
  return tables;
}

const anyChoices = fc.array(fc.nat(10_000), { minLength: 4, maxLength: 8 });

test("an agent that obeys an export of random tables makes no call for which the page has a stricter gate than the export", () => {
  const made: AgentAnswer[] = [];
  fc.assert(
    fc.property(anyTables, fc.nat(1), anyChoices, (any, row, choices) => {
      const one = led(withoutBytes(any), row, choices);
      expect(one.wrong).toEqual([]);
      made.push(...one.made);
    }),
    { numRuns: 1000 },
  );
  for (const answer of ["allow", "ask"] as const)
    expect(made.filter((one) => one === answer).length).toBeGreaterThan(50);
});

test.each(listExampleNames())(
  "%s: an agent that obeys the export of this example makes no call for which the page has a stricter gate than the export",
  (name) => {
    const tables = example(name);
    fc.assert(
      fc.property(fc.nat(tables.rows.length - 1), anyChoices, (row, choices) => {
        expect(led(tables, row, choices).wrong).toEqual([]);
      }),
      { numRuns: 30 },
    );
  },
);

const SAYABLE = { claude: claude.isSayable, codex: codex.isSayable, gemini: gemini.isSayable };

/** The test evaluates the rules and does not compare their text, so it does not depend on the format of rules. */
test.each(["claude", "codex", "gemini"] as const)("%s has a rule for each allowed tool and for no other", (target) => {
  for (const name of listExampleNames()) {
    const tables = example(name);
    for (const row of tables.rows) {
      const { answers } = settleAnswers(collectRowCells(tables, row), ({ tool: one }) => SAYABLE[target](one));
      const [file] = exportPolicy(tables, target, placeName(row)).files;
      const wanted = tables.tools.map((one) => [one.name, answers.get(one) ?? "deny"]);
      expect(tables.tools.map((one) => [one.name, answerIn(target, file?.text ?? "", one)])).toEqual(wanted);
    }
  }
});

/** Returns tables with one tool, which has the name `name` and the mode `auto`. */
function named(name: string): IndexedTables {
  const provider = name.split(".")[0] ?? "";
  return indexed({ tools: [tool(name, { provider })] });
}

test.each([
  ["claude", "my-notes.read_all", "allow"],
  ["claude", "notes.read__all", "deny"],
  ["claude", "my__notes.read", "deny"],
  ["claude", "notes_.read", "deny"],
  ["codex", "my_notes.read__all", "allow"],
  ["codex", "my notes.read", "deny"],
  ["gemini", "my-notes.read_all", "allow"],
  ["gemini", "my_notes.read", "deny"],
  ["gemini", `notes.${"x".repeat(53)}`, "allow"],
  ["gemini", `notes.${"x".repeat(54)}`, "deny"],
] as const)("%s: the exported rules about the tool %s say %s", (target, name, answer) => {
  const { files, losses } = exportPolicy(named(name), target, "operator");
  expect(answerIn(target, files[0]?.text ?? "", tool(name))).toBe(answer);
  expect(losses.some(({ code }) => code === "name-not-sayable")).toBe(answer === "deny");
});

test("the settings for Claude Code deny the agent's own tools", () => {
  const settings = JSON.parse(exportPolicy(named("notes.read"), "claude", "operator").files[0]?.text ?? "");
  for (const own of ["Bash", "Read", "LS", "NotebookRead", "Edit", "Write", "WebFetch", "WebSearch", "Agent", "Skill"])
    expect(settings.permissions.deny).toContain(own);
  expect(settings.permissions).toMatchObject({ defaultMode: "dontAsk", disableAutoMode: "disable" });
  expect(settings.disableAutoMode).toBe("disable");
});
