import type { CodeLens } from "vscode-languageserver/node";
import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import { MODES } from "../../../../lang/grammar/index.ts";
import type { Span } from "../../../../lang/text/index.ts";
import { listItems, type Model } from "../../../phases/bind/index.ts";
import { enumeratePlaces, type Place } from "../../../phases/policy/index.ts";
import { RUN_TEST, SHOW_DECISIONS } from "../command-names.ts";
import { convertToRange, type Names } from "../places.ts";
import type { PositionContext } from "../position-context.ts";
import type { IndexedPolicy, Snapshot } from "../snapshot.ts";
import { explainToolDecision, getMode } from "./decisions.ts";

/** Maximum number of sessions, and of tests, that have a lens. */
const MOST_LENSES = 500;
/** Maximum number of tools of a session whose decisions are counted. */
const MOST_COUNTED = 2000;
/** Maximum number of tools that a list of decisions names for each mode. */
const MOST_NAMED = 20;

/**
 * Returns a lens above each session, with its decisions, and above each test, to run it. The lens of a session gets its
 * title only when the editor shows it.
 */
export function listLenses({ snapshot, tree }: PositionContext, { uriOf }: Names): CodeLens[] {
  const { model, tested } = snapshot;
  const uri = uriOf(snapshot.fileOf(tree.source));
  const own = (model === undefined ? [] : findSessionPlaces(model))
    .map(({ session }) => session)
    .filter(({ node }) => node.span.source === tree.source)
    .sort((left, right) => left.node.span.start - right.node.span.start);
  const sessions = own.map(({ id, node }): CodeLens => ({ range: convertToRange(node.name.span), data: [uri, id] }));
  const tests = listItems(tree).flatMap((item) => (item.kind === "test" ? [item.title] : []));
  const single = tests.map((title): CodeLens => {
    const failures = tested.get(title.value);
    const state = failures === undefined ? "" : failures.length === 0 ? "passed; " : "FAILED; ";
    return drawTestLens(title.span, `${state}run test`, [uri, title.value]);
  });
  const [first] = tests;
  const all = first === undefined || tests.length < 2 ? [] : [drawTestLens(first.span, "run all tests", [uri])];
  return [...sessions.slice(0, MOST_LENSES), ...single.slice(0, MOST_LENSES), ...all];
}

function drawTestLens(span: Span, title: string, args: readonly string[]): CodeLens {
  return { range: convertToRange(span), command: { title, command: RUN_TEST, arguments: [...args] } };
}

/** Returns the places of conversations that belong to a session, but not to a task or a worker. */
function findSessionPlaces(model: Model): readonly Place[] {
  return enumeratePlaces(model).filter(({ task, worker }) => task === undefined && worker === undefined);
}

/**
 * Returns the page and the session that a lens without a title is about, or `undefined` if this server did not make the
 * lens.
 */
export function readLens({ data }: CodeLens): { readonly uri: string; readonly session: string } | undefined {
  const [uri, session] = Array.isArray(data) ? (data as unknown[]) : [];
  return typeof uri === "string" && typeof session === "string" ? { uri, session } : undefined;
}

/** Returns the lens with the number of tools for each mode: `4 auto, 2 consent, 1 unavailable`. */
export function titleLens(lens: CodeLens, { snapshot }: PositionContext, session: string): CodeLens {
  const decisions = groupDecisions(snapshot, session);
  const counts = [...(decisions ?? [])].map(([mode, tools]) => `${tools.length} ${mode}`);
  const title = decisions === undefined ? "no decisions while the pages have errors" : counts.join(", ") || "no tools";
  return { ...lens, command: { title, command: SHOW_DECISIONS, arguments: lens.data } };
}

/** Returns the tools of a session by their mode, as text, or the reason why there are none. */
export function listDecisions(snapshot: Snapshot, session: string): string {
  const decisions = groupDecisions(snapshot, session);
  if (decisions === undefined)
    return snapshot.decided === undefined
      ? "nothing is decided while the pages have errors"
      : `the page has no session "${escapeInvisible(session)}"`;
  const lines = [...decisions].map(([mode, tools]) => {
    const more = tools.length - MOST_NAMED;
    return `${mode}: ${tools.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  });
  return escapeInvisible(`${session}: ${lines.join("; ") || "no tools"}`);
}

/**
 * Returns the names of the tools by mode, from the loosest to the strictest. Returns `undefined` if the pages have
 * errors, or if they have no such session.
 */
function groupDecisions(
  { model, decided }: Snapshot,
  session: string,
): ReadonlyMap<string, readonly string[]> | undefined {
  const place = model && findSessionPlaces(model).find((at) => at.session.id === session);
  if (model === undefined || decided === undefined || place === undefined) return undefined;
  const tools = model.tools.slice(0, MOST_COUNTED);
  const byMode = Map.groupBy(tools, ({ name }) => nameDecision(decided, place, name));
  const order = [...MODES, ...[...byMode.keys()].filter((mode) => !MODES.some((known) => known === mode)).sort()];
  return new Map(
    order.flatMap((mode) => {
      const alike = byMode.get(mode) ?? [];
      return alike.length === 0 ? [] : [[mode, alike.map(({ name }) => name)] as const];
    }),
  );
}

function nameDecision(decided: IndexedPolicy, place: Place, tool: string): string {
  const explained = explainToolDecision(decided, place, tool);
  return explained === undefined ? "unavailable" : getMode(explained);
}
