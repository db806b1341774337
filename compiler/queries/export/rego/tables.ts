// The tables of a page as data for the one module: names where people read, numbers where modes and levels are compared.

import {
  compartmentsIn,
  decimalFrom,
  type IndexedTables,
  originOf,
  type PermissionMode,
  pathSegments,
  released,
} from "../../../../engine/lib/policy/index.ts";
import type {
  Condition,
  Decision,
  Label,
  Lattice,
  Literal,
  Release,
  Row,
} from "../../../../engine/lib/wire/generated/policy.ts";
import { cellsOfRow, placeName, worstOf } from "../cells.ts";

const MODES = ["auto", "consent", "stepUp", "forbidden"] as const satisfies readonly PermissionMode[];
const numberOf = (mode: PermissionMode): number => MODES.indexOf(mode);

/** For `JSON.stringify`; what stands at `data.tables`. */
export function regoTables(tables: IndexedTables): object {
  const { lattice, decisions, rows } = tables;
  return {
    modes: MODES,
    confidentiality: numbered(lattice.confidentiality),
    integrity: numbered(lattice.integrity),
    decisions: decisions.map((list) => decisionOf(lattice, list)),
    places: Object.fromEntries(rows.map((row) => [placeName(row), placeOf(tables, row)])),
  };
}

function numbered(names: readonly string[]): object {
  return Object.fromEntries(names.map((name, index) => [name, index]));
}

function placeOf(tables: IndexedTables, row: Row): object {
  const { lattice } = tables;
  const tools = cellsOfRow(tables, row).map(
    ({ tool, decision, sink, isNever, isAskingNobody, releases }): [string, object] => [
      tool.name,
      {
        decision,
        never: isNever,
        gateless: isAskingNobody,
        ...(sink === undefined
          ? {}
          : { sink: labelOf(lattice, sink), releases: releases.map((release) => releaseOf(lattice, release, sink)) }),
      },
    ],
  );
  // In a task a call waits for somebody to be there.
  return { waits: row.task !== "", tools: Object.fromEntries(tools) };
}

function labelOf(lattice: Lattice, { confidentiality, integrity, compartments }: Label): object {
  return { confidentiality, integrity, compartments: compartmentsIn(lattice, compartments) };
}

/** `rest`: what must hold of the conversation's label for the part of it that the release leaves alone. */
function releaseOf(lattice: Lattice, release: Release, sink: Label): object {
  const after = released(release, release.from);
  const top = lattice.confidentiality.length - 1;
  const every = (1n << BigInt(lattice.compartments.length)) - 1n;
  const isEnough =
    release.act === "endorse"
      ? after.integrity >= sink.integrity
      : after.confidentiality <= sink.confidentiality && (after.compartments & ~sink.compartments) === 0n;
  const rest =
    release.act === "endorse"
      ? { ...sink, integrity: 0 }
      : { confidentiality: top, integrity: sink.integrity, compartments: every };
  return {
    gate: isEnough ? numberOf(release.gate) : numberOf("forbidden"),
    from: labelOf(lattice, release.from),
    rest: labelOf(lattice, rest),
  };
}

function decisionOf(lattice: Lattice, list: Decision): object {
  return {
    worst: numberOf(worstOf(list)),
    clauses: list.clauses.map(({ conditions, met, otherwise }) => ({
      conditions: conditions.map(conditionOf),
      met: numberOf(met),
      otherwise: numberOf(otherwise),
    })),
    floors: list.floors.map((floor) => ({
      confidentiality: floor.confidentialityAtLeast,
      integrity: floor.integrityAtMost,
      compartments: compartmentsIn(lattice, floor.compartments),
      unattended: floor.unattended,
      mode: numberOf(floor.mode),
    })),
  };
}

function conditionOf({ path, term, operator, literals }: Condition): object {
  return { path, term, operator, literals: literals.map((literal) => literalOf(term, operator, literal)) };
}

function literalOf(term: Condition["term"], operator: Condition["operator"], literal: Literal): object {
  switch (literal.which) {
    case "boolean":
      return { kind: "boolean", value: literal.boolean };
    case "decimal":
      // What is no exact decimal is compared with nothing.
      return { kind: decimalFrom(literal.decimal) === undefined ? "none" : "decimal", value: literal.decimal };
    case "text": {
      const { text } = literal;
      const folder = operator === "under" ? pathSegments(text) : undefined;
      if (term === "origin") return { kind: "origin", value: text, begins: beginningsOf(text) };
      return { kind: "text", value: text, ...(folder === undefined ? {} : { folder }) };
    }
  }
}

const DEFAULT_PORTS = new Map([
  ["http:", "80"],
  ["https:", "443"],
]);

/** What a URL of this origin begins with; nothing where the text is no origin as browsers write it. */
function beginningsOf(origin: string): readonly string[] {
  if (originOf(origin) !== origin) return [];
  const { protocol, port } = new URL(origin);
  const usual = DEFAULT_PORTS.get(protocol);
  return port === "" && usual !== undefined ? [origin, `${origin}:${usual}`] : [origin];
}
