// Builds the views of sessions, tasks and phases with their limits, and of models, people and the machine.

import {
  durationText,
  formatLabel,
  formatSecrecy,
  listRedactions,
  renderParameter,
} from "../../../../engine/lib/policy/index.ts";
import type { Row } from "../../../../engine/lib/wire/generated/policy.ts";
import { describeKeep, formatRowPath, listTimeLimits } from "../../../phases/policy/index.ts";
import type { Subject } from "../subject.ts";
import { buildRuleView, type RuleView } from "./decisions.ts";
import type { PlaceView, Sources } from "./sources.ts";

interface PlaceRowView {
  readonly path: string;
  readonly place: PlaceView;
  readonly kind: string;
  readonly login: string;
  readonly people: string;
  readonly clearance: string;
  readonly starts: string;
  readonly models: string;
  readonly remember: string;
  readonly entry: string;
  readonly quotas: readonly RuleView[];
  readonly timeouts: readonly string[];
  /** Maximum numbers of questions that one conversation in this place may ask; null if they were not computed. */
  readonly questions: QuestionsView | null;
}

interface QuestionsView {
  readonly worst: string;
  readonly by: string;
  readonly counted: string;
}

export function placeViews(subject: Subject, sources: Sources): readonly PlaceRowView[] {
  const { tables, origins } = subject;
  return tables.rows.map((row) => ({
    path: formatRowPath(row),
    place: locatePlace(sources, origins.sessions.get(row.session)),
    kind: row.kind,
    login: row.login === "none" ? "whoever is at the console" : `by ${row.login}`,
    people: row.principals.map((index) => tables.principals[index]?.name ?? "").join(", "),
    clearance: formatSecrecy(tables.lattice, row.clearance),
    starts: formatLabel(tables.lattice, row.starts),
    models: row.backends.map(({ backend, mode }) => `${mode} ${tables.backends[backend]?.name ?? ""}`).join(", "),
    remember: row.remember === "none" ? "never" : `for a ${row.remember}`,
    entry: describeEntry(row),
    quotas: row.quotas.map(({ rule }) => buildRuleView(tables.rules[rule], sources)),
    timeouts: renderTimeouts(row),
    questions: describeQuestions(subject, row),
  }));
}

function locatePlace(sources: Sources, span: Parameters<Sources["of"]>[0] | undefined): PlaceView {
  return span === undefined ? { text: "", href: null } : sources.of(span);
}

function renderTimeouts({ timeouts }: Row): readonly string[] {
  return listTimeLimits(timeouts).map(([scope, ms]) => `${durationText(ms)} per ${scope}`);
}

/**
 * Describes how a conversation gets into a row: after which gate, and with which parameters that a person chooses.
 * Returns an empty text if there is neither. If calls need a task, states only this.
 */
function describeEntry({ requiresTask, entry, parameters, phaseIndex, worker }: Row): string {
  if (requiresTask) return "nothing runs outside of a task";
  const gate = entry === "auto" ? [] : [`after ${entry}`];
  const isBegun = phaseIndex === 0 && worker === "" && parameters.length > 0;
  return [...gate, ...(isBegun ? [`with ${parameters.map(renderParameter).join(", ")}`] : [])].join(", ");
}

/**
 * Returns how many questions one conversation in a session or a task may ask. A phase has no numbers of its own, because
 * a conversation passes through all phases of its task.
 */
function describeQuestions({ proofs }: Subject, { session, task, worker, phaseIndex }: Row): QuestionsView | null {
  if (worker !== "" || phaseIndex !== 0) return null;
  const path = formatRowPath({ session, task, phase: "", worker: "" });
  const found = proofs.prompts.find(({ place }) => place === path);
  if (found === undefined) return null;
  const { wanted, asked, by, quotas } = found;
  const worst = wanted === "unbounded" ? "without end" : wanted === "0" ? "never" : `at most ${wanted} a conversation`;
  const counted = quotas.length === 0 ? "no quota counts them" : `${asked} by ${quotas.join(", ")}`;
  return { worst, by: by.join(" + "), counted };
}

interface BackendView {
  readonly name: string;
  readonly place: PlaceView;
  readonly kind: string;
  readonly where: string;
  readonly clearance: string;
  /**
   * Name of the backend's embedder; empty if it has none. A session uses this embedder if this backend is the first of
   * its backends that answers without a gate.
   */
  readonly embedder: string;
  /** Names of redactions that mask a conversation before this backend reads it; empty if none do. */
  readonly masked: string;
  readonly price: string;
  readonly quotas: readonly RuleView[];
}

export function buildBackendViews({ tables, origins }: Subject, sources: Sources): readonly BackendView[] {
  return tables.backends.map(
    ({ name, kind, local, clearance, currency, inputMicros, outputMicros, embedder, quotas }) => ({
      name,
      place: locatePlace(sources, origins.backends.get(name)),
      kind,
      where: local ? "in the machine" : "elsewhere",
      clearance: formatSecrecy(tables.lattice, clearance),
      embedder,
      masked: listRedactions(tables, { clearance })
        .map((redaction) => redaction.name)
        .join(", "),
      price:
        currency === ""
          ? "none said"
          : `${formatMicros(inputMicros)} and ${formatMicros(outputMicros)} ${currency} a million`,
      quotas: quotas.map(({ rule }) => buildRuleView(tables.rules[rule], sources)),
    }),
  );
}

const MICROS = 1_000_000n;

function formatMicros(amount: bigint): string {
  const rest = String(amount % MICROS)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${amount / MICROS}.${rest}`;
}

interface RedactionView {
  readonly name: string;
  readonly label: string;
  readonly masks: readonly string[];
  readonly backends: string;
}

export function buildRedactionViews({ tables }: Subject): readonly RedactionView[] {
  return tables.redactions.map(({ name, label, patterns, results, arguments: args }) => ({
    name,
    label: formatSecrecy(tables.lattice, label),
    masks: [
      ...patterns.map((pattern) => `texts of ${JSON.stringify(pattern)}`),
      ...results.map((field) => `${field.name} of results of ${field.tool}`),
      ...args.map((field) => `${field.name} of arguments of ${field.tool}`),
    ],
    backends: tables.backends
      .filter((backend) => listRedactions(tables, backend).some((one) => one.name === name))
      .map((backend) => backend.name)
      .join(", "),
  }));
}

/** Returns the label above which the audit log has only digests, or `null` if it has all text. */
export function buildAuditLimitView({ tables: { audit, lattice } }: Subject): string | null {
  return audit.hasLimit ? formatSecrecy(lattice, audit.above) : null;
}

/** Describes for people when a full audit log releases its oldest records. */
export function buildAuditKeepView({ tables: { audit } }: Subject): string {
  return describeKeep(audit.keep);
}

interface PersonView {
  readonly name: string;
  readonly place: PlaceView;
  readonly proof: string;
  readonly sessions: string;
}

export function buildPersonViews({ tables, origins }: Subject, sources: Sources): readonly PersonView[] {
  return tables.principals.map(({ name, keys, passphrase }, index) => {
    const sessions = tables.rows.filter(({ principals }) => principals.includes(index)).map(({ session }) => session);
    const proofs = [
      ...(keys.length === 0 ? [] : [`${keys.length} ${keys.length === 1 ? "key" : "keys"}`]),
      ...(passphrase === "" ? [] : ["a passphrase"]),
    ];
    return {
      name,
      place: locatePlace(sources, origins.principals.get(name)),
      proof: proofs.join(", "),
      sessions: [...new Set(sessions)].join(", "),
    };
  });
}
