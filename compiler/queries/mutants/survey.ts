import { type IndexedTables, renderDecisionLine } from "../../../engine/lib/policy/index.ts";
import { viewFirstSources } from "../../../engine/lib/provenance/index.ts";
import type { PolicyTables, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { compareSpans } from "../../../lang/text/index.ts";
import type { BoundTest, Model } from "../../phases/bind/index.ts";
import { indexPolicyTables, type Origins, type Policy } from "../../phases/policy/index.ts";
import { type Proof, prove } from "../../phases/prove/index.ts";
import { findFailure, type Listener } from "../page-tests/index.ts";
import { createAbsenceMutants } from "./absences.ts";
import { createCellMutants } from "./cells.ts";
import { createFloorMutants } from "./floors.ts";
import { createGateMutants } from "./gates.ts";
import type { Mutant, Original } from "./mutant.ts";
import { createQuotaMutants } from "./quotas.ts";
import { createReleaseMutants } from "./releases.ts";
import { createRequirementMutants } from "./requirements.ts";

/** A mutant, and the guards (tests, proofs, accepted decisions) that detect it. If no guard detects it, it survives. */
export interface MutantVerdict {
  readonly mutant: Mutant;
  /** Titles of the page's tests that fail, in the order of the page. */
  readonly tests: readonly string[];
  /** Texts of the assertions that are proved for the page, but not for the mutant. */
  readonly proofs: readonly string[];
  /** Whether the decisions of the mutant differ from the accepted decisions. */
  readonly golden: boolean;
}

/** Returns whether any test, proof or golden file notices the mutant. */
export function isNoticed({ tests, proofs, golden }: MutantVerdict): boolean {
  return tests.length > 0 || proofs.length > 0 || golden;
}

/** Guards in addition to the tests and the assertions of the page. */
interface Guards {
  /** Whether the page has accepted decisions, with which each cell is compared. */
  readonly golden: boolean;
}

/** Returns a verdict on each mutant of a page whose tests pass, in the order of its lines. */
export function surveyMutants(
  policy: Policy,
  origins: Origins,
  model: Model,
  guards: Guards,
): readonly MutantVerdict[] {
  const original: Original = { tables: indexPolicyTables(policy), origins, model };
  const asked = model.tests.map((test) => observeTest(original.tables, test));
  const checkProofs = (tables: PolicyTables) => prove({ ...policy, tables }, model).results.map(isProved);
  const words = prove(policy, model).results.map((proof) => (isProved(proof) ? proof.words : undefined));
  return createMutants(original).map((mutant) => ({
    mutant,
    tests: asked.filter((test) => isNoticedByTest(test, original, mutant)).map(({ test }) => test.title),
    proofs: checkProofs(mutant.tables).flatMap((holds, index) => (holds ? [] : (words[index] ?? []))),
    golden: guards.golden && hasChangedDecision(original, mutant),
  }));
}

function isProved({ verdict }: Proof): boolean {
  return verdict.kind === "proved";
}

/** Returns all mutants that differ from the original. */
export function createMutants(original: Original): readonly Mutant[] {
  const kinds = [
    createCellMutants,
    createAbsenceMutants,
    createFloorMutants,
    createReleaseMutants,
    createQuotaMutants,
    createGateMutants,
    createRequirementMutants,
  ];
  const mutants = kinds.flatMap((kind) => kind(original));
  return mutants.sort((left, right) => compareSpans(left.line.span, right.line.span));
}

/**
 * A test, with the calls that it makes on the original tables. With a mutant, the test makes the same calls until the
 * first result that differs.
 */
interface Asked {
  readonly test: BoundTest;
  /** Names of the tools that the test calls, by row. */
  readonly calls: ReadonlyMap<Row, ReadonlySet<string>>;
}

function observeTest(tables: IndexedTables, test: BoundTest): Asked {
  const calls = new Map<Row, Set<string>>();
  const called = (row: Row, tool: string) => calls.set(row, (calls.get(row) ?? new Set()).add(tool));
  findFailure(tables, test, { called, decided: () => {} });
  return { test, calls };
}

const DEAF: Listener = { called: () => {}, decided: () => {} };

function isNoticedByTest(asked: Asked, original: Original, mutant: Mutant): boolean {
  const meets = mutant.reach === "conversations" || hasAffectedCall(asked, original, mutant);
  return meets && findFailure(mutant.tables, asked.test, DEAF) !== undefined;
}

function hasAffectedCall(asked: Asked, { tables }: Original, { rows, tools }: Mutant): boolean {
  const called = rows
    .flatMap((index) => tables.rows.slice(index, index + 1))
    .flatMap((row) => asked.calls.get(row) ?? []);
  return called.length > 0 && tools.some((tool) => called.some((names) => names.has(tables.tools[tool]?.name ?? "")));
}

function hasChangedDecision({ tables }: Original, mutant: Mutant): boolean {
  const render = (of: IndexedTables) => {
    const sources = viewFirstSources(of);
    return (row: number, tool: number) => renderDecisionLine(of, { row, tool }, sources);
  };
  const [before, after] = [render(tables), render(mutant.tables)];
  const isDifferent = (row: number, tool: number) => before(row, tool) !== after(row, tool);
  return mutant.rows.some((row) => mutant.tools.some((tool) => isDifferent(row, tool)));
}
