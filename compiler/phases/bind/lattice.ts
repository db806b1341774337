import { compareCodeUnits, placeOf } from "../../../lang/text/index.ts";
import type { CompartmentsNode, LabelNode, LevelsNode, Name } from "../../../lang/tree/index.ts";
import { duplicateName, tooManyLevels, unknownName } from "./codes.ts";
import { type Context, resolve, takeOnce } from "./context.ts";
import type { BoundLabel, BoundRange, Lattice } from "./model/index.ts";

const MAX_LEVELS = 64;
const MAX_COMPARTMENTS = 64;

interface Written {
  readonly levels: readonly LevelsNode[];
  readonly compartments: readonly CompartmentsNode[];
}

/**
 * Returns the levels and compartments of a page. If the page does not declare the levels of a kind, such as integrity,
 * takes the levels of the standard library.
 */
export function bindLattice(context: Context, page: Written, standard: Written): Lattice {
  const bindLevels = (lattice: LevelsNode["lattice"]): string[] => {
    const own = page.levels.filter((node) => node.lattice === lattice);
    const chosen = takeOnce(
      context,
      `the ${lattice} lattice`,
      own.length > 0 ? own : standard.levels.filter((node) => node.lattice === lattice),
    );
    return collectDistinct(context, `${lattice} level`, chosen?.levels ?? [], MAX_LEVELS);
  };
  const names = page.compartments.flatMap((node) => node.names);
  return {
    confidentiality: bindLevels("confidentiality"),
    integrity: bindLevels("integrity"),
    compartments: collectDistinct(context, "compartment", names, MAX_COMPARTMENTS).sort(compareCodeUnits),
  };
}

function collectDistinct(context: Context, what: string, names: readonly Name[], limit: number): string[] {
  const seen = new Map<string, Name>();
  for (const name of names) {
    context.named({ span: name.span, what, id: name.text, declares: true });
    const before = seen.get(name.text);
    if (before === undefined) seen.set(name.text, name);
    else context.report(duplicateName.at(name.span, { what, name: name.text, where: placeOf(before.span) }));
  }
  const beyond = [...seen.values()][limit];
  if (beyond !== undefined) context.report(tooManyLevels.at(beyond.span, { what: `${what}s`, limit }));
  return [...seen.keys()].slice(0, limit);
}

/** Returns a label, or `undefined` if a name in it is unknown. */
export function bindLabel(context: Context, lattice: Lattice, node: LabelNode): BoundLabel | undefined {
  const { level } = node;
  if (isSwapped(lattice, node)) {
    const hint = `write \`${node.integrity?.text}/${level.text}\`: who may learn it stands before how far it may be trusted`;
    context.report(
      unknownName.at(node.span, { what: "confidentiality level", name: level.text, near: undefined, hint }),
    );
    return undefined;
  }
  if (isCompartmentAsLevel(lattice, node)) {
    const example = `${lattice.confidentiality.at(-1)}:{${level.text}}`;
    const hint = `\`${level.text}\` is a compartment: write it after a level, as in \`${example}\``;
    context.report(
      unknownName.at(level.span, { what: "confidentiality level", name: level.text, near: undefined, hint }),
    );
    return undefined;
  }
  const confidentiality = resolveLevel(context, lattice.confidentiality, "confidentiality level", node.level);
  const integrity = node.integrity && resolveLevel(context, lattice.integrity, "integrity level", node.integrity);
  const compartments = resolveCompartments(context, lattice, node.compartments);
  if (confidentiality === undefined || compartments === undefined) return undefined;
  if (node.integrity !== undefined && integrity === undefined) return undefined;
  return { confidentiality, integrity, compartments, node };
}

/** Returns whether the two levels of a label are swapped. */
function isSwapped({ confidentiality, integrity }: Lattice, { level, ...node }: LabelNode): boolean {
  if (node.integrity === undefined) return false;
  const isKnown = confidentiality.includes(level.text) || integrity.includes(node.integrity.text);
  return !isKnown && integrity.includes(level.text) && confidentiality.includes(node.integrity.text);
}

/** Returns whether a compartment stands in place of a level. */
function isCompartmentAsLevel({ confidentiality, compartments }: Lattice, { level }: LabelNode): boolean {
  return !confidentiality.includes(level.text) && compartments.includes(level.text);
}

export function bindRange(
  context: Context,
  lattice: Lattice,
  node: { readonly low: LabelNode; readonly high: LabelNode },
): BoundRange | undefined {
  const low = bindLabel(context, lattice, node.low);
  // A single label has the same node for both ends of the range, so bind it only once, to report its errors only once.
  const high = node.high === node.low ? low : bindLabel(context, lattice, node.high);
  return low === undefined || high === undefined ? undefined : { low, high };
}

export function resolveLevel(
  context: Context,
  levels: readonly string[],
  what: string,
  name: Name,
): number | undefined {
  return resolve(context, { names: numberNames(levels), what, name });
}

/** Cache of numbered names, because each label of a page is looked up in the same lists. */
const NUMBERED = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** Returns the index of each name. */
function numberNames(names: readonly string[]): ReadonlyMap<string, number> {
  const known = NUMBERED.get(names);
  if (known !== undefined) return known;
  const numbered = new Map(names.map((name, index) => [name, index]));
  NUMBERED.set(names, numbered);
  return numbered;
}

/** Returns the bits of compartments, or `undefined` if one of them is unknown. */
export function resolveCompartments(context: Context, lattice: Lattice, names: readonly Name[]): bigint | undefined {
  if (names.length === 0) return 0n;
  const known = numberNames(lattice.compartments);
  const indexes = names.map((name) =>
    resolve(context, { names: known, what: "compartment", name, hint: "declare it with `compartments { … }`" }),
  );
  return indexes.reduce<bigint | undefined>(
    (all, index) => (all === undefined || index === undefined ? undefined : all | (1n << BigInt(index))),
    0n,
  );
}
