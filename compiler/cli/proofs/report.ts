// Reports the proofs of a page, and of the graph of processes that is built from it. `capc prove`, programs and recipients of the
// artefacts get the same facts.

import { formatLabel, renderSource, renderTaskCommand } from "../../../engine/lib/policy/index.ts";
import { type Label, PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { placeOf, type Span } from "../../../lang/text/index.ts";
import { planProcesses } from "../../../targets/manifest/processes.ts";
import { proveStructure } from "../../../targets/manifest/structure.ts";
import { computeSha256 } from "../../artefacts/inspect/description.ts";
import type { Heard, Proof, Proofs, Witness, WitnessStep, WitnessValue } from "../../phases/prove/index.ts";
import type {
  DeadFacts,
  LoosenedFacts,
  PromptFacts,
  ProvenAssertion,
  WaiverFacts,
} from "../../queries/report/index.ts";
import { callText, findLoosenings, renderWitness } from "../../rules/index.ts";
import type { CheckedPage } from "../page.ts";
import { describeDeadCell, describePrompts } from "./authority.ts";

/** An assertion with the calls that show its refutation. */
export interface AssertionReport extends ProvenAssertion {
  readonly witness: object | null;
}

/** Content of proofs.json, which `capc schema proofs` describes. */
export interface ProofReport {
  readonly system: string;
  readonly version: string;
  /** SHA-256 of the proved policy tables in hexadecimal; the machine shows its first digits at each start. */
  readonly policy: string;
  readonly assertions: readonly AssertionReport[];
  readonly waived: readonly WaiverFacts[];
  readonly prompts: readonly PromptFacts[];
  readonly dead: readonly DeadFacts[];
  readonly loosened: readonly LoosenedFacts[];
}

/** A page without errors, and its proofs. */
export interface ToReport extends CheckedPage {
  readonly proofs: Proofs;
}

/**
 * Creates the report. `place` returns a span with the path by which the reader knows its file. Assertions about the
 * structure of the image are proved only if the image can be built.
 */
export function createProofReport(
  { policy, origins, model, trees, proofs }: ToReport,
  { place = (span: Span) => span, built = true } = {},
): ProofReport {
  const { systemId, version } = policy.tables;
  const waived = model.waivers.map(({ assertion, session, reason }) => ({
    assertion,
    session: session?.id ?? null,
    because: reason,
  }));
  const everywhere = new Set(waived.flatMap(({ assertion, session }) => (session === null ? [assertion] : [])));
  // The proofs about the graph of processes hold for this runtime only; upstream's runtime has other processes.
  const structure = built && policy.image.target === "linux" ? proveStructure(planProcesses(policy, origins)) : [];
  return {
    system: systemId,
    version,
    policy: computeSha256(encodeMessage(PolicyTables, policy.tables)),
    assertions: [
      ...proofs.results.map((proof) => reportProof(policy.tables, proof, place)),
      ...structure.filter(({ assertion }) => !everywhere.has(assertion)).map(reportStructure),
    ],
    waived,
    prompts: proofs.prompts.map((demand) => describePrompts(policy.tables, demand)),
    dead: proofs.dead.map((cell) => describeDeadCell(policy.tables, cell)),
    loosened: findLoosenings(model, trees).map(({ place: where, line, by, tools, shown, because }) => ({
      place: where,
      line: line.words,
      by: by.map(({ words }) => words),
      at: placeOf(place((by[0] ?? line).span)),
      tools,
      shown: callText(shown),
      because: because ?? null,
    })),
  };
}

/** Returns the report with its assertions only, for a user who asked about some assertions and not about the page. */
export function selectAsked(report: ProofReport): ProofReport {
  return { ...report, waived: [], prompts: [], dead: [], loosened: [] };
}

/** Returns how many assertions are refuted or undetermined. */
export function countUnproved({ assertions }: ProofReport): number {
  return assertions.filter(({ verdict }) => verdict !== "proved").length;
}

function reportProof(
  tables: PolicyTables,
  { words, span, inherited, verdict }: Proof,
  place: (span: Span) => Span,
): AssertionReport {
  const common = {
    assertion: inherited ?? words,
    of: inherited === undefined ? "page" : "conversations",
    at: span === undefined ? null : placeOf(place(span)),
    releases: [],
    uncounted: [],
    offline: [],
    isVacuous: false,
    isUnlabelled: false,
    ignoresReleases: false,
    size: null,
    story: [],
    witness: null,
  } as const;
  switch (verdict.kind) {
    case "proved": {
      const { kind: _, states, merged, ...facts } = verdict;
      return {
        ...common,
        verdict: "proved",
        ...facts,
        size: { states, labels: merged },
      };
    }
    case "undetermined":
      return { ...common, verdict: "undetermined", sentence: verdict.reason };
    case "refuted": {
      const { sentence, witness } = verdict;
      const story = renderWitness(tables, witness);
      return { ...common, verdict: "refuted", sentence, story, witness: convertWitnessToPlain(tables, witness) };
    }
  }
}

function reportStructure({ assertion, sentence, broken }: ReturnType<typeof proveStructure>[number]): AssertionReport {
  const holds = broken.length === 0;
  return {
    assertion,
    of: "image",
    at: null,
    verdict: holds ? "proved" : "refuted",
    sentence: holds ? sentence : broken.join("; "),
    releases: [],
    uncounted: [],
    offline: [],
    isVacuous: false,
    isUnlabelled: false,
    ignoresReleases: false,
    size: null,
    story: [],
    witness: null,
  };
}

/** Returns the sources of a value in the conversation, in the page's notation. */
function convertHeard({ value, sources, standing }: Heard): object {
  return { value: String(value), sources: sources.map(renderSource), standing };
}

/** Returns the command that begins the task of a conversation, with the values of the task's parameters. */
function renderBeginning(
  { rows }: PolicyTables,
  session: string,
  task: string,
  chosen: readonly WitnessValue[],
): string {
  const row = rows.find((one) => one.session === session && one.task === task);
  return renderTaskCommand(task, row?.parameters ?? [], new Map(chosen.map(({ name, value }) => [name, value])));
}

/** Returns the witness with labels and lines in the notation of the page. */
export function convertWitnessToPlain(tables: PolicyTables, { conversations }: Witness): object {
  const renderLabel = (value: Label): string => formatLabel(tables.lattice, value);
  const convertStep = (step: WitnessStep): object => {
    switch (step.kind) {
      case "call": {
        const { rule, release, returning, heard, ...rest } = step;
        const said = heard === undefined ? {} : { heard: heard.map(convertHeard) };
        const released =
          release === undefined ? {} : { release: tables.rules[tables.releases[release]?.rule ?? -1]?.words };
        const back = returning === undefined ? {} : { returning: renderLabel(returning) };
        return {
          ...rest,
          ...said,
          rule: tables.rules[rule]?.words ?? null,
          ...released,
          ...back,
          label: renderLabel(step.label),
        };
      }
      case "worker":
        return { ...step, steps: step.steps.map(convertStep), label: renderLabel(step.label) };
      case "phase":
      case "ingress":
      case "infer":
        return { ...step, label: renderLabel(step.label) };
    }
  };
  return conversations.map(({ session, task, chosen, steps }) => {
    const begun = chosen === undefined ? {} : { begun: renderBeginning(tables, session, task, chosen) };
    return { session, task, ...begun, steps: steps.map(convertStep) };
  });
}
