import type { Outcome } from "../../diagnostics/index.ts";
import { createSourceText } from "../../text/index.ts";
import type { AuditLine, Item, SessionNode, TaskNode, WorkerNode } from "../../tree/index.ts";
import { formatFile } from "../file.ts";
import { renderLiterals } from "../lines.ts";
import { renderBecause, renderLabel, renderName, renderReference } from "../text.ts";
import { renderAttribute } from "./attributes.ts";
import {
  renderBlock,
  renderDocumented,
  renderNames,
  renderOptional,
  renderRow,
  renderSubject,
  renderWords,
} from "./pieces.ts";
import { renderBackend, renderMethod, renderModelAttribute, renderServiceAttribute } from "./providers.ts";
import { assertText, renderRedactionPart, renderRelease, renderSettings, renderStep, renderUse } from "./statements.ts";

/**
 * Returns the canonical page of a tree that has no source text, without comments. The parser reads this page as the same tree, except for
 * the spans. Fails with findings about the text if a name of the tree cannot be written.
 */
export function renderPage(items: readonly Item[]): Promise<Outcome<string>> {
  return formatFile(createSourceText("page.cap", renderItems(items)));
}

/** Renders items, with a blank line between items of different kinds and around items of several lines. */
function renderItems(items: readonly Item[]): string {
  let before: Item | undefined;
  const texts = items.map((item) => {
    const close = before === undefined || (before.kind === item.kind && !LONG.has(item.kind));
    before = item;
    return `${close ? "" : "\n"}${renderItem(item)}\n`;
  });
  return texts.join("");
}

const LONG: ReadonlySet<Item["kind"]> = new Set(["system", "interface", "session", "task", "worker", "test"]);

function renderItem(item: Item): string {
  switch (item.kind) {
    case "system": {
      const version = renderOptional("version", item.version && renderWords(item.version));
      return renderDocumented(item.doc, `system ${renderName(item.name)}${version} {\n${renderItems(item.items)}}`);
    }
    case "use":
      return renderUse(item);
    case "levels":
      return `${item.lattice} { ${item.levels.map(renderName).join(" < ")} }`;
    case "compartments":
      return `compartments { ${renderNames(item.names)} }`;
    case "let":
      return renderDocumented(item.doc, `let ${renderName(item.name)} = ${renderLiterals(item.literals)}`);
    case "category":
      return renderDocumented(
        item.doc,
        `category ${renderName(item.name)}${renderOptional(":", item.parent && renderName(item.parent))}`,
      );
    case "interface":
      return renderDocumented(
        item.doc,
        `interface ${renderReference(item.reference)} ${renderBlock(item.methods.map(renderMethod))}`,
      );
    case "principal":
      return renderDocumented(
        item.doc,
        `principal ${renderName(item.name)} ${renderRow(item.proofs.map(({ kind, value }) => `${kind} ${renderWords(value)}`))}`,
      );
    case "model":
      return renderDocumented(
        item.doc,
        `model ${renderName(item.name)} ${renderRow(item.attributes.map(renderModelAttribute))}`,
      );
    case "backend":
      return renderBackend(item);
    case "service":
      return renderDocumented(
        item.doc,
        `service ${renderName(item.name)} : ${renderReference(item.interface)} ${renderRow(item.attributes.map(renderServiceAttribute))}`,
      );
    case "session":
      return renderSession(item);
    case "task":
    case "worker":
      return renderDocumented(
        item.doc,
        `${item.kind} ${renderName(item.name)}${renderParameters(item)} in ${renderReference(item.session)} ${renderBlock(item.attributes.map(renderAttribute))}`,
      );
    case "ingress": {
      const address = item.address === undefined ? "" : ` ${renderWords(item.address)}`;
      const zone = item.zone === undefined ? "" : ` in ${renderWords(item.zone)}`;
      const missed = item.missed === undefined ? "" : ` missed ${renderName(item.missed)}`;
      const says = item.says === undefined ? "" : ` says ${renderWords(item.says)}`;
      const flow = `${renderName(item.source)}${address}${zone}${missed}${says} into ${renderReference(item.into)} label ${renderLabel(item.label)}`;
      return renderDocumented(item.doc, `ingress ${renderName(item.name)} : ${flow}`);
    }
    case "redaction":
      return renderDocumented(
        item.doc,
        `redact ${renderName(item.name)} label ${renderLabel(item.label)} ${renderRow(item.parts.map(renderRedactionPart))}`,
      );
    case "release":
      return renderRelease(item);
    case "waive":
      return `waive ${renderName(item.assertion)}${renderSubject(item.session)}${renderBecause(item.because)}`;
    case "assert":
      return assertText(item);
    case "test":
      return `test ${renderWords(item.title)} ${renderBlock(item.steps.map(renderStep))}`;
    case "storage":
    case "network":
    case "image":
      return renderSettings(item);
    case "audit":
      return `audit ${renderRow(item.lines.map(renderAuditLine))}`;
  }
}

function renderAuditLine(line: AuditLine): string {
  return line.kind === "keep" ? `keep until ${line.until}` : `digests above ${renderLabel(line.above)}`;
}

function renderParameters(item: TaskNode | WorkerNode): string {
  if (item.kind === "worker" || item.parameters.length === 0) return "";
  const parameters = item.parameters.map(({ name, type, currency }) => {
    const unit = currency === undefined ? "" : ` ${renderName(currency)}`;
    return `${renderName(name)}: ${renderName(type)}${unit}`;
  });
  return `(${parameters.join(", ")})`;
}

function renderSession({ name, doc, abstract, base, attributes }: SessionNode): string {
  const from = base === undefined ? "" : ` ${base.relation} ${renderReference(base.name)}`;
  return renderDocumented(
    doc,
    `${abstract ? "abstract " : ""}session ${renderName(name)}${from} ${renderBlock(attributes.map(renderAttribute))}`,
  );
}
