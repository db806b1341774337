// Renders the reference page of the standard library: every declaration of every module, with its doc comment.

import { getText } from "../../../lang/text/index.ts";
import type { FileTree, InterfaceNode, Item } from "../../../lang/tree/index.ts";
import type { InterfaceDescription, Param, Type } from "../../phases/bind/index.ts";
import {
  renderCell,
  renderCode,
  renderCodeCell,
  renderFence,
  renderInline,
  renderPage,
  renderParagraphs,
  renderTable,
} from "./markdown.ts";

/**
 * Renders the reference of the standard library as Markdown, with a section for each of `modules`, in their order.
 * `described` contains the interfaces of its schemas.
 */
export function renderStandardReference(
  modules: ReadonlyMap<string, FileTree>,
  described: readonly InterfaceDescription[],
): string {
  const sections = [...modules].flatMap(([name, { items }]) => [
    `## std.${name}`,
    ...items.flatMap((item) => renderItem(item, described)),
  ]);
  return renderPage(["# The standard library", INTRODUCTION, ...sections]);
}

const INTRODUCTION =
  "`capc doc std` writes this page from the doc comments of `stdlib/`. A page imports a module with `use std.NAME`. " +
  "Every page has `categories` and `lattice` without an import.";

function renderItem(item: Item, described: readonly InterfaceDescription[]): readonly string[] {
  switch (item.kind) {
    case "use":
      return [];
    case "interface":
      return renderInterface(item, described);
    case "category":
      return [
        `### category ${renderInline(item.name.text)}`,
        ...renderParent(item.parent?.text),
        ...renderParagraphs(item.doc),
      ];
    case "levels":
    case "compartments":
    case "release":
    case "waive":
    case "assert":
    case "test":
    case "storage":
    case "network":
    case "image":
    case "audit":
      return [renderFence(getText(item.span), "cap")];
    case "system":
    case "let":
    case "principal":
    case "model":
    case "backend":
    case "service":
    case "session":
    case "task":
    case "worker":
    case "ingress":
    case "redaction":
      return [
        `### ${item.kind} ${renderInline(item.name.text)}`,
        ...renderParagraphs(item.doc),
        renderFence(getText(item.span), "cap"),
      ];
  }
}

function renderParent(parent: string | undefined): readonly string[] {
  return parent === undefined ? [] : [`At least as strict as ${renderCode(parent)}.`];
}

function renderInterface(item: InterfaceNode, described: readonly InterfaceDescription[]): readonly string[] {
  const description = described.find(({ name }) => name === item.name.text);
  const rows = item.methods.map(({ name, category, doc }) => {
    const method = description?.methods.find((candidate) => candidate.name === name.text);
    return [
      renderCodeCell(name.text),
      renderCell(category.text),
      renderMembers(method?.callable ? method.params : []),
      renderMembers(method?.callable ? method.results : []),
      renderCell(doc === "" ? (method?.doc ?? "") : doc),
    ];
  });
  return [
    `### interface ${renderInline(item.name.text)}`,
    ...renderParagraphs(item.doc),
    ...renderTable(["method", "category", "arguments", "results", "what it does"], rows),
  ];
}

function renderMembers(members: readonly Param[]): string {
  return members
    .map(
      ({ name, type, required }) =>
        `${renderCodeCell(name)} ${renderCell(typeWords(type))}${required ? "" : ", optional"}`,
    )
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
    case "json":
      return { any: "any JSON", object: "any object", list: "any list" }[type.json.form];
    case "either":
      return type.either.map(typeWords).join(" or ");
  }
}
