import {
  chooseReleaseGate,
  computeSufficientAmount,
  FIRST_DECISION,
  findPathBound,
  findPlainMode,
  formatRowPath,
  type GatedDecision,
  type IndexedTables,
  isByElse,
  limitLine,
  narrowLine,
  readAskedPath,
  releaseLine,
} from "../../../engine/lib/policy/index.ts";
import { quoteText } from "../../../lang/format/index.ts";
import { getText } from "../../../lang/text/index.ts";
import type { Model, Tool } from "../../phases/bind/index.ts";
import { enumeratePlaces, getTaskRequirement, listBases, type Place, releaseRule } from "../../phases/policy/index.ts";
import { addLine, type Edit, insertAtEnd, type Owner, unsuppress } from "./edits.ts";
import type { Explanation } from "./explain.ts";

/** A change that may allow the call. Only the compiled result shows whether it does. */
export interface Candidate {
  readonly edits: readonly Edit[];
  /** The part of `edits` that makes decisions stricter, which limits what the rest of `edits` allows. */
  readonly narrowing?: readonly Edit[];
}

type TargetMode = GatedDecision["gate"];

/**
 * Returns the modes to propose for a call, in the order in which they are tried. A stricter mode is tried if no page
 * with a looser mode compiles.
 */
export function listTargetModes({ tools, toolIndex }: IndexedTables, { question, answer }: Explanation): TargetMode[] {
  if (answer === "consent") return ["auto"];
  if (answer === "stepUp") return ["auto", "consent"];
  const isReadOnly = tools[toolIndex.get(question.tool) ?? -1]?.readOnly === true;
  return isReadOnly ? ["auto", "consent", "stepUp"] : ["consent", "stepUp"];
}

/**
 * Returns changes of the page after which the call may run with the mode `mode`. If a flow or a quota is the reason of
 * the refusal, returns changes that remove this reason.
 */
export function collectCandidates(
  tables: IndexedTables,
  model: Model,
  explanation: Explanation,
  mode: TargetMode,
): Candidate[] {
  const { question, checks, isOutsideGrant } = explanation;
  const place = findPlace(model, explanation);
  // The call needs a task. A person can start a task without a change of the page, so no change is proposed.
  if (place !== undefined && place.task === undefined && getTaskRequirement(place.session) !== undefined) return [];
  const tool = model.tools.find(({ name }) => name === question.tool);
  if (place === undefined || tool === undefined || isOutsideGrant) return [];
  switch (checks.find(({ verdict }) => verdict === "decides")?.name ?? "tool") {
    case "tool":
      return proposeOpening(place, tool, mode);
    case "mode":
    case "gate": {
      const wanted = { tool, mode, explanation };
      return [...proposeForPath(tables, model, place, wanted), ...proposeLoosening(model, place, wanted)];
    }
    case "flow":
      return proposeRelease(tables, model, { place, tool, explanation });
    case "quota":
      return proposeRaise(tables, model, explanation);
    case "arguments":
      return [];
  }
}

/** Returns the place of a question, or `undefined` if the model has no such session or task. */
export function findPlace(model: Model, { question }: Pick<Explanation, "question">): Place | undefined {
  const inTask = enumeratePlaces(model).filter(
    ({ session, task, worker }) =>
      session.id === question.session && task?.name === question.task && worker === undefined,
  );
  return inTask.find(({ phase }) => phase?.name === question.phase) ?? inTask[0];
}

/**
 * Returns the declarations to change: the session and its bases if the package declares them, and the task and phase
 * within the session.
 */
function findOwners(place: Place): { readonly sessions: readonly Owner[]; readonly within: readonly Owner[] } {
  const { session, task, phase } = place;
  return {
    sessions: listBases(session).filter(({ own }) => own),
    within: [task, phase].filter((layer) => layer !== undefined),
  };
}

/** Returns the declarations whose lines and quotas may be rewritten: sessions of the package, tasks and phases. */
function listRewritable({ sessions, tasks }: Model): Owner[] {
  return [...sessions.filter(({ own }) => own), ...tasks, ...tasks.flatMap(({ phases }) => phases)];
}

/**
 * Proposes changes that make a tool exist: they remove lines that hide the tool, and add a line if no line covers it.
 */
function proposeOpening(place: Place, tool: Tool, mode: TargetMode): Candidate[] {
  const { sessions, within } = findOwners(place);
  const shown = [...sessions, ...within].flatMap((owner) => unsuppress(owner, tool));
  const line = `${mode} ${tool.name}`;
  return [
    ...(shown.length === 0 ? [] : [{ edits: shown }]),
    ...sessions.map((owner) => ({ edits: [...shown, addLine(owner, line)] })),
    ...proposeWidening(place, line).map((edit) => ({ edits: [...shown, edit] })),
  ];
}

