import type { Name, Reference } from "../../../../lang/tree/index.ts";
import { defineLaw, listNames, listReferences, type NodeInField } from "../../support/index.ts";
import { deprecatedName } from "./codes.ts";
import { type Deprecations, readDeprecations } from "./deprecations.ts";

/** Fields of the syntax tree that contain only the name of a category; in other fields, names are references. */
const CATEGORY_FIELDS: ReadonlySet<string> = new Set(["category", "parent", "unit"]);

/** Reports each use of a deprecated name in the package. */
export const rule = defineLaw({
  reports: [deprecatedName],
  check: ({ model, trees }, report) => {
    const words = readDeprecations(model);
    if (words.isEmpty) return;
    const found = trees.flatMap((tree) => [
      ...listReferences(tree).flatMap(({ node }) => findInReference(words, node)),
      ...listNames(tree).flatMap((name) => findInName(words, name)),
    ]);
    for (const { name, instead } of found) {
      const fix = { span: name.span, replacement: instead };
      report(deprecatedName.at(name.span, { name: name.text, instead }, { fix }));
    }
  },
});

interface Found {
  readonly name: Name;
  readonly instead: string;
}

function findInName({ categories }: Deprecations, { role, node }: NodeInField<Name>): Found[] {
  const instead = CATEGORY_FIELDS.has(role) ? categories.get(node.text) : undefined;
  return instead === undefined ? [] : [{ name: node, instead }];
}

/**
 * Returns deprecated names in a reference. The last part of a reference may name a session or a method; any part may
 * name an interface.
 */
function findInReference(
  { categories, interfaces, methods, sessions }: Deprecations,
  { parts, text }: Reference,
): Found[] {
  const last = parts.at(-1);
  const whole = sessions.get(text) ?? methods.get(text) ?? (parts.length === 1 ? categories.get(text) : undefined);
  const found = parts.flatMap((name) => {
    const instead = interfaces.get(name.text);
    return instead === undefined ? [] : [{ name, instead }];
  });
  return last === undefined || whole === undefined ? found : [...found, { name: last, instead: whole }];
}
