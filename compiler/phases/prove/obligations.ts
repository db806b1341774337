import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Backend } from "../../../engine/lib/wire/generated/policy.ts";
import { renderLabel } from "../../../lang/format/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import {
  type Assertion,
  type BoundClaim,
  type BoundLabel,
  type BoundPattern,
  type BoundQuota,
  type InheritedAssertion,
  isWithin,
  type Model,
  type Subject,
} from "../bind/index.ts";
import { listExtended } from "../policy/index.ts";
import { isStandard } from "../source/index.ts";
import type { CallSet, Goal } from "./goal.ts";
import { findGrantUses, type GrantUse, listUsers, type UncountedWay } from "./grant-uses.ts";
import { collectExchanges } from "./kinds.ts";
import { ANY_INTEGRITY, type Matcher, PRIVATE, UNTRUSTED } from "./matcher.ts";
import { ANY_GATE, encodeGate, GATES, getLooserGates } from "./modes.ts";
import { collectPlanExecutors } from "./plans.ts";
import type { ProvenClaim } from "./proof.ts";
import { quoteName, type Violation } from "./render-verdict.ts";

// Turns claims into questions: each question states which data a conversation has read, and which event must then not
// happen.

/** A claim, the questions that decide it, and fields that its proof (proof.ts) also contains. */
export interface ProofObligation {
  readonly words: string;
  readonly claim: ProvenClaim;
  readonly subject: string | undefined;
  readonly span: Span | undefined;
  readonly inherited: InheritedAssertion | undefined;
  /** Questions that decide the claim: it is proved if no question is refuted or undetermined. */
  readonly questions: readonly Question[];
}

/** A query about the data that a conversation has read. */
export interface HistoryQuery {
  readonly matchers: readonly Matcher[];
  /** Whether data that flowed only because of a release does not count as read. */
  readonly withoutReleases: boolean;
}

/** The tables and the model of the page, and the rows that a claim is about. */
export interface ClaimScope {
  readonly tables: IndexedTables;
  readonly model: Model;
  /** For each row, whether the claim is about conversations in this row. */
  readonly rows: readonly boolean[];
}

/** Renders the one-line reason of a refutation. */
export type RefutationRenderer = (violation: Violation) => string;

/** One question of a claim. `rows` marks the rows that the question is about; backends are indexes into the tables. */
export type Question =
  | {
      readonly kind: "reach";
      readonly history: HistoryQuery;
      readonly goal: Goal;
      readonly renderRefutation: RefutationRenderer;
      /**
       * For a call that a plan makes: goal of the conversation that submits the plan. A counterexample reaches this
       * goal first, then `goal`.
       */
      readonly submission?: Goal;
      /**
       * Uses of other services through which the calls of the goal break the claim; absent if the calls themselves
       * break it.
       */
      readonly uses?: readonly GrantUse[];
      /** Indirect effects that a claim about direct calls does not count; the proof names them. */
      readonly uncounted?: readonly UncountedWay[];
      /**
       * Tools in `outboundNet` that the claim does not count as sending data out, because their services cannot reach
       * the network.
       */
      readonly offline?: readonly string[];
      /** Whether the claim is about where data with a label flows. */
      readonly isAboutData?: true;
    }
  /** The question whether one of the rows lists one of these backends, which needs no search. */
  | { readonly kind: "list"; readonly rows: readonly boolean[]; readonly backends: readonly number[] }
  | { readonly kind: "limit"; readonly rows: readonly boolean[]; readonly quota: BoundQuota };

/** Returns the claims of the page's own assertions, in the order of the page. */
export function collectPageClaims(tables: IndexedTables, model: Model): ProofObligation[] {
  return selectOwnAssertions(model).map((assertion) => {
    const { claim, subject, words, node } = assertion;
    const questions = deriveQuestions(tables, model, assertion);
    return { words, claim, subject: subject && nameOf(subject), span: node.span, inherited: undefined, questions };
  });
}

