import type { FileTree, LevelsNode, Name } from "../../../../lang/tree/index.ts";
import { listItems } from "../../../phases/bind/index.ts";
import { listLabels, listNames } from "../../support/index.ts";

/**
 * Levels of std.lattice, which are not reported. A page may declare these levels without naming them: the profiles of
 * the standard library use them, and conversations begin at `reviewed`.
 */
const STANDARD: ReadonlySet<string> = new Set(["internal", "secret", "reviewed", "system"]);

interface UnusedLabels {
  readonly compartments: readonly Name[];
  readonly levels: readonly (Name & Pick<LevelsNode, "lattice">)[];
}

/**
 * Returns the levels and compartments that the page declares but never names. The lowest levels are not returned,
 * because they are used as defaults.
 */
export function findUnusedLabels(trees: readonly FileTree[]): UnusedLabels {
  const items = trees.flatMap(listItems);
  const used = collectNamed(trees);
  const declared = items.flatMap((item) => (item.kind === "compartments" ? item.names : []));
  return {
    compartments: declared.filter(({ text }) => !used.compartments.has(text)),
    levels: items.flatMap((item) =>
      item.kind === "levels"
        ? item.levels
            .slice(1)
            .filter(({ text }) => !used[item.lattice].has(text) && !STANDARD.has(text))
            .map((level) => ({ ...level, lattice: item.lattice }))
        : [],
    ),
  };
}

function collectNamed(trees: readonly FileTree[]) {
  const labels = trees.flatMap(listLabels).map(({ node }) => node);
  const conditions = trees.flatMap(listNames);
  const levels = conditions.filter(({ role }) => role === "level").map(({ node }) => node.text);
  const compartments = conditions.filter(({ role }) => role === "compartment").map(({ node }) => node.text);
  return {
    // A condition names a level without stating whether it is one of confidentiality or of integrity. Two levels can
    // have this name, one of each kind, and the condition counts as a use of both.
    confidentiality: new Set([...labels.map(({ level }) => level.text), ...levels]),
    integrity: new Set([...labels.flatMap(({ integrity }) => integrity?.text ?? []), ...levels]),
    compartments: new Set([...labels.flatMap((label) => label.compartments.map(({ text }) => text)), ...compartments]),
  };
}
