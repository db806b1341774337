// Renders the reference page of one system: the content of its page, in the order in which readers ask about it.

import { formatLabel, formatSecrecy } from "../../../engine/lib/policy/index.ts";
import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../../phases/bind/index.ts";
import { describeKeep } from "../../phases/policy/index.ts";
import { renderClearance } from "./labels.ts";
import {
  renderCell,
  renderCode,
  renderCodeCell,
  renderInline,
  renderPage,
  renderParagraphs,
  renderTable,
} from "./markdown.ts";
import { placeSections } from "./places.ts";

/** Renders the reference of a system as Markdown. The same page always gives the same bytes. */
export function renderSystemReference(model: Model, tables: PolicyTables): string {
  return renderPage([
    `# ${renderInline(tables.systemId)} ${renderInline(tables.version)}`,
    ...renderParagraphs(model.system?.doc ?? ""),
    "## Places",
    "Where a conversation can be, and what may be done there. What is not listed never runs.",
    ...placeSections(tables, model),
    ...renderSection("## Services", renderServices(model, tables)),
    ...renderSection("## Models", renderModels(model, tables)),
    ...renderSection("## People", renderPrincipals(model)),
    "## Labels",
    renderLattice(tables),
    ...renderAudit(tables),
    ...renderSection("## Releases", renderReleases(model)),
    ...renderSection("## Asserted", renderAssertions(model)),
    ...renderSection("## Rehearsed", renderTests(model)),
  ]);
}

function renderSection(title: string, blocks: readonly string[]): readonly string[] {
  return blocks.length === 0 ? [] : [title, ...blocks];
}

function renderAudit({ audit, lattice }: PolicyTables): readonly string[] {
  const limit = `The audit log has only digests of text above ${renderCode(formatSecrecy(lattice, audit.above))}.`;
  return [...(audit.hasLimit ? [limit] : []), ...(audit.keep === "always" ? [] : [describeKeep(audit.keep)])];
}

function renderServices({ services }: Model, { tools, lattice }: PolicyTables): readonly string[] {
  return renderTable(
    ["service", "interface", "results", "arguments flow to", "what it is"],
    services.map(({ name, interface: { name: kind }, node }) => {
      const first = tools.find(({ provider }) => provider === name);
      const results = first === undefined ? "" : renderCodeCell(formatLabel(lattice, first.result.high));
      const sink = first === undefined ? "" : renderCodeCell(formatLabel(lattice, first.sink));
      return [renderCodeCell(name), renderCodeCell(kind), results, sink, renderCell(node.doc)];
    }),
  );
}

function renderModels({ backends }: Model, tables: PolicyTables): readonly string[] {
  return renderTable(
    ["backend", "kind", "clearance", "what it is"],
    tables.backends.map(({ name, kind, clearance, local }) => [
      renderCodeCell(name),
      `${kind}${local ? "" : ", not on this machine"}`,
      renderCodeCell(renderClearance(tables.lattice, clearance)),
      renderCell(backends.find((backend) => backend.name === name)?.node.doc ?? ""),
    ]),
  );
}

function renderPrincipals({ principals }: Model): readonly string[] {
  return renderTable(
    ["person", "keys", "who it is"],
    principals.map(({ name, keys, node }) => [renderCodeCell(name), String(keys.length), renderCell(node.doc)]),
  );
}

function renderLattice({ lattice }: PolicyTables): string {
  const { confidentiality, integrity, compartments } = lattice;
  return [
    `- confidentiality: ${renderCode(confidentiality.join(" < "))}`,
    `- integrity: ${renderCode(integrity.join(" < "))}`,
    ...(compartments.length === 0 ? [] : [`- compartments: ${renderCode(compartments.join(", "))}`]),
  ].join("\n");
}

function renderReleases({ releases }: Model): readonly string[] {
  return renderList(releases.map(({ words }) => renderCode(words)));
}

function renderAssertions({ assertions }: Model): readonly string[] {
  return renderList(assertions.map(({ words }) => renderCode(words)));
}

function renderTests({ tests }: Model): readonly string[] {
  return renderList(tests.map(({ title, steps }) => `${renderInline(title)} (${steps.length} steps)`));
}

function renderList(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join("\n")];
}
