import { computeModeOfTruths, type Truth } from "../../../../engine/lib/policy/index.ts";
import type { BoundGrant, Service, Tool } from "../../../phases/bind/index.ts";
import { canBeAnswered, type SignedCondition } from "../../../phases/conditions/index.ts";
import {
  type Answer,
  type Clause,
  canRun,
  computeAnswers,
  encodeCondition,
  encodeUnnamedClauses,
  enumeratePlaces,
  findGrantPaths,
  formatRowPath,
  indexServices,
  isAtLeastAsStrict,
  isCovered,
  isFileStore,
  mayUse,
  type Services,
  type Way,
} from "../../../phases/policy/index.ts";
import { createAnswerLookup, defineLaw, type Page } from "../../support/index.ts";
import { type GrantedCall, grantPastLine } from "./codes.ts";

/** A place of conversations, with the decisions of its lines about each tool. */
interface Row {
  readonly row: string;
  readonly answerOf: (tool: Tool) => Answer | undefined;
}

type ToolsOf = ReadonlyMap<Service, readonly Tool[]>;

/**
 * Reports each grant through which a tool bypasses the stricter lines of another tool. Each grant is reported once. A
 * tool without a line is not examined as the bypassed tool, because it is meant to be used only through the grant.
 */
export const rule = defineLaw({
  reports: [grantPastLine],
  check: (page, report) => {
    const services = indexServices(page.model);
    const holders = page.model.services.filter(({ grants }) => grants.some(({ to }) => to.kind === "service"));
    if (holders.length === 0) return;
    const toolsOf = Map.groupBy(page.model.tools, ({ service }) => service);
    const rows = collectRows(page);
    for (const holder of holders) {
      for (const grant of holder.grants) {
        const found = findPassing(holder, grant, { services, toolsOf, rows });
        if (found !== undefined) report(grantPastLine.at(grant.node.to.span, found));
      }
    }
  },
});

function collectRows({ model, resolution }: Page): readonly Row[] {
  return enumeratePlaces(model).map((place) => {
    const { session, task, phase, worker } = place;
    const named = { session: session.id, task: task?.name ?? "", phase: phase?.name ?? "", worker: worker?.name ?? "" };
    return { row: formatRowPath(named), answerOf: createAnswerLookup(model, computeAnswers(model, resolution, place)) };
  });
}

/**
 * Examines the pairs of a tool of the service and a tool that it may use through the grant. Returns the first pair for
 * which the lines about the used tool are stricter. Returns `undefined` if there is no such pair.
 */
function findPassing(
  holder: Service,
  grant: BoundGrant,
  { services, toolsOf, rows }: { services: Services; toolsOf: ToolsOf; rows: readonly Row[] },
): GrantedCall | undefined {
  for (const way of findGrantPaths(holder, grant, services)) {
    for (const called of toolsOf.get(holder) ?? []) {
      for (const passed of toolsOf.get(way.held) ?? []) {
        if (!mayUse(called, passed, way)) continue;
        const found = rows.find(({ answerOf }) => isPassed(answerOf(called), answerOf(passed), passed, way));
        if (found === undefined) continue;
        return { row: found.row, called: called.name, passed: passed.name, isFolders: isFileStore(way.held) };
      }
    }
  }
  return undefined;
}

function isPassed(called: Answer | undefined, passed: Answer | undefined, tool: Tool, { grant }: Way): boolean {
  if (called === undefined || !canRun(called) || !isCovered(passed)) return false;
  const folders = grant.scopes.map(({ value }) => value);
  const asked = folders.length === 0 ? [passed] : folders.map((folder) => narrowToFolder(passed, tool, folder));
  return asked.some((answer) => !isAtLeastAsStrict(called, answer));
}

/**
 * Returns the decisions about calls whose path is below a folder. A condition that always holds or always fails for
 * these paths is replaced by its result.
 */
function narrowToFolder(answer: Answer, { method }: Tool, folder: string): Answer {
  const path = method.description.params.find(({ name }) => name === "path");
  if (path === undefined) return answer;
  const under: SignedCondition["condition"] = {
    path: [path.name],
    term: "value",
    operator: "under",
    literals: [{ which: "text", text: folder }],
    sources: [],
    each: "single",
    extract: "none",
    absentHolds: false,
  };
  const inside: SignedCondition = { condition: under, holds: true };
  const computeTruth = ({ checks }: Clause): Truth => {
    const ofPath = checks.filter((check) => check.path.join(".") === path.name && check.term !== "has");
    const signed = ofPath.map((check) => ({ condition: encodeCondition(check), holds: true }));
    const mayFail = signed.some((one) => canBeAnswered(path.type, [inside, { ...one, holds: false }]));
    if (!canBeAnswered(path.type, [inside, ...signed])) return "fails";
    return mayFail || ofPath.length < checks.length ? "unknown" : "holds";
  };
  const groups = Map.groupBy(answer.clauses, ({ group }) => group);
  return { ...answer, clauses: [...groups.values()].flatMap((group) => settleGroup(group, group.map(computeTruth))) };
}

/**
 * If `truths` states for each clause of a group whether its conditions hold, returns one clause with the resulting
 * mode. If this is unknown for a clause, returns the clauses unchanged.
 */
function settleGroup(group: readonly Clause[], truths: readonly Truth[]): readonly Clause[] {
  const [first] = group;
  if (first === undefined || truths.includes("unknown")) return group;
  const { mode } = computeModeOfTruths(encodeUnnamedClauses(group), truths);
  return [{ ...first, checks: [], met: mode, otherwise: undefined }];
}
