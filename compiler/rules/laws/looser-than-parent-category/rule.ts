import type { BoundLine, Category, Session } from "../../../phases/bind/index.ts";
import { canReachLooser, categoryKey, getOutcomes, groupLinesByKey, reachOf } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { collectLayers, type OwnLayer } from "../../support/own-layers.ts";
import { looserThanParentCategory } from "./codes.ts";

type Lines = ReadonlyMap<string, readonly BoundLine[]>;

/**
 * Checks the second half of ruling 3. In each layer, the lines about a category are compared with the lines about its
 * nearest ancestor that has lines. The former must not be looser.
 */
export const rule = defineLaw({
  reports: [looserThanParentCategory],
  check: ({ model }, report) => {
    for (const layer of collectLayers(model)) {
      const ofLayer = layer.said.lines.some(hasCategory) ? getLayerLines(layer) : [];
      const ownLines = groupLinesByKey(layer.said);
      for (const line of layer.said.lines.filter(hasCategory)) {
        for (const { category, key, span } of line.patterns) {
          const above = category && findNearestAbove(ofLayer, key, category);
          const stricter = above?.lines[0];
          if (
            above === undefined ||
            stricter === undefined ||
            !isLooser(line, ownLines.get(key) ?? [line], above.lines)
          )
            continue;
          const facts = { category: category?.name ?? "", parent: above.category.name, line: stricter.words };
          const related = [{ span: stricter.node.span, message: "the stricter line" }];
          report(looserThanParentCategory.at(span, { ...facts, widens: layer.kind === "session" }, { related }));
        }
      }
    }
  },
});

function hasCategory({ patterns }: BoundLine): boolean {
  return patterns.some(({ category }) => category !== undefined);
}

/**
 * Returns the layer's own lines. If a session names a base after `from`, the lines of the base follow. Lines of outer
 * layers, and of a base after `extends`, are not returned, because a layer can only narrow them.
 */
function getLayerLines({ kind, said, session }: OwnLayer): readonly Lines[] {
  return kind === "session" ? getSessionLines(session) : [groupLinesByKey(said)];
}

function getSessionLines(session: Session): readonly Lines[] {
  const own = groupLinesByKey(session);
  return session.relation === "from" && session.base !== undefined ? [own, ...getSessionLines(session.base)] : [own];
}

function findNearestAbove(
  layers: readonly Lines[],
  key: string,
  category: Category,
): { readonly lines: readonly BoundLine[]; readonly category: Category } | undefined {
  for (let at = category.parent; at !== undefined; at = at.parent) {
    const keys = [key.replace(categoryKey(category.name), categoryKey(at.name)), categoryKey(at.name)];
    const lines = keys.flatMap((key) => layers.map((layer) => layer.get(key))).find((found) => found !== undefined);
    if (lines !== undefined) return { lines, category: at };
  }
  return undefined;
}

/**
 * Returns whether a line is looser than the lines of the parent category. A line is not looser if another line of its
 * pattern is as strict as the lines of the parent category.
 */
function isLooser(line: BoundLine, beside: readonly BoundLine[], above: readonly BoundLine[]): boolean {
  const reach = reachOf(above.map(getOutcomes));
  return [[line], beside].every((lines) => canReachLooser(reachOf(lines.map(getOutcomes)), reach));
}
