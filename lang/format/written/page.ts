import type { Outcome } from "../../diagnostics/index.ts";
import { sourceText } from "../../text/index.ts";
import type { Item, SessionNode } from "../../tree/index.ts";
import { formatFile } from "../file.ts";
import { becauseText, labelText, nameText, referenceText } from "../text.ts";
import { attributeText } from "./attributes.ts";
import { block, documented, namesText, optional, row, subjectText, wordsText } from "./pieces.ts";
import { backendText, methodText, modelAttributeText, serviceAttributeText } from "./providers.ts";
import { assertText, releaseText, settingsText, stepText, useText } from "./statements.ts";

/**
 * The canonical page of a tree that came from no text, comments apart: read again, it gives the same tree but for the
 * spans. Refused, with findings about the text that was tried, where a name of the tree cannot be written.
 */
export function pageText(items: readonly Item[]): Promise<Outcome<string>> {
  return formatFile(sourceText("page.cap", itemsText(items)));
}

/** A blank line between items of different kinds, and around those that take several lines. */
function itemsText(items: readonly Item[]): string {
  let before: Item | undefined;
  const texts = items.map((item) => {
    const close = before === undefined || (before.kind === item.kind && !LONG.has(item.kind));
    before = item;
    return `${close ? "" : "\n"}${itemText(item)}\n`;
  });
  return texts.join("");
}

const LONG: ReadonlySet<Item["kind"]> = new Set(["system", "interface", "session", "task", "worker", "test"]);

function itemText(item: Item): string {
  switch (item.kind) {
    case "system": {
      const version = optional("version", item.version && wordsText(item.version));
      return documented(item.doc, `system ${nameText(item.name)}${version} {\n${itemsText(item.items)}}`);
    }
    case "use":
      return useText(item);
    case "levels":
      return `${item.lattice} { ${item.levels.map(nameText).join(" < ")} }`;
    case "compartments":
      return `compartments { ${namesText(item.names)} }`;
    case "category":
      return documented(
        item.doc,
        `category ${nameText(item.name)}${optional(":", item.parent && nameText(item.parent))}`,
      );
    case "interface":
      return documented(item.doc, `interface ${referenceText(item.reference)} ${block(item.methods.map(methodText))}`);
    case "principal":
      return documented(
        item.doc,
        `principal ${nameText(item.name)} ${row(item.proofs.map(({ kind, value }) => `${kind} ${wordsText(value)}`))}`,
      );
    case "model":
      return documented(item.doc, `model ${nameText(item.name)} ${row(item.attributes.map(modelAttributeText))}`);
    case "backend":
      return backendText(item);
    case "service":
      return documented(
        item.doc,
        `service ${nameText(item.name)} : ${referenceText(item.interface)} ${row(item.attributes.map(serviceAttributeText))}`,
      );
    case "session":
      return sessionText(item);
    case "task":
    case "worker":
      return documented(
        item.doc,
        `${item.kind} ${nameText(item.name)} in ${referenceText(item.session)} ${block(item.attributes.map(attributeText))}`,
      );
    case "ingress": {
      const address = item.address === undefined ? "" : ` ${wordsText(item.address)}`;
      const flow = `${nameText(item.source)}${address} into ${referenceText(item.into)} label ${labelText(item.label)}`;
      return documented(item.doc, `ingress ${nameText(item.name)} : ${flow}`);
    }
    case "release":
      return releaseText(item);
    case "waive":
      return `waive ${nameText(item.assertion)}${subjectText(item.session)}${becauseText(item.because)}`;
    case "assert":
      return assertText(item);
    case "test":
      return `test ${wordsText(item.title)} ${block(item.steps.map(stepText))}`;
    case "storage":
    case "network":
    case "image":
      return settingsText(item);
  }
}

function sessionText({ name, doc, abstract, base, attributes }: SessionNode): string {
  const from = base === undefined ? "" : ` ${base.relation} ${referenceText(base.name)}`;
  return documented(
    doc,
    `${abstract ? "abstract " : ""}session ${nameText(name)}${from} ${block(attributes.map(attributeText))}`,
  );
}
