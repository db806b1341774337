import type { Json, Reference, RehearsalNode, Step } from "../../../lang/tree/index.ts";
import { type Context, noteUse, resolve, resolveWord } from "./context.ts";
import { bindGiven } from "./given.ts";
import { bindLabel } from "./lattice.ts";
import {
  ANSWERS,
  type Backend,
  type BoundStep,
  type BoundTest,
  EXPECTED,
  type ExpectedOutcome,
  type Lattice,
  type PersonsAnswer,
  type Task,
  type Tool,
} from "./model/index.ts";
import { resolveStartedSubject, type Subjects } from "./subjects.ts";

export interface RehearsalWords {
  readonly lattice: Lattice;
  readonly subjects: Subjects;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly backends: ReadonlyMap<string, Backend>;
}

/** Binds tests. Returns the tests with their names resolved; a test with an invalid step is reported and left out. */
export function bindTests(context: Context, words: RehearsalWords, nodes: readonly RehearsalNode[]): BoundTest[] {
  return nodes.flatMap((node): BoundTest[] => {
    const steps = node.steps.map((step) => bindStep(context, words, step));
    namePhases(context, steps);
    const whole = steps.flatMap((step) => step ?? []);
    return whole.length < steps.length ? [] : [{ title: node.title.value, steps: whole, node }];
  });
}

/**
 * Records each use of the name of a phase in the steps of a test. The last `as` step before the use decides to which
 * task the phase belongs.
 */
function namePhases(context: Context, steps: readonly (BoundStep | undefined)[]): void {
  let task: Task | undefined;
  for (const step of steps) {
    if (step?.kind === "as") task = step.who.kind === "task" ? step.who.task : undefined;
    const phase = step?.kind === "enter" ? step.node.name : undefined;
    if (phase === undefined || task?.phases.every(({ name }) => name !== phase.text) !== false) continue;
    noteUse(context, `phase of ${task.id}`, phase.text, phase.span);
  }
}

function bindStep(context: Context, words: RehearsalWords, node: Step): BoundStep | undefined {
  switch (node.kind) {
    case "as": {
      const who = resolveStartedSubject(context, words.subjects, node.who);
      const given = who && bindGiven(context, who, node);
      return who && given && { kind: "as", who, given, unattended: node.unattended, node };
    }
    case "say":
    case "paste":
      return { kind: node.kind, text: node.text.value, node };
    case "enter":
    case "infer":
      return bindMove(context, words, node);
    case "call":
      return bindCall(context, words, node);
  }
}

type MoveNode = Extract<Step, { readonly kind: "enter" | "infer" }>;

function bindMove(context: Context, words: RehearsalWords, node: MoveNode): BoundStep | undefined {
  const said = readAnswer(context, node);
  if (said === undefined) return undefined;
  // Which phases exist depends on the task that earlier steps began, so this is checked when the test runs.
  if (node.kind === "enter") return { kind: "enter", phase: node.name.text, ...said, node };
  const backend = resolve(context, { names: words.backends, what: "backend", name: node.name });
  return backend && { kind: "infer", backend, ...said, node };
}

type CallNode = Extract<Step, { readonly kind: "call" }>;

function bindCall(context: Context, words: RehearsalWords, node: CallNode): BoundStep | undefined {
  const said = readAnswer(context, node);
  const tool = words.tools.get(node.tool.text);
  const returning = node.returning && bindLabel(context, words.lattice, node.returning);
  if (said === undefined || (node.returning !== undefined && returning === undefined)) return undefined;
  if (tool === undefined && said.expect !== "unknownTool") return reportUnknownTool(context, words, node.tool);
  if (tool !== undefined) nameTool(context, tool, node.tool);
  const giving = node.giving && renderJson(node.giving);
  const call = { name: node.tool.text, tool, arguments: renderJson(node.arguments), returning, giving };
  return { kind: "call", ...call, ...said, node };
}

function nameTool(context: Context, { service, method }: Tool, { parts: [first, last] }: Reference): void {
  if (first !== undefined) noteUse(context, "service", service.name, first.span);
  if (last !== undefined) noteUse(context, `method of ${service.interface.name}`, method.name, last.span);
}

function reportUnknownTool(context: Context, words: RehearsalWords, name: Reference): undefined {
  if (!context.lost.has(name.parts[0]?.text ?? "")) resolve(context, { names: words.tools, what: "tool", name });
}

interface Said {
  readonly answer: PersonsAnswer | undefined;
  readonly expect: ExpectedOutcome;
}

function readAnswer(context: Context, node: MoveNode | CallNode): Said | undefined {
  const expect = resolveWord(context, "mode or outcome", EXPECTED, node.expect);
  const answer = node.answer && resolveWord(context, "answer", ANSWERS, node.answer);
  return expect === undefined || (node.answer !== undefined && answer === undefined) ? undefined : { answer, expect };
}

/**
 * Returns arguments as JSON, in the form in which a model would send them. Names may be repeated, so that a test can
 * show that the gate refuses this.
 */
export function renderJson(json: Json): string {
  switch (json.kind) {
    case "text":
      return JSON.stringify(json.value.value);
    case "number":
      return json.value.decimal;
    case "boolean":
      return String(json.value);
    case "null":
      return "null";
    case "list":
      return `[${json.items.map(renderJson).join(",")}]`;
    case "record":
      return `{${json.fields.map(({ name, value }) => `${JSON.stringify(name)}:${renderJson(value)}`).join(",")}}`;
  }
}
