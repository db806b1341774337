import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { InheritedAssertion, Model, Session, Waiver } from "../bind/index.ts";
import { listExtended } from "../policy/index.ts";
import { isStandard } from "../source/index.ts";
import { encodeGate, GATES } from "./modes.ts";
import {
  type ClaimScope,
  createTrifectaQuestion,
  deriveCallQuestions,
  findIndexes,
  getRunText,
  isElsewhere,
  type ProofObligation,
  type Question,
  type RefutationRenderer,
} from "./obligations.ts";
import type { WaivedProof } from "./proof.ts";

// Decides four of the seven inherited claims: those that depend on conversations. These claims must hold for every
// page, unless the page waives them. The other three are about the composition of an image, and `targets/manifest`
// proves them.

const WORDS = {
  trifecta: "never trifecta",
  "remote-clearance": "nothing above a remote backend's clearance reaches it",
  "anonymous-asks": "in an anonymous session nothing that changes, destroys or sends runs by itself",
  "guest-local": "guests are answered by backends of this machine",
} as const satisfies Partial<Record<InheritedAssertion, string>>;

const QUESTIONS = {
  trifecta: (scope) => [createTrifectaQuestion(scope, { withoutReleases: false })],
  "remote-clearance": createClearanceQuestions,
  "anonymous-asks": createAnonymousQuestions,
  "guest-local": createGuestQuestions,
} as const satisfies Record<keyof typeof WORDS, (scope: ClaimScope) => readonly Question[]>;

/** Returns a proof obligation for each inherited claim that is not waived for the whole page. */
export function collectInheritedClaims(tables: IndexedTables, model: Model): ProofObligation[] {
  const names = Object.keys(WORDS) as (keyof typeof WORDS)[];
  return names.flatMap((assertion): ProofObligation[] => {
    const rows = selectUnwaivedRows(tables, model, assertion);
    if (!rows.includes(true)) return [];
    const questions = QUESTIONS[assertion]({ tables, model, rows });
    const line = model.assertions.find(
      ({ claim, node }) => isStandard(node.span.source.path) && claim.kind === `never-${assertion}`,
    );
    const claim = { kind: "inherited", assertion } as const;
    const span = line?.node.span;
    return [{ words: WORDS[assertion], claim, subject: undefined, span, inherited: assertion, questions }];
  });
}

/**
 * Returns the waivers that are not needed: without them, no claim would be refuted. Waivers of claims about the
 * processes of an image, such as `audited`, are left out, because a page alone does not decide such claims.
 */
export function findIdleWaivers(
  tables: IndexedTables,
  model: Model,
  isProved: (questions: readonly Question[]) => boolean,
): readonly Waiver[] {
  const left = new Set(model.waivers);
  // If a waiver for a session and a waiver for the whole page cover the same claim, only the waiver for the session is
  // reported. If both were reported, the author might delete both, and the claim would be refuted.
  const inOrder = [...model.waivers].sort(
    (one, other) => Number(other.session !== undefined) - Number(one.session !== undefined),
  );
  for (const waiver of inOrder) {
    const { assertion } = waiver;
    if (!isConversational(assertion)) continue;
    const others = left.difference(new Set([waiver]));
    const [without, covered] = [others, left].map((waivers) =>
      selectUnwaivedRows(tables, { ...model, waivers: [...waivers] }, assertion),
    );
    // Select the rows that this waiver covers and no other waiver covers.
    const rows = (without ?? []).map((asked, index) => asked && covered?.[index] === false);
    if (isProved(QUESTIONS[assertion]({ tables, model, rows }))) left.delete(waiver);
  }
  return model.waivers.filter((waiver) => !left.has(waiver));
}

function isConversational(assertion: InheritedAssertion): assertion is keyof typeof WORDS {
  return assertion in WORDS;
}

/** Returns the rows that no waiver covers. A waiver for a session also covers the sessions that extend it. */
function selectUnwaivedRows(
  { rows }: IndexedTables,
  { waivers, sessions }: Model,
  assertion: InheritedAssertion,
): boolean[] {
  const waived = waivers.filter((waiver) => waiver.assertion === assertion);
  const isWaivedFor = (session: Session) =>
    waived.some((waiver) => waiver.session === undefined || listExtended(session).includes(waiver.session));
  const free = new Set(sessions.filter(isWaivedFor).map(({ id }) => id));
  return rows.map(({ session }) => !free.has(session));
}

/** Returns the waived claims in the page's order. */
export function listWaivedProofs({ waivers }: Model): WaivedProof[] {
  return waivers.map((waiver) => {
    const { assertion, session, reason } = waiver;
    return { assertion, session: session?.id, reason, waiver };
  });
}

function createClearanceQuestions({ tables: { backends }, rows }: ClaimScope): Question[] {
  return findIndexes(backends, isElsewhere).flatMap((index): Question[] => {
    const clearance = backends[index]?.clearance;
    if (clearance === undefined) return [];
    const history = { matchers: [{ kind: "beyond", clearance } as const], withoutReleases: false };
    const renderRefutation: RefutationRenderer = ({ action, route }) =>
      `what is above its clearance reaches ${action} ${route}`;
    const reached = { backends: [index], modes: GATES };
    return [{ kind: "reach", history, goal: { rows, calls: undefined, backends: reached }, renderRefutation }];
  });
}

function createAnonymousQuestions(scope: ClaimScope): Question[] {
  const { tables } = scope;
  const rows = scope.rows.map((asked, index) => asked && tables.rows[index]?.kind === "anonymous");
  // Read-only tools also send their arguments if their provider is on the network.
  const changing = findIndexes(tables.tools, ({ readOnly, networked }) => !readOnly || networked);
  return deriveCallQuestions({ ...scope, rows }, { tools: changing, gates: encodeGate("auto") }, getRunText);
}

function createGuestQuestions({ tables, rows }: ClaimScope): Question[] {
  const guests = rows.map((asked, index) => asked && ["guest", "anonymous"].includes(tables.rows[index]?.kind ?? ""));
  return [{ kind: "list", rows: guests, backends: findIndexes(tables.backends, isElsewhere) }];
}
