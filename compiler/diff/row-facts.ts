// What tables say of each row beside its cells. Of a row that is new, or gone, one line says so: what it may do stands in
// its cells.

import { type IndexedTables, labelText, type PermissionMode } from "../../engine/policy/index.ts";
import type { Row } from "../../engine/wire/generated/policy.ts";
import { rowPath } from "../policy/index.ts";
import type { Fact, Measure, Owner } from "./facts.ts";
import { placeKey } from "./places.ts";

/** Loosest last, so that a higher rank is wider. */
const LOOSENESS: readonly PermissionMode[] = ["forbidden", "stepUp", "consent", "auto"];
const REMEMBERED: readonly Row["remember"][] = ["none", "turn", "conversation"];
const OPENED_BY: readonly Row["login"][] = ["key", "passphrase", "none"];

/** `shared`: keys of the rows that both tables have. */
export function rowFacts(tables: IndexedTables, shared: ReadonlySet<string>): readonly Fact[] {
  return tables.rows.flatMap((row) => (shared.has(placeKey(row)) ? knownRow(tables, row) : [strangeRow(row)]));
}

function strangeRow(row: Row): Fact {
  const what = row.worker !== "" ? "worker" : row.phase !== "" ? "phase" : row.task !== "" ? "task" : "session";
  return { place: rowPath(row), what, says: row.kind, measure: WORD, without: "less", owner: ownerOf(row) };
}

function ownerOf({ session }: Row): Owner {
  return { kind: "session", name: session };
}

const WORD: Measure = { kind: "word" };

function knownRow(tables: IndexedTables, row: Row): readonly Fact[] {
  return [
    ...standingFacts(tables, row),
    ...principalFacts(tables, row),
    ...backendFacts(tables, row),
    ...releaseFacts(tables, row),
    ...timeoutFacts(row),
  ];
}

function standingFacts({ lattice }: IndexedTables, row: Row): readonly Fact[] {
  const of = { place: rowPath(row), without: "other", owner: ownerOf(row) } as const;
  const rank = (at: number): Measure => ({ kind: "ranked", rank: BigInt(at) });
  const label = (wider: "above" | "below", value: Row["starts"]): Measure => {
    return { kind: "label", label: value, lattice, wider };
  };
  const { kind, clearance, starts, entry, remember, login, phaseIndex } = row;
  const entered = entry === "auto" ? {} : { rule: row.entryRule };
  return [
    // What a kind forbids stands in cells.
    { ...of, what: "kind", says: kind, measure: WORD },
    { ...of, what: "clearance", says: labelText(lattice, clearance), measure: label("above", clearance) },
    { ...of, what: "start of conversations", says: labelText(lattice, starts), measure: label("below", starts) },
    { ...of, what: "gate before it", says: entry, measure: rank(LOOSENESS.indexOf(entry)), ...entered },
    { ...of, what: "consent is remembered for", says: remember, measure: rank(REMEMBERED.indexOf(remember)) },
    {
      ...of,
      what: "login",
      says: login,
      measure: rank(OPENED_BY.indexOf(login)),
      ...(login === "none" ? {} : { rule: row.loginRule }),
    },
    ...(row.phase === "" ? [] : [{ ...of, what: "place among phases", says: String(phaseIndex), measure: WORD }]),
  ];
}

function principalFacts(tables: IndexedTables, row: Row): readonly Fact[] {
  return row.principals.map((at) => ({
    place: rowPath(row),
    what: `principal ${tables.principals[at]?.name}`,
    says: "may use it",
    measure: WORD,
    without: "less",
    owner: ownerOf(row),
  }));
}

function backendFacts(tables: IndexedTables, row: Row): readonly Fact[] {
  const of = { place: rowPath(row), owner: ownerOf(row) };
  const chosen = row.backends.map(({ backend, mode }) => ({ name: tables.backends[backend]?.name ?? "", mode }));
  const order = chosen.map(({ name }) => name).join(", ");
  const listed = chosen.map(
    ({ name, mode }): Fact => ({
      ...of,
      what: `backend ${name}`,
      says: mode,
      measure: { kind: "ranked", rank: BigInt(LOOSENESS.indexOf(mode)) },
      without: "less",
    }),
  );
  return chosen.length < 2
    ? listed
    : [...listed, { ...of, what: "order of backends", says: order, measure: WORD, without: "other" }];
}

function releaseFacts({ releases, tools, lattice }: IndexedTables, row: Row): readonly Fact[] {
  return row.releases.flatMap((at): Fact[] => {
    const release = releases[at];
    if (release === undefined) return [];
    const { act, from, to, gate, rule } = release;
    const names = release.tools.map((tool) => tools[tool]?.name).join(", ");
    const what = `${act} ${names} from ${labelText(lattice, from)} to ${labelText(lattice, to)}`;
    const measure: Measure = { kind: "ranked", rank: BigInt(LOOSENESS.indexOf(gate)) };
    return [{ place: rowPath(row), what, says: gate, measure, without: "less", rule }];
  });
}

/** A limit that the page does not set is the runtime's own. */
function timeoutFacts(row: Row): readonly Fact[] {
  const { callMs, turnMs, loginMs } = row.timeouts;
  const limits = { call: callMs, turn: turnMs, login: loginMs };
  return Object.entries(limits).flatMap(([scope, milliseconds]): Fact[] => {
    const what = `milliseconds per ${scope}`;
    const measure: Measure = { kind: "ranked", rank: BigInt(milliseconds) };
    const fact = { place: rowPath(row), what, says: String(milliseconds), measure, owner: ownerOf(row) };
    return milliseconds === 0 ? [] : [{ ...fact, without: "more" }];
  });
}