/**
 * Returns the page's own assertions. Assertions of the standard library are left out, because they are proved as
 * inherited claims.
 */
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
  const scope = { tables, model, rows };
  switch (claim.kind) {
    case "never-flow":
      return [createFlowQuestion(scope, claim, { withoutReleases })];
    case "never-trifecta":
      return [createTrifectaQuestion(scope, { withoutReleases })];
    case "never-call": {
      const gates = claim.ungated ? encodeGate("auto") : ANY_GATE;
      const calls = { tools: findNamedTools(tables, claim.patterns), gates };
      return claim.directly
        ? deriveDirectQuestions(scope, calls, getRunText)
        : deriveCallQuestions(scope, calls, getRunText);
    }
    case "always": {
      const calls = { tools: findNamedTools(tables, claim.patterns), gates: getLooserGates(claim.mode) };
      const renderRefutation: RefutationRenderer = (violation) =>
        claim.mode === "forbidden"
          ? getRunText(violation)
          : `${getRunText(violation)}, less strict than \`${claim.mode}\``;
      return claim.directly
        ? deriveDirectQuestions(scope, calls, renderRefutation)
        : deriveCallQuestions(scope, calls, renderRefutation);
    }
    case "limit":
      return [{ kind: "limit", rows, quota: claim.quota }];
  }
}

/** Ruling 19: returns the rows of a subject; a session includes the sessions that extend it. */
function selectRows({ rows }: IndexedTables, model: Model, subject: Subject | undefined): boolean[] {
  if (subject === undefined) return rows.map(() => true);
  const task = subject.kind === "task" ? subject.task.name : undefined;
  const sessions = new Set(
    model.sessions.filter((session) => listExtended(session).includes(subject.session)).map(({ id }) => id),
  );
  return rows.map((row) => sessions.has(row.session) && (task === undefined || row.task === task));
}

