import type { BoundLine, BoundPattern, Category, Session } from "../../../bind/index.ts";
import { categoryKey, linesByKey, outcomesOfLine, reachesLooser, reachOf } from "../../../policy/index.ts";
import { defineLaw } from "../../law.ts";
import { looserThanParentCategory } from "./codes.ts";

/** Ruling 3, second half. A line is held against the nearest ancestor of its category that some line speaks of. */
export const rule = defineLaw({
  reports: [looserThanParentCategory],
  check: ({ model }, report) => {
    for (const session of model.sessions.filter(({ own }) => own)) {
      const layers = layersOf(session);
      for (const line of session.lines) {
        for (const pattern of line.patterns) {
          const above = pattern.category && nearestAbove(layers, pattern, pattern.category);
          if (above === undefined || !isLooser(line, above.lines)) continue;
          const facts = { category: pattern.category?.name ?? "", parent: above.category.name };
          const first = above.lines[0];
          const related = first === undefined ? [] : [{ span: first.node.span, message: "the stricter line" }];
          report(looserThanParentCategory.at(pattern.span, { ...facts, line: first?.words ?? "" }, { related }));
        }
      }
    }
  },
});

/** What the session writes, then what it takes as defaults: `extends` has a law of its own. */
function layersOf(session: Session): ReadonlyMap<string, readonly BoundLine[]>[] {
  const own = linesByKey(session);
  return session.relation === "from" && session.base !== undefined ? [own, ...layersOf(session.base)] : [own];
}

function nearestAbove(
  layers: readonly ReadonlyMap<string, readonly BoundLine[]>[],
  pattern: BoundPattern,
  category: Category,
): { readonly lines: readonly BoundLine[]; readonly category: Category } | undefined {
  for (let at = category.parent; at !== undefined; at = at.parent) {
    const keys = [pattern.key.replace(categoryKey(category.name), categoryKey(at.name)), categoryKey(at.name)];
    const lines = keys.flatMap((key) => layers.map((layer) => layer.get(key))).find((found) => found !== undefined);
    if (lines !== undefined) return { lines, category: at };
  }
  return undefined;
}

function isLooser(line: BoundLine, above: readonly BoundLine[]): boolean {
  return reachesLooser(reachOf([outcomesOfLine(line)]), reachOf(above.map(outcomesOfLine)));
}
