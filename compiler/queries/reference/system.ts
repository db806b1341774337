// The reference page of one system: what its page says, in the order in which a reader asks.

import { labelText } from "../../../engine/lib/policy/index.ts";
import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../../phases/bind/index.ts";
import { clearanceWords } from "./labels.ts";
import { cell, code, codeCell, inline, page, paragraphs, table } from "./markdown.ts";
import { placeSections } from "./places.ts";

/** Markdown. The same page gives the same bytes. */
export function systemReference(model: Model, tables: PolicyTables): string {
  return page([
    `# ${inline(tables.systemId)} ${inline(tables.version)}`,
    ...paragraphs(model.system?.doc ?? ""),
    "## Places",
    "Where a conversation can be, and what may be done there. What is not listed never runs.",
    ...placeSections(tables, model),
    ...section("## Services", serviceTable(model, tables)),
    ...section("## Models", modelTable(model, tables)),
    ...section("## People", principalTable(model)),
    "## Labels",
    latticeOf(tables),
    ...section("## Releases", released(model)),
    ...section("## Asserted", asserted(model)),
    ...section("## Rehearsed", rehearsed(model)),
  ]);
}

function section(title: string, blocks: readonly string[]): readonly string[] {
  return blocks.length === 0 ? [] : [title, ...blocks];
}

function serviceTable({ services }: Model, { tools, lattice }: PolicyTables): readonly string[] {
  return table(
    ["service", "interface", "results", "arguments flow to", "what it is"],
    services.map(({ name, interface: { name: kind }, node }) => {
      const first = tools.find(({ provider }) => provider === name);
      const results = first === undefined ? "" : codeCell(labelText(lattice, first.result.high));
      const sink = first === undefined ? "" : codeCell(labelText(lattice, first.sink));
      return [codeCell(name), codeCell(kind), results, sink, cell(node.doc)];
    }),
  );
}

function modelTable({ backends }: Model, tables: PolicyTables): readonly string[] {
  return table(
    ["backend", "kind", "clearance", "what it is"],
    tables.backends.map(({ name, kind, clearance, local }) => [
      codeCell(name),
      `${kind}${local ? "" : ", not on this machine"}`,
      codeCell(clearanceWords(tables.lattice, clearance)),
      cell(backends.find((backend) => backend.name === name)?.node.doc ?? ""),
    ]),
  );
}

function principalTable({ principals }: Model): readonly string[] {
  return table(
    ["person", "keys", "who it is"],
    principals.map(({ name, keys, node }) => [codeCell(name), String(keys.length), cell(node.doc)]),
  );
}

function latticeOf({ lattice }: PolicyTables): string {
  const { confidentiality, integrity, compartments } = lattice;
  return [
    `- confidentiality: ${code(confidentiality.join(" < "))}`,
    `- integrity: ${code(integrity.join(" < "))}`,
    ...(compartments.length === 0 ? [] : [`- compartments: ${code(compartments.join(", "))}`]),
  ].join("\n");
}

function released({ releases }: Model): readonly string[] {
  return listed(releases.map(({ words }) => code(words)));
}

function asserted({ assertions }: Model): readonly string[] {
  return listed(assertions.map(({ words }) => code(words)));
}

function rehearsed({ tests }: Model): readonly string[] {
  return listed(tests.map(({ title, steps }) => `${inline(title)} (${steps.length} steps)`));
}

function listed(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join("\n")];
}
