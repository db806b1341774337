// Collects facts about the rows of tables. The cells of a row are compared elsewhere. They show the permissions of a new
// or removed row, so such a row has only one fact here, besides the facts about strong sources.

import {
  formatLabel,
  formatSecrecy,
  type IndexedTables,
  type PermissionMode,
  renderParameter,
} from "../../../engine/lib/policy/index.ts";
import type { Lattice, Release, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import { findRunnable } from "./example-calls.ts";
import { type Fact, measureLabel, measureMembers, measureRank, type Owner, WORD } from "./facts.ts";
import { placeKey } from "./places.ts";
import { renderQuota } from "./quota-facts.ts";

/** Modes from the strictest to the loosest, so that a higher rank is wider. */
const LOOSENESS: readonly PermissionMode[] = MODES.toReversed();
const REMEMBERED: readonly Row["remember"][] = ["none", "turn", "conversation"];
const OPENED_BY: readonly Row["login"][] = ["key", "passphrase", "none"];

/**
 * Authority that a session of each kind may have, such as `ungated changes`, because the kind has no assertion that
 * excludes it. `service` has no entry `people`, because nobody uses such a session interactively.
 */
const UNPROVED: Readonly<Record<string, readonly string[]>> = {
  anonymous: ["people"],
  guest: ["people", "ungated changes"],
  service: ["ungated changes", "remote backends"],
  operator: ["people", "ungated changes", "remote backends", "admin"],
};

/** Returns the facts of rows. `shared` contains the keys of the rows that both tables have. */
export function collectRowFacts(tables: IndexedTables, shared: ReadonlySet<string>): readonly Fact[] {
  return tables.rows.flatMap((row) => {
    const key = placeKey(row);
    // Facts get the key of the row, because a worker and a task may have the same name.
    const facts = shared.has(key) ? collectMatchedRowFacts(tables, row) : [makeUnmatchedRowFact(tables, row)];
    return [...facts, ...collectStrongSourceFacts(tables, row)].map((fact) => ({ ...fact, key }));
  });
}

/**
 * Returns a fact for each strong source to which the agent can write in this row. It can write if some rule allows a
 * tool of the same service that is not read-only. A new row gets these facts in addition to its own fact.
 */
function collectStrongSourceFacts(tables: IndexedTables, row: Row): readonly Fact[] {
  return tables.tools.flatMap(({ name, provider, strong }) => {
    if (strong.length === 0) return [];
    const writers = tables.tools.flatMap((tool, index) => {
      const list = tool.provider === provider && !tool.readOnly ? findRunnable(tables, row, index) : undefined;
      return list === undefined ? [] : [{ name: tool.name, rule: list.clauses[0]?.rule }];
    });
    const [first] = writers;
    if (first === undefined) return [];
    const names = writers.map((writer) => writer.name);
    return strong.map(
      (field): Fact => ({
        place: formatRowPath(row),
        what: `tools that can write the strong source ${name}${field === "" ? "" : `.${field}`}`,
        value: names.join(", "),
        measure: measureMembers(names),
        without: "less",
        notes: ["text of a strong source counts like a person's word: it can lower a gate to auto"],
        ...(first.rule === undefined ? {} : { rule: first.rule }),
        owner: makeOwner(row),
      }),
    );
  });
}

function makeUnmatchedRowFact(tables: IndexedTables, row: Row): Fact {
  const what = row.worker !== "" ? "worker" : row.phase !== "" ? "phase" : row.task !== "" ? "task" : "session";
  const said = { place: formatRowPath(row), what, value: row.kind, measure: WORD, without: "less" } as const;
  return { ...said, owner: makeOwner(row), details: listDetails(tables, row) };
}

/**
 * Returns the limits and the other properties of a row as texts, worded like the facts of a comparison. For a task,
 * phase or worker, returns only the properties that its session does not have.
 */
function listDetails(tables: IndexedTables, row: Row): readonly string[] {
  const around = tables.rows.find((one) => one.session === row.session && formatRowPath(one) === row.session);
  const outside = around === undefined || around === row ? [] : listProperties(tables, around);
  const own = listProperties(tables, row);
  return own.filter((property) => !outside.includes(property));
}

/** Properties that are not reported, because most rows have them and they restrict nothing. */
const UNREMARKABLE: ReadonlySet<string> = new Set(["gate before it: auto", "consent is remembered for: none"]);

function listProperties(tables: IndexedTables, row: Row): readonly string[] {
  const facts = collectMatchedRowFacts(tables, row)
    .filter(({ what, without }) => what !== "kind" && what !== "order of backends" && without !== "told")
    .map(({ what, value }) => `${what}: ${value}`)
    .filter((text) => !UNREMARKABLE.has(text));
  const quotas = row.quotas.map((quota) => `${renderQuota(quota)}: ${quota.amount}`);
  return [...new Set([...facts, ...(quotas.length === 0 ? ["quota: none"] : quotas)])];
}

function makeOwner({ session }: Row): Owner {
  return { kind: "session", name: session };
}

export function collectMatchedRowFacts(tables: IndexedTables, row: Row): readonly Fact[] {
  return [
    ...collectAttributeFacts(tables, row),
    ...collectPrincipalFacts(tables, row),
    ...collectBackendFacts(tables, row),
    ...releaseFacts(tables, row),
    ...collectTimeoutFacts(row),
  ];
}

function collectAttributeFacts(tables: IndexedTables, row: Row): readonly Fact[] {
  const { lattice } = tables;
  const of = { place: formatRowPath(row), without: "other", owner: makeOwner(row) } as const;
  const { kind, clearance, starts, entry, remember, login } = row;
  const entered = entry === "auto" ? {} : { rule: row.entryRule };
  return [
    // The kind is a separate fact, because cells show only the decisions of the present lines. The inherited assertions
    // about a kind of session also restrict lines that are added later.
    { ...of, what: "kind", value: kind, measure: measureMembers(UNPROVED[kind] ?? [kind]) },
    {
      ...of,
      what: "clearance",
      value: formatLabel(lattice, clearance),
      measure: measureLabel(lattice, clearance, "above"),
    },
    {
      ...of,
      what: "start of conversations",
      value: formatLabel(lattice, starts),
      measure: measureLabel(lattice, starts, "below"),
    },
    { ...of, what: "gate before it", value: entry, measure: measureRank(LOOSENESS.indexOf(entry)), ...entered },
    { ...of, what: "consent is remembered for", value: remember, measure: measureRank(REMEMBERED.indexOf(remember)) },
    {
      ...of,
      what: "login",
      value: login,
      measure: measureRank(OPENED_BY.indexOf(login)),
      ...(login === "none" ? {} : { rule: row.loginRule }),
    },
    ...(row.requiresTask
      ? [
          {
            ...of,
            what: "calls",
            value: "in a task alone",
            measure: WORD,
            without: "more",
            rule: row.taskRule,
          } as const,
        ]
      : []),
    ...row.parameters.map((parameter) => {
      return { ...of, what: `parameter ${parameter.name}`, value: renderParameter(parameter), measure: WORD };
    }),
    ...(row.phase === "" ? [] : [{ ...of, what: "phases before it", ...describeEarlierPhases(tables, row) }]),
  ];
}

/**
 * Returns the fact that names the phases before the phase of the row. They matter because data and effects of an
 * earlier phase persist in later phases.
 */
function describeEarlierPhases(
  { rows }: IndexedTables,
  { session, task, worker, phaseIndex }: Row,
): Pick<Fact, "value" | "measure"> {
  const phases = rows.filter((row) => row.session === session && row.task === task && row.worker === worker);
  const before = phases.filter((row) => row.phaseIndex < phaseIndex).map(({ phase }) => phase);
  const says = before.length === 0 ? "none" : before.join(", ");
  // Tables that another program made may lack earlier phases. Then the fact also states the index of the phase.
  return {
    value: phaseIndex === before.length ? says : `${says}, and is phase ${phaseIndex}`,
    measure: measureMembers(before),
  };
}

function collectPrincipalFacts(tables: IndexedTables, row: Row): readonly Fact[] {
  return row.principals.map((at) => ({
    place: formatRowPath(row),
    what: `principal ${tables.principals[at]?.name}`,
    value: "may use it",
    measure: WORD,
    without: "less",
    owner: makeOwner(row),
  }));
}

function collectBackendFacts(tables: IndexedTables, row: Row): readonly Fact[] {
  const of = { place: formatRowPath(row), owner: makeOwner(row) };
  const chosen = row.backends.map(({ backend, mode }) => ({ backend: tables.backends[backend], mode }));
  const names = chosen.map(({ backend }) => backend?.name ?? "");
  const listed = chosen.flatMap(({ mode }, at): readonly Fact[] => {
    const what = `backend ${names[at]}`;
    return [
      { ...of, what, value: mode, measure: measureRank(LOOSENESS.indexOf(mode)), without: "less" },
      { ...of, what: `${what} hears what is left by`, ...describeEarlierBackends(tables, row, at), without: "told" },
    ];
  });
  return chosen.length < 2
    ? listed
    : [...listed, { ...of, what: "order of backends", value: names.join(", "), measure: WORD, without: "other" }];
}

/**
 * Returns the fact that names the backends that the row lists before index `at` and that answer without a gate, each
 * with its clearance. If one of these backends is removed, the backend at `at` may read conversations that the removed
 * backend answered before.
 */
function describeEarlierBackends(
  { backends, lattice }: IndexedTables,
  row: Row,
  at: number,
): Pick<Fact, "value" | "measure"> {
  const before = row.backends
    .slice(0, at)
    .flatMap(({ backend, mode }) => (mode === "auto" ? (backends[backend] ?? []) : []));
  const words = before.map(({ name, clearance }) => `${name} up to ${formatLabel(lattice, clearance)}`);
  const asked = new Set(words);
  return {
    value: words.length === 0 ? "none" : words.join(", "),
    measure: { kind: "bounds", asks: asked, has: asked },
  };
}

function releaseFacts({ releases, tools, lattice }: IndexedTables, row: Row): readonly Fact[] {
  return row.releases.flatMap((at): Fact[] => {
    const release = releases[at];
    if (release === undefined) return [];
    const { act, gate, rule } = release;
    const names = release.tools.map((tool) => tools[tool]?.name).join(", ");
    const what = `${act} ${names} ${renderReleasedData(release, lattice)}`;
    return [
      {
        place: formatRowPath(row),
        what,
        value: gate,
        measure: measureRank(LOOSENESS.indexOf(gate)),
        without: "less",
        rule,
      },
    ];
  });
}

/**
 * Renders what a release does to labels, such as `from secret to internal, at least reviewed`. For a declassification,
 * `at least` states the least trust of the data, if any. For an endorsement, `at most` states their highest secrecy.
 */
function renderReleasedData({ act, from, to }: Release, lattice: Lattice): string {
  const [least, trusted] = [from, to].map(({ integrity }) => lattice.integrity[integrity] ?? "");
  switch (act) {
    case "declassify": {
      const only = from.integrity === 0 ? "" : `, at least ${least}`;
      return `from ${formatSecrecy(lattice, from)} to ${formatSecrecy(lattice, to)}${only}`;
    }
    case "endorse":
      return `from ${least} to ${trusted}, at most ${formatSecrecy(lattice, from)}`;
  }
}

/**
 * The gate's own timeouts in milliseconds, for a page that sets none. A test compares them with the gate. Without a
 * limit on the page, a login does not end, and an idle session does not lock.
 */
export const OWN_LIMITS = { call: 30_000, turn: 3_600_000 } as const;

function collectTimeoutFacts(row: Row): readonly Fact[] {
  const { callMs, turnMs, loginMs, idleMs } = row.timeouts;
  const own = { call: callMs || OWN_LIMITS.call, turn: turnMs || OWN_LIMITS.turn };
  const limits = { ...own, login: loginMs, idle: idleMs };
  return Object.entries(limits).flatMap(([scope, ms]): Fact[] => {
    const of = { place: formatRowPath(row), what: `milliseconds per ${scope}`, owner: makeOwner(row) };
    return ms === 0 ? [] : [{ ...of, value: String(ms), measure: measureRank(ms), without: "more" }];
  });
}
