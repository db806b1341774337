// Tables of tools as sessions offer them: some services, some of their tools, in an order of its own.

import { composedFamily } from "./composed.ts";
import type { Family, ToolPlan } from "./families.ts";
import { type ToolInstance, toolOf } from "./instance.ts";
import type { Random } from "./random.ts";
import type { World } from "./vocabulary.ts";

export interface Table {
  /** In the order in which they are told. */
  readonly tools: readonly ToolInstance[];
  readonly families: readonly Family[];
}

/** Tools of one session: the fewest and the most, as most are. */
const LEAST = 3;
const MOST = 8;
/** Of so many tables there is a tool or two, and no more: what is asked has to fit, where nothing else could be taken. */
const OF_FEW = 0.2;
export const FEW = 2;
/** The share of those that somebody wrote; the others are put together. */
const OF_FAMILIES = 0.85;
/** A page may call a service whatever it likes: the name says nothing. */
const OWN_NAMES = 0.15;

/** Of families that are trained on, or were put together. */
export function trainingTable(seen: readonly Family[], random: Random, { nouns }: World): Table {
  const isFew = random.chance(OF_FEW);
  const families = Array.from({ length: isFew ? 1 : random.between(1, 3) }, () =>
    random.chance(OF_FAMILIES) ? random.pick(seen) : composedFamily(random),
  );
  return tableOf(distinct(families), nouns, isFew ? random.between(1, FEW) : random.between(LEAST, MOST), random);
}

/** With this tool among them, some of its siblings, and tools of other families. */
export function tableWith(plan: ToolPlan, families: readonly [Family, ...Family[]], random: Random): Table {
  const [own, ...others] = families;
  const wanted = random.between(LEAST + 1, MOST);
  const siblings = random.shuffled(
    own.tools.filter((each) => each !== plan),
    random.between(1, 4),
  );
  const service = (family: Family): string => family.services[0] ?? "";
  const around = random.shuffled(
    others.flatMap((family) => family.tools.map((each) => [each, service(family)] as const)),
  );
  const offered = [plan, ...siblings].map((each) => [each, service(own)] as const).concat(around);
  const tools = offered.slice(0, wanted).map(([each, name]) => toolOf(each, name, random, false));
  return { tools: random.shuffled(tools), families };
}

function distinct(families: readonly Family[]): readonly Family[] {
  return families.filter(
    ({ services: [name] }, at) => families.findIndex((other) => other.services[0] === name) === at,
  );
}

function tableOf(families: readonly Family[], nouns: readonly string[], wanted: number, random: Random): Table {
  const offered = families.flatMap((family, index) => {
    const service = random.chance(OWN_NAMES) ? random.pick(nouns) : random.pick(family.services);
    const share = index === 0 ? wanted : Math.max(2, wanted - 3);
    return random.shuffled(family.tools, share).map((plan) => toolOf(plan, service, random, true));
  });
  const tools = random.shuffled(named(offered).slice(0, MOST));
  return { tools, families };
}

/** Of several with one name the first: a session has each name once. */
function named(tools: readonly ToolInstance[]): readonly ToolInstance[] {
  return tools.filter(
    ({ descriptor: { name } }, at) => tools.findIndex((other) => other.descriptor.name === name) === at,
  );
}
