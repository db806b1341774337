// Tables of tools as sessions offer them: some services and some of their tools, in random order.

import { composeFamily } from "./composed.ts";
import type { Family, ToolPlan } from "./families.ts";
import { createTool, type ToolInstance } from "./instance.ts";
import type { Random } from "./random.ts";
import type { World } from "./vocabulary.ts";

export interface Table {
  /** Tools in the order in which they are listed. */
  readonly tools: readonly ToolInstance[];
  readonly families: readonly Family[];
}

/** Minimum and maximum number of tools that a table offers, as most sessions do. */
const LEAST = 3;
const MOST = 8;
/** Share of tables with only one or two tools, between which a model has hardly a choice. */
const OF_FEW = 0.2;
export const FEW = 2;
/** Share of hand-written families; the others are composed. */
const OF_FAMILIES = 0.85;
/** Share of services with an arbitrary name; there are such services because a page may name a service freely. */
const OWN_NAMES = 0.15;

/** Returns a table of tools of the training families or of composed ones. */
export function createTrainingTable(seen: readonly Family[], random: Random, { nouns }: World): Table {
  const isFew = random.flipCoin(OF_FEW);
  const families = Array.from({ length: isFew ? 1 : random.drawBetween(1, 3) }, () =>
    random.flipCoin(OF_FAMILIES) ? random.pick(seen) : composeFamily(random),
  );
  return createTable(
    dropSameFamilies(families),
    nouns,
    isFew ? random.drawBetween(1, FEW) : random.drawBetween(LEAST, MOST),
    random,
  );
}

/** Returns a table with this tool, some of its siblings, and tools of other families. */
export function createTableWith(plan: ToolPlan, families: readonly [Family, ...Family[]], random: Random): Table {
  const [own, ...others] = families;
  const wanted = random.drawBetween(LEAST + 1, MOST);
  const siblings = random.shuffle(
    own.tools.filter((each) => each !== plan),
    random.drawBetween(1, 4),
  );
  const getService = (family: Family): string => family.services[0] ?? "";
  const around = random.shuffle(
    others.flatMap((family) => family.tools.map((each) => [each, getService(family)] as const)),
  );
  const offered = [plan, ...siblings].map((each) => [each, getService(own)] as const).concat(around);
  const tools = offered.slice(0, wanted).map(([each, name]) => createTool(each, name, random, "first"));
  return { tools: random.shuffle(tools), families };
}

function dropSameFamilies(families: readonly Family[]): readonly Family[] {
  return families.filter(
    ({ services: [name] }, at) => families.findIndex((other) => other.services[0] === name) === at,
  );
}

function createTable(families: readonly Family[], nouns: readonly string[], wanted: number, random: Random): Table {
  const offered = families.flatMap((family, index) => {
    const service = random.flipCoin(OWN_NAMES) ? random.pick(nouns) : random.pick(family.services);
    const share = index === 0 ? wanted : Math.max(2, wanted - 3);
    return random.shuffle(family.tools, share).map((plan) => createTool(plan, service, random, "varied"));
  });
  const tools = random.shuffle(dropSameNames(offered).slice(0, MOST));
  return { tools, families };
}

/** Returns the tools without repeated names, because a name occurs only once in a session. */
function dropSameNames(tools: readonly ToolInstance[]): readonly ToolInstance[] {
  return tools.filter(
    ({ descriptor: { name } }, at) => tools.findIndex((other) => other.descriptor.name === name) === at,
  );
}
