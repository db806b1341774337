import type { FileTree, Item, UseNode } from "../../../../lang/tree/index.ts";
import { listItems } from "../../../phases/bind/index.ts";
import { isStandard } from "../../../phases/source/index.ts";
import { defineLaw, listReferences, type Page } from "../../support/index.ts";
import { importUnused } from "./codes.ts";
import { expandToLine } from "./line.ts";

/** Reports unused imports. Pages of the package are exempt, because their declarations belong to the system even if they are not used. */
export const rule = defineLaw({
  reports: [importUnused],
  check: (page, report) => {
    if (page.model.damaged || page.model.sessions.some(({ damaged }) => damaged)) return;
    const uses = page.trees.flatMap((tree) => listItems(tree).filter(isUse));
    const named = collectNames(page.trees);
    for (const use of uses) {
      const what = renderUse(use);
      const why = explainUnused(page, named, use);
      if (what === undefined || why === undefined) continue;
      const fix = { span: expandToLine(use.span), replacement: "" };
      report(importUnused.at(use.span, { what, why }, { fix }));
    }
  },
});

function isUse(item: Item): item is UseNode {
  return item.kind === "use";
}

function renderUse(use: UseNode): string | undefined {
  if (use.what === "file") return undefined;
  return use.what === "module" ? `${use.root.text}.${use.module.text}` : `${use.what} … as ${use.alias.text}`;
}

/** Returns the whole text and the first part of every reference. */
function collectNames(trees: readonly FileTree[]): ReadonlySet<string> {
  return new Set(trees.flatMap(listReferences).flatMap(({ node }) => [node.text, node.parts[0]?.text ?? ""]));
}

function explainUnused({ model }: Page, named: ReadonlySet<string>, use: UseNode): string | undefined {
  if (use.what === "file") return undefined;
  if (use.what !== "module") return named.has(use.alias.text) ? undefined : "nothing names it";
  switch (use.module.text) {
    case "categories":
    case "lattice":
      return "it applies to every page, with or without this line";
    case "profiles":
      return named.has("profiles") ? undefined : "no session extends one of its profiles or is `from` one";
    case "tools":
      return hasToolUse(model, named) ? undefined : "no service and no rule names one of its interfaces";
    default:
      return undefined;
  }
}

function hasToolUse(model: Page["model"], named: ReadonlySet<string>): boolean {
  if (named.has("tools")) return true;
  const standard = model.interfaces.filter(({ node }) => isStandard(node.name.span.source.path));
  return standard.some(({ name }) => named.has(name));
}
