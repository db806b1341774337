// The reference page of the standard library: every declaration of every module, with its doc comment.

import { textOf } from "../../../lang/text/index.ts";
import type { FileTree, InterfaceNode, Item } from "../../../lang/tree/index.ts";
import type { InterfaceDescription, MethodDescription, Type } from "../../phases/bind/index.ts";
import { cell, code, codeCell, fenced, inline, page, paragraphs, table } from "./markdown.ts";

/** Markdown. `modules` in the order of the page; `described` as the schemas define them. */
export function standardReference(
  modules: ReadonlyMap<string, FileTree>,
  described: readonly InterfaceDescription[],
): string {
  const sections = [...modules].flatMap(([name, { items }]) => [
    `## std.${name}`,
    ...items.flatMap((item) => itemBlocks(item, described)),
  ]);
  return page(["# The standard library", INTRODUCTION, ...sections]);
}

const INTRODUCTION =
  "Made by `capc doc std` from the doc comments of `stdlib/`. A page brings in a module by `use std.NAME`; " +
  "`categories` and `lattice` hold for every page.";

function itemBlocks(item: Item, described: readonly InterfaceDescription[]): readonly string[] {
  switch (item.kind) {
    case "use":
      return [];
    case "interface":
      return interfaceBlocks(item, described);
    case "category":
      return [`### category ${inline(item.name.text)}`, ...parentOf(item.parent?.text), ...paragraphs(item.doc)];
    case "levels":
    case "compartments":
    case "release":
    case "waive":
    case "assert":
    case "test":
    case "storage":
    case "network":
    case "image":
      return [fenced(textOf(item.span), "cap")];
    case "system":
    case "principal":
    case "model":
    case "backend":
    case "service":
    case "session":
    case "task":
    case "worker":
    case "ingress":
      return [`### ${item.kind} ${inline(item.name.text)}`, ...paragraphs(item.doc), fenced(textOf(item.span), "cap")];
  }
}

function parentOf(parent: string | undefined): readonly string[] {
  return parent === undefined ? [] : [`At least as strict as ${code(parent)}.`];
}

function interfaceBlocks(item: InterfaceNode, described: readonly InterfaceDescription[]): readonly string[] {
  const description = described.find(({ name }) => name === item.name.text);
  const rows = item.methods.map(({ name, category, doc }) => {
    const method = description?.methods.find((candidate) => candidate.name === name.text);
    return [
      codeCell(name.text),
      cell(category.text),
      argumentsOf(method),
      cell(doc === "" ? (method?.doc ?? "") : doc),
    ];
  });
  return [
    `### interface ${inline(item.name.text)}`,
    ...paragraphs(item.doc),
    ...table(["method", "category", "arguments", "what it does"], rows),
  ];
}

function argumentsOf(method: MethodDescription | undefined): string {
  if (method === undefined || !method.callable) return "";
  return method.params
    .map(({ name, type, required }) => `${codeCell(name)} ${cell(typeWords(type))}${required ? "" : ", optional"}`)
    .join("; ");
}

function typeWords(type: Type): string {
  switch (type.which) {
    case "boolean":
      return "true or false";
    case "number":
      return "number";
    case "integer":
      return `integer ${type.integer.low} to ${type.integer.high}`;
    case "text":
      return "text";
    case "choice":
      return type.choice.join(" or ");
    case "list":
      return `list of ${typeWords(type.list)}`;
    case "record":
      return `record of ${type.record.map(({ name }) => name).join(", ")}`;
  }
}
