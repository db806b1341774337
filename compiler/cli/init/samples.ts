// Writes tests for a page that was made by a program: what the page decides about a call of each of its tools.

import type { Json } from "../../../engine/lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { Param, Tool, Type } from "../../../engine/lib/wire/generated/policy.ts";
import { isError } from "../../../lang/diagnostics/index.ts";
import { quoteText, renderName } from "../../../lang/format/index.ts";
import { compile } from "../../compile.ts";
import { runTests } from "../../queries/page-tests/index.ts";
import { createProjectHost, PAGE } from "./settle.ts";

/** Decisions that a test can expect, the strictest first. */
const DECISIONS = ["unknownTool", "forbidden", "stepUp", "consent", "auto"] as const;
type Decision = (typeof DECISIONS)[number];

/** A call of a tool, and what the page decides about it in one session. */
interface DecidedCall {
  readonly tool: string;
  readonly given: Readonly<Record<string, Json>>;
  readonly decision: Decision;
}

/**
 * Returns a call of each tool with its required arguments, and the decision about it in `session`, in the order of the
 * tables. A call whose decision is not in `DECISIONS` is left out. `files` are the page `system.cap` and the files that
 * it names. Fails if the page has errors once it contains a test of each call, for example because it is then too long.
 */
export async function decideSampleCalls(
  files: Readonly<Record<string, string>>,
  session: string,
): Promise<Result<readonly DecidedCall[]>> {
  const compiled = await compilePage(files);
  const calls = (compiled.policy?.tables.tools ?? []).map(createSampleCall);
  const tests = calls.flatMap((call, index) =>
    DECISIONS.map((decision) => renderTest(`${index} ${decision}`, session, [{ ...call, decision }])),
  );
  const text = insertTests(files["system.cap"] ?? "", tests);
  const { policy, origins, model, diagnostics } = await compilePage({ ...files, "system.cap": text });
  if (policy === undefined || origins === undefined || model === undefined)
    return refuse(diagnostics.find(isError)?.message ?? "the page has errors with them");
  const passed = new Set(
    runTests(policy, origins, model).results.flatMap(({ test, failures }) =>
      failures.length === 0 ? [test.title] : [],
    ),
  );
  return accept(
    calls.flatMap((call, index) => {
      const decision = DECISIONS.find((each) => passed.has(`${index} ${each}`));
      return decision === undefined ? [] : [{ ...call, decision }];
    }),
  );
}

function compilePage(files: Readonly<Record<string, string>>): ReturnType<typeof compile> {
  return compile(createProjectHost(files["system.cap"] ?? "", files), PAGE, {
    purpose: "check",
    advice: "left",
    proofs: "left",
  });
}

function createSampleCall({ name, params }: Tool): Omit<DecidedCall, "decision"> {
  return { tool: name, given: sampleRecord(params) };
}

function sampleRecord(params: readonly Param[]): Record<string, Json> {
  const required = params.filter((param) => param.required);
  return Object.fromEntries(required.map(({ name, type }) => [name, sampleValue(type)]));
}

function sampleValue(type: Type): Json {
  switch (type.which) {
    case "boolean":
      return true;
    case "integer": {
      const { low, high } = type.integer;
      return Number(low > 1n ? low : high < 1n ? high : 1n);
    }
    case "number":
      return 1;
    case "text":
      return "x";
    case "choice":
      return type.choice[0] ?? "";
    case "list":
      return [];
    case "record":
      return sampleRecord(type.record);
    case "json":
      return type.json.form === "object" ? {} : type.json.form === "list" ? [] : "x";
    case "either":
      return type.either[0] === undefined ? "x" : sampleValue(type.either[0]);
  }
}

/** Returns an unformatted test of a page. */
export function renderTest(title: string, session: string, calls: readonly DecidedCall[]): string {
  const lines = calls.map(({ tool, given, decision }) => `call ${tool} ${renderValue(given)} expect ${decision}`);
  return `test ${quoteText(title)} { as ${session}\n${lines.join("\n")} }`;
}

function renderValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(renderValue).join(", ")}]`;
  if (typeof value === "string") return quoteText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => `${renderName({ text: name })}: ${renderValue(each)}`);
  return `{ ${fields.join(", ")} }`;
}

/** Returns the page with the tests at its end, inside of the system. */
export function insertTests(page: string, tests: readonly string[]): string {
  const end = page.lastIndexOf("}");
  return `${page.slice(0, end)}\n${tests.join("\n\n")}\n${page.slice(end)}`;
}

/**
 * Returns a script in which a person calls each tool that does not run by itself, and denies each call that needs
 * approval.
 */
export function renderChat(calls: readonly DecidedCall[]): string {
  const acts = calls.flatMap(renderActs);
  const head =
    "# What a person calls, and what has to come of it. `make test` plays it, and so does `make run SCRIPT=talk.chat` on a machine.";
  return `${[head, ...(acts.length === 0 ? ["> /help", "< /exit"] : acts)].join("\n")}\n`;
}

function renderActs({ tool, given, decision }: DecidedCall): readonly string[] {
  const typed = `> /tool ${tool} ${JSON.stringify(given)}`;
  switch (decision) {
    case "unknownTool":
      return [typed, "< unknownTool"];
    case "forbidden":
      return [typed, "< refusedByPolicy"];
    case "consent":
      return [typed, "? refuse", "< deniedByUser"];
    case "stepUp":
      return [typed, "? refuse", "< stepUpFailed"];
    case "auto":
      return [];
  }
}

/** Returns the replies of a stub model: for the line `Call TOOL.` it proposes a call of that tool. */
export function renderReplies(calls: readonly DecidedCall[]): string {
  const replies = calls.map(({ tool, given }) => ({
    when: { user: `Call ${tool}.` },
    call: [{ name: tool, arguments: given }],
  }));
  return `${JSON.stringify(replies, undefined, 2)}\n`;
}
