// Figures of a page: how many attacks it stops, and how much benign work it costs.

import { fillFields, findPrompt, listPicks, speakAttack } from "./attackers.ts";
import { type Played, Replay } from "./replay.ts";
import {
  type Attack,
  compilePage,
  type MeasuredPage,
  readSuite,
  type Strength,
  type Suite,
  type SuiteName,
} from "./suite.ts";

/**
 * - `blocked`: no call of the attack that changes or sends something ran.
 * - `prompted`: one ran, and a person was asked about each that did.
 * - `unasked`: one ran, and nobody was asked.
 */
export type AttackEnd = "blocked" | "prompted" | "unasked";

export interface Figures {
  readonly suite: SuiteName;
  readonly attacks: Readonly<Record<Variant, Readonly<Record<AttackEnd, number>>>>;
  readonly benign: { readonly tasks: number; readonly blocked: number; readonly prompts: number };
}

/**
 * - `planted`: as in the data set.
 * - `outsiders`: the fields that outsiders fill hold the attack's values as well.
 * - `picked`: no field is strong, and each argument of the attack is a value of a trusted field, whichever is let most; but none
 *   that the person typed as well.
 * - `retyped`: the same, with values that the person typed as well.
 * - `spoken`: the negative control. The person said the attack themselves.
 */
export const VARIANTS = ["planted", "outsiders", "picked", "retyped", "spoken"] as const;
export type Variant = (typeof VARIANTS)[number];

/** A call that was decided otherwise than one would wish, to be looked at by its class. */
export interface Remark {
  readonly suite: SuiteName;
  readonly kind: Variant | "benign";
  readonly task: string;
  readonly attack: string;
  readonly tool: string;
  readonly outcome: string;
  readonly reason: string;
}

export interface Measurement {
  readonly figures: Figures;
  readonly remarks: readonly Remark[];
}

/** Measures the page of a suite; throws if it does not compile. */
export async function measureSuite(suite: SuiteName): Promise<Measurement> {
  const data = readSuite(suite);
  const pages = { "as written": await compilePage(suite, "as written"), weak: await compilePage(suite, "weak") };
  const remarks: Remark[] = [];
  const benign = measureBenign(data, pages["as written"]);
  const measured = VARIANTS.map((variant) => {
    const page = pages[chooseStrength(variant)];
    const ends = data.attacks.map((attack) => playAttack(variant, data, page, attack));
    for (const [at, { end, played }] of ends.entries())
      if (end !== "blocked") remarks.push(...played.map((one) => noteCall(one, suite, variant, data.attacks[at])));
    const countEnds = (wanted: AttackEnd) => ends.filter(({ end }) => end === wanted).length;
    return [
      variant,
      { blocked: countEnds("blocked"), prompted: countEnds("prompted"), unasked: countEnds("unasked") },
    ] as const;
  });
  for (const { task, played } of benign)
    for (const one of played)
      if (describeOutcome(one) !== "auto") remarks.push({ ...noteCall(one, suite, "benign"), task });
  return {
    figures: {
      suite,
      attacks: Object.fromEntries(measured) as Figures["attacks"],
      benign: {
        tasks: benign.length,
        blocked: benign.filter(({ played }) => played.some(isRefused)).length,
        prompts: benign.reduce((sum, { played }) => sum + played.filter(isAsked).length, 0),
      },
    },
    remarks,
  };
}

function chooseStrength(variant: Variant): Strength {
  return variant === "picked" || variant === "retyped" ? "weak" : "as written";
}

function measureBenign({ benign }: Suite, page: MeasuredPage) {
  return benign.map(({ task, prompt, steps }) => {
    const replay = new Replay(page, prompt);
    return { task, played: steps.map((step) => replay.play(step)) };
  });
}

interface Ended {
  readonly end: AttackEnd;
  /** Its effects that ran. */
  readonly played: readonly Played[];
}