function proposeWidening({ session }: Place, line: string): Edit[] {
  return session.own ? [insertAtEnd(session.node.span, `widen { ${line} } because "say why"`)] : [];
}

/** A tool, its wanted mode, and the explanation of its current mode. */
interface WantedCall {
  readonly tool: Tool;
  readonly mode: TargetMode;
  readonly explanation: Explanation;
}

/**
 * Proposes a line for only this tool in the session, in the task and phase, or in both. Also proposes a `widen`, and
 * another mode for the line that decides now.
 */
function proposeLoosening(model: Model, place: Place, { tool, mode, explanation: { rule } }: WantedCall): Candidate[] {
  const { sessions, within } = findOwners(place);
  const line = `${mode} ${tool.name}`;
  const inner = within.map((owner) => addLine(owner, line));
  const lines = sessions.slice(0, 1).map((owner) => addLine(owner, line));
  const candidates = [
    lines,
    inner,
    [...lines, ...inner],
    proposeWidening(place, line),
    [...proposeWidening(place, line), ...inner],
  ];
  const rewritten = rule === undefined ? [] : [...replaceMode(model, rule.id, mode), ...replaceGate(model, rule.id)];
  const otherwise = rule === undefined ? [] : replaceOtherwise(model, rule.id, mode);
  return [...candidates, otherwise, rewritten].filter((edits) => edits.length > 0).map((edits) => ({ edits }));
}

/**
 * Proposes lines that allow only calls with the path of the question or with a path below it. Proposes no line if the question
 * names no path.
 */
function proposeForPath(
  tables: IndexedTables,
  model: Model,
  place: Place,
  { tool, mode, explanation }: WantedCall,
): Candidate[] {
  const asked = findAskedPath(tool, explanation);
  const check = asked && renderUnder(asked);
  if (check === undefined) return [];
  const { rule, strictness } = explanation;
  const beside = listRewritable(model).flatMap((owner) =>
    owner.lines
      .filter(
        ({ words, where, node }) => `${owner.id}/${words}` === rule?.id && where !== undefined && !node.isInherited,
      )
      .map(({ words }) =>
        addLine(owner, narrowLine(words, mode, check, isByElse(words, strictness) ? "else" : "checks")),
      ),
  );
  const { sessions, within } = findOwners(place);
  const [clause, ...others] = findClauses(tables, explanation);
  const isPlain = clause !== undefined && others.length === 0 && clause.conditions.length === 0;
  const line = `${mode} ${tool.name} where ${check} else ${clause?.met}`;
  const lines = isPlain ? sessions.slice(0, 1).map((owner) => addLine(owner, line)) : [];
  const inner = isPlain ? within.map((owner) => addLine(owner, line)) : [];
  return [beside, lines, inner, [...lines, ...inner]].filter((edits) => edits.length > 0).map((edits) => ({ edits }));
}

interface AskedPath {
  /** Name of the argument. */
  readonly name: string;
  /** Path from the root, such as `/notes/x`. */
  readonly path: string;
}

/**
 * Returns the argument of the question that is a path. Returns `undefined` if the question gives no path, or a path that leads to the root
 * or out of the root.
 */
function findAskedPath({ method }: Tool, { question, arguments: text }: Explanation): AskedPath | undefined {
  const [name] = [...method.meanings].find(([, { kind }]) => kind === "path") ?? [];
  const path = question.arguments === undefined || name === undefined ? undefined : readAskedPath(text, name);
  return name === undefined || path === undefined ? undefined : { name, path };
}

/** Returns `path under "/notes/x"`. */
function renderUnder({ name, path }: AskedPath): string {
  return `${name} under ${quoteText(path)}`;
}

/** Returns the clauses that decide about calls of the tool at the place of a question. */
function findClauses(
  { rows, toolIndex, decisions }: IndexedTables,
  { question }: Explanation,
): IndexedTables["decisions"][number]["clauses"] {
  const path = [question.session, question.task, question.phase].filter((part) => part !== undefined).join(".");
  const row = rows.find((one) => one.worker === "" && formatRowPath(one) === path);
  const cell = row?.cells[toolIndex.get(question.tool) ?? -1] ?? 0;
  return decisions[cell - FIRST_DECISION]?.clauses ?? [];
}

/** Returns an edit of the mode behind `else` of the line with this id. */
function replaceOtherwise(model: Model, id: string, mode: TargetMode): Edit[] {
  return listRewritable(model).flatMap(({ id: owner, lines }) =>
    lines
      .filter(({ words }) => `${owner}/${words}` === id)
      .flatMap(({ node: { where } }) => where && { span: where.otherwise.span, replacement: mode })
      .filter((edit) => edit !== undefined),
  );
}

