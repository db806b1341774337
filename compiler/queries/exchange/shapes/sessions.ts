import type {
  ClearanceNode,
  ModelsNode,
  PhaseNode,
  SessionAttribute,
  SessionNode,
  TaskNode,
  TaskParameterNode,
  WidenLine,
  WidenNode,
  WorkerNode,
} from "../../../../lang/tree/index.ts";
import { either, record } from "../record.ts";
import { flag, listOf, oneOf, optional, type Shape } from "../shape.ts";
import { release } from "./claims.ts";
import { line } from "./lines.ts";
import { doc, label, mode, name, reference, words } from "./names.ts";
import { NARROWING, narrowing, quota } from "./narrowing.ts";

const models: Shape<ModelsNode> = record({
  kind: oneOf("models"),
  choices: listOf(record<ModelsNode["choices"][number]>({ mode, backend: name })),
});

const clearance: Shape<ClearanceNode> = record({ kind: oneOf("clearance"), label });

const widenLine: Shape<WidenLine> = record({ kind: oneOf("line"), line });

const widen: Shape<WidenNode> = record({
  kind: oneOf("widen"),
  changes: listOf(either<WidenNode["changes"][number], "kind">("kind", { line: widenLine, models, clearance, quota })),
  because: words,
  until: optional(words),
});

const attribute: Shape<SessionAttribute> = either<SessionAttribute, "kind">("kind", {
  kind: record({ kind: oneOf("kind"), name }),
  principals: record({ kind: oneOf("principals"), names: listOf(name) }),
  login: record({ kind: oneOf("login"), proof: name }),
  requires: record({ kind: oneOf("requires") }),
  starts: record({ kind: oneOf("starts"), label }),
  models,
  clearance,
  widen,
  ...NARROWING,
});

type Base = NonNullable<SessionNode["base"]>;

export const session: Shape<SessionNode> = record({
  kind: oneOf("session"),
  name,
  doc,
  abstract: flag,
  base: optional(record<Base>({ relation: oneOf("extends", "from"), name: reference })),
  attributes: listOf(attribute),
});

const phase: Shape<PhaseNode> = record({
  kind: oneOf("phase"),
  name,
  doc,
  after: optional(mode),
  attributes: listOf(narrowing),
});

const taskParameter: Shape<TaskParameterNode> = record({ name, type: name, currency: optional(name) });

export const task: Shape<TaskNode> = record({
  kind: oneOf("task"),
  name,
  doc,
  parameters: listOf(taskParameter),
  session: reference,
  attributes: listOf(either<TaskNode["attributes"][number], "kind">("kind", { phase, release, ...NARROWING })),
});

export const worker: Shape<WorkerNode> = record({
  kind: oneOf("worker"),
  name,
  doc,
  session: reference,
  attributes: listOf(narrowing),
});
