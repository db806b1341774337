// Converts the tables of a page to data for the module that all pages share. In the data, tools and places are
// identified by their names. Modes and levels are numbers, because the module compares them.

import {
  applyRelease,
  computeTopLabel,
  type IndexedTables,
  listCompartments,
  type PermissionMode,
  parseDecimal,
  parseOrigin,
  parsePathSegments,
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
import { MODES } from "../../../../lang/grammar/index.ts";
import { collectRowCells, computeWorstMode, placeName } from "../cells.ts";
import { collectExportedGroups } from "../groups.ts";

const numberOf = (mode: PermissionMode): number => MODES.indexOf(mode);

/** Returns the value of `data.tables`, for `JSON.stringify`. */
export function createRegoTables(tables: IndexedTables): object {
  const { lattice, decisions, rows } = tables;
  return {
    modes: MODES,
    confidentiality: numberNames(lattice.confidentiality),
    integrity: numberNames(lattice.integrity),
    decisions: decisions.map((list) => encodeDecision(lattice, list)),
    places: Object.fromEntries(rows.map((row) => [placeName(row), placeOf(tables, row)])),
  };
}

function numberNames(names: readonly string[]): object {
  return Object.fromEntries(names.map((name, index) => [name, index]));
}

function placeOf(tables: IndexedTables, row: Row): object {
  const { lattice } = tables;
  const tools = collectRowCells(tables, row).map(
    ({ tool, decision, sink, isNever, isAskingNobody, releases }): [string, object] => [
      tool.name,
      {
        decision,
        never: isNever,
        gateless: isAskingNobody,
        ...(sink === undefined
          ? {}
          : {
              sink: encodeLabel(lattice, sink),
              releases: releases.map((release) => releaseOf(lattice, release, sink)),
            }),
      },
    ],
  );
  // In a task, a call that needs approval waits until a person is present.
  return { waits: row.task !== "", tools: Object.fromEntries(tools) };
}

function encodeLabel(lattice: Lattice, { confidentiality, integrity, compartments }: Label): object {
  return { confidentiality, integrity, compartments: listCompartments(lattice, compartments) };
}

/**
 * Encodes a release. It has an effect if the label of the conversation may flow to `from`, the label that the page
 * releases, and to `rest`. `rest` bounds the part of the label that the release does not change: the integrity for a
 * declassification.
 */
function releaseOf(lattice: Lattice, release: Release, sink: Label): object {
  const after = applyRelease(release, release.from);
  const isEnough =
    release.act === "endorse"
      ? after.integrity >= sink.integrity
      : after.confidentiality <= sink.confidentiality && (after.compartments & ~sink.compartments) === 0n;
  const rest =
    release.act === "endorse" ? { ...sink, integrity: 0 } : { ...computeTopLabel(lattice), integrity: sink.integrity };
  return {
    gate: isEnough ? numberOf(release.gate) : numberOf("forbidden"),
    from: encodeLabel(lattice, release.from),
    rest: encodeLabel(lattice, rest),
  };
}

function encodeDecision(lattice: Lattice, list: Decision): object {
  return {
    worst: numberOf(computeWorstMode(list)),
    groups: collectExportedGroups(list.clauses).map(({ lines, unmatched }) => ({
      lines: lines.map(({ conditions, met, above }) => ({
        conditions: conditions.map(encodeCondition),
        met: numberOf(met),
        above,
      })),
      unmatched: numberOf(unmatched),
    })),
    floors: list.floors.map((floor) => ({
      confidentiality: floor.confidentialityAtLeast,
      integrity: floor.integrityAtMost,
      compartments: listCompartments(lattice, floor.compartments),
      unattended: floor.unattended,
      conditions: floor.conditions.map(encodeCondition),
      mode: numberOf(floor.mode),
    })),
  };
}

function encodeCondition(condition: Condition): object {
  const { path, term, operator, literals } = condition;
  // If the module cannot evaluate a condition, one literal that equals no value replaces all literals of the condition.
  // So the line of the condition gets its strictest mode.
  const told = canBeTold(condition)
    ? literals.map((literal) => encodeLiteral(term, operator, literal))
    : [{ kind: "none" }];
  return { path, term, operator, literals: told };
}

/** Returns whether the module that all pages share can evaluate the condition. */
export function canBeTold({ term, operator, literals, each, absentHolds }: Condition): boolean {
  const isKnown = term === "value" || term === "size" || term === "origin";
  const isPart = operator === "startsWith" || operator === "endsWith" || operator === "matches" || operator === "from";
  return isKnown && !isPart && each === "single" && !absentHolds && !literals.some(isParameter);
}

function isParameter({ which }: Literal): boolean {
  return which === "parameter";
}

function encodeLiteral(term: Condition["term"], operator: Condition["operator"], literal: Literal): object {
  switch (literal.which) {
    case "parameter":
      return { kind: "none" };
    case "boolean":
      return { kind: "boolean", value: literal.boolean };
    case "decimal":
      // A literal that is not an exact decimal equals no value.
      return { kind: parseDecimal(literal.decimal) === undefined ? "none" : "decimal", value: literal.decimal };
    case "text": {
      const { text } = literal;
      const folder = operator === "under" ? parsePathSegments(text) : undefined;
      if (term === "origin") return { kind: "origin", value: text, begins: listOriginPrefixes(text) };
      return { kind: "text", value: text, ...(folder === undefined ? {} : { folder }) };
    }
  }
}

const DEFAULT_PORTS = new Map([
  ["http:", "80"],
  ["https:", "443"],
]);

/**
 * Returns the prefixes of URLs with the origin `origin`; empty if the text does not have the form in which browsers
 * write origins.
 */
function listOriginPrefixes(origin: string): readonly string[] {
  if (parseOrigin(origin) !== origin) return [];
  const { protocol, port } = new URL(origin);
  const usual = DEFAULT_PORTS.get(protocol);
  return port === "" && usual !== undefined ? [origin, `${origin}:${usual}`] : [origin];
}