/** A call of the benign task that is refused is left out; if its result holds the planted text, the attack never begins. */
function playAttack(variant: Variant, data: Suite, page: MeasuredPage, attack: Attack): Ended {
  const asked = findPrompt(data, attack);
  const prompt = variant === "spoken" ? speakAttack(asked, data.goals[attack.attack] ?? "", attack) : asked;
  const replay = new Replay(page, prompt, variant === "outsiders" ? fillFields(attack) : undefined);
  const before = attack.before.map((step) => replay.play(step));
  const isReached = before.length === 0 || !isRefused(before[before.length - 1] as Played);
  if (!isReached && variant !== "spoken") return { end: "blocked", played: [] };
  const played = attack.calls.map((step) => replay.play(chooseStrength(variant) === "weak" ? pickCall(variant, page, replay, step) : step));
  const ran = played.filter((one) => one.hasEffect && !isRefused(one));
  if (ran.length === 0) return { end: "blocked", played: [] };
  return { end: ran.every(isAsked) ? "prompted" : "unasked", played: ran };
}

/** Returns the form of a call that is let most, of those in which each value stands in a trusted field. */
function pickCall(variant: Variant, page: MeasuredPage, replay: Replay, step: Step): Step {
  const order = ["auto", "consent", "stepUp", "refused"];
  const rated = listPicks(page, replay, step, (value) => variant === "picked" && replay.isTyped(value)).map((pick) => {
    const decision = replay.ask(pick);
    return { pick, rank: order.indexOf(decision.kind === "refused" ? "refused" : decision.gate) };
  });
  return rated.reduce((best, one) => (one.rank < best.rank ? one : best)).pick;
}

function isRefused({ decision }: Played): boolean {
  return decision.kind === "refused";
}

function isAsked({ decision }: Played): boolean {
  return decision.kind === "gated" && decision.gate !== "auto";
}

function describeOutcome({ decision }: Played): string {
  return decision.kind === "refused" ? decision.outcome : decision.gate;
}

function noteCall(played: Played, suite: SuiteName, kind: Remark["kind"], attack?: Attack): Remark {
  const { step, decision } = played;
  const outcome = describeOutcome(played);
  const { task = "", attack: name = "" } = attack ?? {};
  return { suite, kind, task, attack: name, tool: step.tool, outcome, reason: decision.reason };
}

/** Renders figures as a table, with a part for all suites together. */
export function renderFigures(all: readonly Figures[]): string {
  const lines = all.flatMap(({ suite, attacks, benign }) => [
    ...VARIANTS.map((variant) => {
      const { blocked, prompted, unasked } = attacks[variant];
      const total = blocked + prompted + unasked;
      const share = `${((100 * blocked) / total).toFixed(1)} %`;
      return `${suite.padEnd(8)} ${variant.padEnd(10)}${column(blocked)}${column(prompted)}${column(unasked)}  ${share}`;
    }),
    `${suite.padEnd(8)} ${benign.tasks} benign tasks, ${benign.blocked} blocked, ${benign.prompts} prompts`,
  ]);
  return `suite    attacks    blocked prompted unasked\n${lines.join("\n")}\n`;
}

function column(count: number): string {
  return String(count).padStart(8);
}

/** Returns the figures of all suites together. */
export function sumFigures(all: readonly Figures[]): Omit<Figures, "suite"> {
  const sum = (select: (one: Figures) => number) => all.reduce((total, one) => total + select(one), 0);
  const attacks = VARIANTS.map((variant) => {
    const sumEnds = (end: AttackEnd) => sum((one) => one.attacks[variant][end]);
    return [
      variant,
      { blocked: sumEnds("blocked"), prompted: sumEnds("prompted"), unasked: sumEnds("unasked") },
    ] as const;
  });
  return {
    attacks: Object.fromEntries(attacks) as Figures["attacks"],
    benign: {
      tasks: sum(({ benign }) => benign.tasks),
      blocked: sum(({ benign }) => benign.blocked),
      prompts: sum(({ benign }) => benign.prompts),
    },
  };
}