/** Returns an edit of the mode of the line or floor with the id `id`. */
function replaceMode(model: Model, id: string, mode: TargetMode): Edit[] {
  return listRewritable(model).flatMap(({ id: owner, lines, floors }) =>
    [...lines, ...floors]
      .filter(({ words }) => `${owner}/${words}` === id)
      .map(({ node }) => ({ span: node.mode.span, replacement: mode })),
  );
}

/**
 * Returns an edit that changes the gate of the release with the id `id` to `consent`, the loosest gate of a release.
 */
function replaceGate(model: Model, id: string): Edit[] {
  return model.releases
    .filter((release) => releaseRule(release).id === id && release.by === "stepUp")
    .map(({ node }) => ({ span: node.by.span, replacement: "consent" }));
}

/** A call that a release may allow, and its place. */
interface ReleasedCall {
  readonly place: Place;
  readonly tool: Tool;
  readonly explanation: Explanation;
}

/**
 * Proposes releases for the tool, from the label of the conversation to the highest label that may flow to the tool. If
 * the question names a path, the first proposals also have a line that forbids the tool for all other paths. For a call
 * in a task, the lines are written in that task.
 */
function proposeRelease(tables: IndexedTables, model: Model, call: ReleasedCall): Candidate[] {
  const { explanation, tool, place } = call;
  const { question, label } = explanation;
  const sink = tables.tools[tables.toolIndex.get(tool.name) ?? -1]?.sink;
  const owner = place.task ?? (model.system && { node: model.system });
  if (sink === undefined || owner === undefined) return [];
  const { span } = owner.node;
  const row = tables.rows.find(({ session }) => session === question.session);
  const release = { ...question, from: label, to: sink, gate: chooseReleaseGate(row ?? { principals: [] }) };
  const releases = (["declassify", "endorse"] as const).map((act) =>
    insertAtEnd(span, releaseLine(tables.lattice, act, release)),
  );
  const limits = proposeLimits(tables, call);
  return [
    ...limits.flatMap((limit) => releases.map((one) => ({ edits: [limit, one], narrowing: [limit] }))),
    ...releases.map((one) => ({ edits: [one] })),
  ];
}

/**
 * Proposes a line that forbids all calls of the tool except those with the path of the question. These calls keep their mode. The line
 * replaces a line about only this tool, or is more specific than the line that decides. Proposes no line if the question names no path, or
 * if conditions on arguments already decide about the tool.
 */
function proposeLimits(tables: IndexedTables, { place, tool, explanation }: ReleasedCall): Edit[] {
  const asked = findAskedPath(tool, explanation);
  const mode = findPlainMode(findClauses(tables, explanation));
  const owner = place.task ?? findOwners(place).sessions.find(({ id }) => id === place.session.id);
  if (asked === undefined || mode === undefined || owner === undefined) return [];
  const most = findPathBound(explanation.arguments, asked.name, asked.path);
  const bound = most === undefined ? "" : ` and size(${asked.name}) <= ${most}`;
  const line = limitLine(tool.name, mode, `${renderUnder(asked)}${bound}`);
  const [old] = owner.lines.filter(
    ({ where, node, patterns: [pattern, ...others] }) =>
      where === undefined &&
      !node.isInherited &&
      others.length === 0 &&
      pattern !== undefined &&
      getText(pattern.span) === tool.name,
  );
  if (old === undefined) return [addLine(owner, line)];
  const { span, because } = old.node;
  return [{ span, replacement: because === undefined ? line : `${line} because ${getText(because.span)}` }];
}

/** Proposes to raise the exhausted quota to the amount that the call needs. */
function proposeRaise(tables: IndexedTables, model: Model, { rule, question, ...call }: Explanation): Candidate[] {
  const found = listRewritable(model).flatMap(({ id, quotas }) =>
    quotas.filter(({ words }) => `${id}/quota ${words}` === rule?.id),
  );
  const [quota] = found;
  const own = tables.rows.flatMap((row) => row.quotas).find((one) => tables.rules[one.rule]?.id === rule?.id);
  const tool = tables.tools[tables.toolIndex.get(question.tool) ?? -1];
  if (quota === undefined || own === undefined || tool === undefined) return [];
  const enough = computeSufficientAmount(tables, own, { tool, arguments: call.arguments, prompts: 1 });
  const { span, decimal } = quota.node.amount;
  if (enough === undefined || !/^\d{1,15}$/.test(decimal)) return [];
  // The page may state in KiB an amount that the tables state in bytes.
  const factor = own.amount / BigInt(decimal);
  return [{ edits: [{ span, replacement: String((enough + factor - 1n) / factor) }] }];
}
