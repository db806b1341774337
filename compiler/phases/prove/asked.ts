import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Backend } from "../../../engine/lib/wire/generated/policy.ts";
import { renderLabel } from "../../../lang/format/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type {
  Assertion,
  BoundLabel,
  BoundPattern,
  BoundQuota,
  FlowTarget,
  InheritedAssertion,
  Model,
  Subject,
} from "../bind/index.ts";
import { listExtended } from "../policy/index.ts";
import { isStandard } from "../source/index.ts";
import type { Goal } from "./goal.ts";
import { findHeldUses, type HeldUse } from "./held.ts";
import { collectExchanges } from "./kinds.ts";
import { ANY_INTEGRITY, type Matcher, PRIVATE, UNTRUSTED } from "./matcher.ts";
import { ANY_GATE, encodeGate, GATES, getLooserGates } from "./modes.ts";
import { collectPlanExecutors } from "./plans.ts";
import type { ProvenClaim } from "./proof.ts";
import type { Broken } from "./words.ts";

// What is asserted, as questions: of what a conversation has seen, and of what it must not do then.

/** A claim and its questions; beside them what its proof says of it (proof.ts). */
export interface Asked {
  readonly words: string;
  readonly claim: ProvenClaim;
  readonly subject: string | undefined;
  readonly span: Span | undefined;
  readonly inherited: InheritedAssertion | undefined;
  /** It holds where no answer to any of them is a refutation. */
  readonly questions: readonly Question[];
}

/** What is asked about the past of a conversation. */
export interface Watch {
  readonly matchers: readonly Matcher[];
  /** What a release lets out counts as not seen where it goes. */
  readonly withoutReleases: boolean;
}

/** One line for whoever reads that it does not hold. */
export type Says = (broken: Broken) => string;

/** Rows that it is about are true in `rows`, backends are indexes into the tables. */
export type Question =
  | {
      readonly kind: "reach";
      readonly watch: Watch;
      readonly goal: Goal;
      readonly says: Says;
      /** Only where some conversation comes to this as well: it hands in the plan that the other one executes. */
      readonly handing?: Goal;
      /** What the claim does not count, though it comes to the same: told beside a proof. */
      readonly held?: readonly HeldUse[];
    }
  /** No row lists one of these: there is nothing to search for. */
  | { readonly kind: "list"; readonly rows: readonly boolean[]; readonly backends: readonly number[] }
  | { readonly kind: "limit"; readonly rows: readonly boolean[]; readonly quota: BoundQuota };

/** The page's own assertions in its order. */
export function collectPageClaims(tables: IndexedTables, model: Model): Asked[] {
  return selectOwnAssertions(model).map((assertion) => {
    const { claim, subject, words, node } = assertion;
    const questions = deriveQuestions(tables, model, assertion);
    return { words, claim, subject: subject && nameOf(subject), span: node.span, inherited: undefined, questions };
  });
}

/** The lines of the standard library are what everybody inherits, and proved as that. */
function selectOwnAssertions({ assertions }: Model): readonly Assertion[] {
  return assertions.filter(({ node }) => !isStandard(node.span.source.path));
}

function nameOf(subject: Subject): string {
  return subject.kind === "session" ? subject.session.id : `${subject.session.id}.${subject.task.name}`;
}

function deriveQuestions(
  tables: IndexedTables,
  model: Model,
  { claim, subject, withoutReleases }: Assertion,
): Question[] {
  const rows = selectRows(tables, model, subject);
  switch (claim.kind) {
    case "never-flow":
      return [createFlowQuestion(tables, model, rows, claim.label, claim.to, withoutReleases)];
    case "never-trifecta":
      return [createTrifectaQuestion(tables, model, rows, withoutReleases)];
    case "never-call":
      return callQuestions(
        tables,
        model,
        rows,
        claim.patterns,
        claim.ungated ? encodeGate("auto") : ANY_GATE,
        getRunText,
      );
    case "always":
      return callQuestions(tables, model, rows, claim.patterns, getLooserGates(claim.mode), (broken) =>
        claim.mode === "forbidden" ? getRunText(broken) : `${getRunText(broken)}, less strict than \`${claim.mode}\``,
      );
    case "limit":
      return [{ kind: "limit", rows, quota: claim.quota }];
  }
}

/** Ruling 19: a session stands for those that extend it as well. */
function selectRows({ rows }: IndexedTables, model: Model, subject: Subject | undefined): boolean[] {
  if (subject === undefined) return rows.map(() => true);
  const task = subject.kind === "task" ? subject.task.name : undefined;
  const sessions = new Set(
    model.sessions.filter((session) => listExtended(session).includes(subject.session)).map(({ id }) => id),
  );
  return rows.map((row) => sessions.has(row.session) && (task === undefined || row.task === task));
}