/** Returns the question whether data with the label of the claim can reach the target of the claim. */
function createFlowQuestion(
  { tables, model, rows }: ClaimScope,
  { label, to }: Extract<BoundClaim, { kind: "never-flow" }>,
  { withoutReleases }: Pick<HistoryQuery, "withoutReleases">,
): Question {
  const history = { matchers: [createMatcherAtOrAbove(label)], withoutReleases };
  const what = `\`${renderLabel(label.node)}\``;
  if (to.kind === "backend") {
    const backends = findIndexes(tables.backends, ({ name }) => name === to.backend.name);
    const goal: Goal = { rows, calls: undefined, backends: { backends, modes: GATES } };
    return {
      kind: "reach",
      history,
      goal,
      isAboutData: true,
      renderRefutation: ({ action, route }) => `${what} reaches ${action} ${route}`,
    };
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
  const renderRefutation: RefutationRenderer = ({ action, route, provider }) => {
    const shared = services.has(provider)
      ? ""
      : `, which passes on what it holds to \`${[...services].join("`, `")}\`,`;
    return `${what} goes out by ${action}${shared} ${route}`;
  };
  return { kind: "reach", history, goal, isAboutData: true, renderRefutation };
}

/**
 * Returns these services, and the services whose data may reach them through grants or plans, directly or indirectly.
 */
export function findSharingServices(
  tables: IndexedTables,
  model: Model,
  services: ReadonlySet<string>,
): ReadonlySet<string> {
  const sendersTo = new Map<string, string[]>();
  for (const [from, receivers] of collectExchanges(tables, model))
    for (const name of receivers) sendersTo.set(name, [...(sendersTo.get(name) ?? []), from]);
  const holding = new Set(services);
  // The loop also visits the services that it adds to the set.
  for (const name of holding) for (const from of sendersTo.get(name) ?? []) holding.add(from);
  return holding;
}

/** Ruling 10: returns a matcher for labels at or above a level that have at least the given compartments. */
function createMatcherAtOrAbove({ confidentiality, compartments, integrity }: BoundLabel): Matcher {
  return { kind: "above", confidentiality, compartments, integrityAtMost: integrity ?? ANY_INTEGRITY };
}

/**
 * Returns the question whether private data, untrusted content and a call that sends data out at `auto` can occur in
 * one conversation.
 */
export function createTrifectaQuestion(
  { tables, model, rows }: ClaimScope,
  { withoutReleases }: Pick<HistoryQuery, "withoutReleases">,
): Question {
  const networked = new Set(model.services.filter((service) => service.networked).map(({ name }) => name));
  const outward = findSharingServices(tables, model, networked);
  const tools = findIndexes(tables.tools, ({ provider }) => outward.has(provider));
  const goal: Goal = {
    rows,
    calls: { tools, gates: encodeGate("auto"), sending: true, unreleased: false },
    backends: { backends: findIndexes(tables.backends, isElsewhere), modes: ["auto"] },
  };
  const renderRefutation: RefutationRenderer = ({ action, route }) =>
    `private data, content that nobody vouches for and ${action} meet ${route}`;
  const offline = model.tools
    .filter(({ service, method }) => isWithin(method.category, "outboundNet") && !outward.has(service.name))
    .map(({ name }) => name);
  const history = { matchers: [PRIVATE, UNTRUSTED], withoutReleases };
  return { kind: "reach", history, goal, renderRefutation, offline };
}

/** Returns whether the backend runs outside of the machine. */
export function isElsewhere({ local }: Backend): boolean {
  return !local;
}

/** Returns the indexes of the tools that the patterns name, ascending. */
function findNamedTools(tables: IndexedTables, patterns: readonly BoundPattern[]): readonly number[] {
  return [...new Set(patterns.flatMap((pattern) => pattern.tools.map(({ name }) => name)))]
    .flatMap((name) => tables.toolIndex.get(name) ?? [])
    .sort((left, right) => left - right);
}

/**
 * Returns the questions whether one of these calls can run. A conversation in the rows may make the call itself, or
 * cause it through a grant or through a plan that it submits.
 */
export function deriveCallQuestions(
  scope: ClaimScope,
  { tools, gates }: CallSet,
  renderRefutation: RefutationRenderer,
): Question[] {
  const { tables, model, rows } = scope;
  const common = { kind: "reach", history: NO_HISTORY, renderRefutation } as const;
  const own: Question = { ...common, goal: createCallGoal(rows, tools, gates) };
  if (!rows.includes(true)) return [own];
  const uses = findGrantUses(tables, model, new Set(tools));
  const users = listUsers(uses);
  const granted: Question[] = users.length === 0 ? [] : [{ ...common, goal: createCallGoal(rows, users, gates), uses }];
  const planned = collectPlanExecutors(tables, model).flatMap(({ row, submit, through, acts }): Question[] => {
    if (rows[row]) return [];
    const executing = rows.map((_, index) => index === row);
    const createGoals = (called: readonly number[], more: { readonly uses?: readonly GrantUse[] }) => {
      const done = acts.filter((act) => called.includes(act));
      return done.length === 0 ? [] : [{ goal: createCallGoal(executing, done, gates), ...more }];
    };
    // A person approves the whole plan when it is submitted. Nobody approves plans that a service submits by itself.
    const submissions = [createCallGoal(rows, submit, gates), createCallGoal(rows, through, ANY_GATE)];
    return [...createGoals(tools, {}), ...createGoals(users, { uses })].flatMap((executed) =>
      submissions.map((submission) => ({ ...common, ...executed, submission })),
    );
  });
  return [own, ...granted, ...planned];
}

/**
 * Returns the question whether one of these calls can run as a call of a conversation in the rows. The proof names the
 * indirect paths, through grants and plans.
 */
function deriveDirectQuestions(
  { tables, model, rows }: ClaimScope,
  { tools, gates }: CallSet,
  renderRefutation: RefutationRenderer,
): Question[] {
  const quote = (tool: number) => quoteName(tables.tools[tool]?.name ?? "");
  const uses = findGrantUses(tables, model, new Set(tools));
  const users = new Set(listUsers(uses));
  const granted = uses.map(({ called, used }) => ({
    called,
    gates,
    words: `${quote(called)} may use ${quote(used)}`,
  }));
  const planned = collectPlanExecutors(tables, model).flatMap(({ row, submit, through, acts }): UncountedWay[] => {
    if (rows[row]) return [];
    const session = quoteName(tables.rows[row]?.session ?? "");
    return acts
      .filter((act) => tools.includes(act) || users.has(act))
      .flatMap((act) => {
        const describe = (called: number) =>
          `${quote(called)} may hand in a plan that calls ${quote(act)} in ${session}`;
        return [
          ...submit.map((called) => ({ called, gates, words: describe(called) })),
          ...through.map((called) => ({ called, gates: ANY_GATE, words: describe(called) })),
        ];
      });
  });
  const goal = createCallGoal(rows, tools, gates);
  return [{ kind: "reach", history: NO_HISTORY, goal, renderRefutation, uncounted: [...granted, ...planned] }];
}

/** Renders only which tool runs, with its gate and its place. */
export const getRunText: RefutationRenderer = (violation) => violation.run;

/** A query that every conversation meets, because it has no matchers. */
export const NO_HISTORY: HistoryQuery = { matchers: [], withoutReleases: false };

/** Returns a goal of the search: in one of the rows, a call of one of these tools runs with one of these gates. */
export function createCallGoal(rows: readonly boolean[], tools: readonly number[], gates: number): Goal {
  return { rows, calls: { tools, gates, sending: false, unreleased: false }, backends: undefined };
}

/** Returns the indexes of the wanted items, ascending. */
export function findIndexes<T>(items: readonly T[], wanted: (state: T) => boolean): number[] {
  const found: number[] = [];
  items.forEach((state, index) => {
    if (wanted(state)) found.push(index);
  });
  return found;
}