function createFlowQuestion(
  tables: IndexedTables,
  model: Model,
  rows: readonly boolean[],
  label: BoundLabel,
  to: FlowTarget,
  withoutReleases: boolean,
): Question {
  const watch = { matchers: [createMatcherAtOrAbove(label)], withoutReleases };
  const what = `\`${renderLabel(label.node)}\``;
  if (to.kind === "backend") {
    const backends = findIndexes(tables.backends, ({ name }) => name === to.backend.name);
    const goal: Goal = { rows, calls: undefined, backends: { backends, modes: GATES } };
    return { kind: "reach", watch, goal, says: ({ does, way }) => `${what} reaches ${does} ${way}` };
  }
  const services = new Set(
    model.services
      .filter((service) => (to.kind === "service" ? service === to.service : service.interface === to.interface))
      .map(({ name }) => name),
  );
  const holding = findSharingServices(tables, model, services);
  const tools = findIndexes(tables.tools, ({ provider }) => holding.has(provider));
  const calls = { tools, gates: ANY_GATE, sending: true, unreleased: withoutReleases };
  const goal: Goal = { rows, calls, backends: undefined };
  const says: Says = ({ does, way, provider }) => {
    const shared = services.has(provider)
      ? ""
      : `, which passes on what it holds to \`${[...services].join("`, `")}\`,`;
    return `${what} goes out by ${does}${shared} ${way}`;
  };
  return { kind: "reach", watch, goal, says };
}

/** These services, and those from which what they hold goes on to one of these, by a grant or a plan, however far. */
export function findSharingServices(
  tables: IndexedTables,
  model: Model,
  services: ReadonlySet<string>,
): ReadonlySet<string> {
  const tellers = new Map<string, string[]>();
  for (const [from, told] of collectExchanges(tables, model))
    for (const name of told) tellers.set(name, [...(tellers.get(name) ?? []), from]);
  const holding = new Set(services);
  // What is added on the way is walked as well.
  for (const name of holding) for (const from of tellers.get(name) ?? []) holding.add(from);
  return holding;
}

/** Ruling 10: in an assertion a label stands for what is at or above its level, with its compartments and any others. */
function createMatcherAtOrAbove({ confidentiality, compartments, integrity }: BoundLabel): Matcher {
  return { kind: "above", confidentiality, compartments, integrityAtMost: integrity ?? ANY_INTEGRITY };
}

/** Whether private data, content that nobody vouches for, and an outward call at `auto` meet. */
export function createTrifectaQuestion(
  tables: IndexedTables,
  model: Model,
  rows: readonly boolean[],
  withoutReleases: boolean,
): Question {
  const networked = new Set(model.services.filter((service) => service.networked).map(({ name }) => name));
  const outward = findSharingServices(tables, model, networked);
  const tools = findIndexes(tables.tools, ({ provider }) => outward.has(provider));
  const goal: Goal = {
    rows,
    calls: { tools, gates: encodeGate("auto"), sending: true, unreleased: false },
    backends: { backends: findIndexes(tables.backends, isElsewhere), modes: ["auto"] },
  };
  const says: Says = ({ does, way }) => `private data, content that nobody vouches for and ${does} meet ${way}`;
  return { kind: "reach", watch: { matchers: [PRIVATE, UNTRUSTED], withoutReleases }, goal, says };
}

/** What it is told leaves the machine. */
export function isElsewhere({ local }: Backend): boolean {
  return !local;
}

function callQuestions(
  tables: IndexedTables,
  model: Model,
  rows: readonly boolean[],
  patterns: readonly BoundPattern[],
  gates: number,
  says: Says,
): Question[] {
  const tools = [...new Set(patterns.flatMap((pattern) => pattern.tools.map(({ name }) => name)))]
    .flatMap((name) => tables.toolIndex.get(name) ?? [])
    .sort((left, right) => left - right);
  return deriveCallQuestions(tables, model, rows, tools, gates, says);
}

/** That none of these tools runs behind any of these gates: neither by a call of the rows, nor by a plan that they hand in. */
export function deriveCallQuestions(
  tables: IndexedTables,
  model: Model,
  rows: readonly boolean[],
  tools: readonly number[],
  gates: number,
  says: Says,
): Question[] {
  const held = findHeldUses(tables, model, new Set(tools));
  const own: Question = { kind: "reach", watch: NOTHING, goal: createCallGoal(rows, tools, gates), says, held };
  if (!rows.includes(true)) return [own];
  const planned = collectPlanExecutors(tables, model).flatMap(({ row, submit, through, acts }): Question[] => {
    const done = acts.filter((act) => tools.includes(act));
    if (rows[row] || done.length === 0) return [];
    const goal = createCallGoal(
      rows.map((_, index) => index === row),
      done,
      gates,
    );
    // Who is asked about a plan is asked about all of it; about what some service hands in by itself nobody is.
    const handings = [createCallGoal(rows, submit, gates), createCallGoal(rows, through, ANY_GATE)];
    return handings.map((handing) => ({ kind: "reach", watch: NOTHING, goal, says, handing }));
  });
  return [own, ...planned];
}

/** That it runs at all is what was not to be. */
export const getRunText: Says = (broken) => broken.runs;

/** Nothing is asked about what was seen. */
export const NOTHING: Watch = { matchers: [], withoutReleases: false };

/** Calls of these tools behind any of these gates, whatever was seen before. */
export function createCallGoal(rows: readonly boolean[], tools: readonly number[], gates: number): Goal {
  return { rows, calls: { tools, gates, sending: false, unreleased: false }, backends: undefined };
}

/** Where the wanted items stand, ascending. */
export function findIndexes<T>(items: readonly T[], wanted: (item: T) => boolean): number[] {
  return items.flatMap((item, index) => (wanted(item) ? [index] : []));
}
