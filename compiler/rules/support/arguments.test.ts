import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Tool, Type } from "../../phases/bind/index.ts";
import { findArgument, getElementType, listArguments } from "./arguments.ts";

/** Returns the tool `shop.buy`, whose argument `size` is a record with a number and a list. */
async function buy(): Promise<Tool> {
  const { tools } = await bindModel(
    renderFactsPage({
      top: "interface Shop { method buy : destructive  arg price is money EUR  arg from is url }",
      services: "service shop : Shop {}",
      permit: "consent shop.buy",
    }),
  );
  const [tool] = tools;
  if (tool === undefined) throw new Error("the shop has a tool");
  return tool;
}

test("a path names an argument or a field inside it, and determines its type", async () => {
  const tool = await buy();
  const types = ["count", "size", "size.width", "size.names"].map(
    (path) => findArgument(tool, { path: path.split("."), each: "single" })?.type.which,
  );
  expect(types).toEqual(["integer", "record", "integer", "list"]);
});

test("an unknown path has no type", async () => {
  const tool = await buy();
  const paths = [[], ["cnt"], ["size", "height"], ["size", "width", "more"], ["count", "width"], ["sizes", "width"]];
  expect(paths.map((path) => findArgument(tool, { path, each: "single" }))).toEqual(paths.map(() => undefined));
});

test("facts apply only to whole arguments, so a field has no meaning even if its argument has one", async () => {
  const tool = await buy();
  expect(findArgument(tool, { path: ["price"], each: "single" })?.meaning).toEqual({ kind: "money", currency: "EUR" });
  expect(findArgument(tool, { path: ["count"], each: "single" })?.meaning).toBeUndefined();
  const meanings = new Map([["size", { kind: "text" } as const]]);
  const meant = { ...tool, method: { ...tool.method, meanings } };
  expect(findArgument(meant, { path: ["size"], each: "single" })?.meaning).toEqual({ kind: "text" });
  expect(findArgument(meant, { path: ["size", "width"], each: "single" })?.meaning).toBeUndefined();
});

test("listArguments returns all arguments, each followed by its fields", async () => {
  const names = ["price", "from", "count", "colour", "gift", "size", "size.width", "size.names"];
  expect(listArguments(await buy())).toEqual(names);
});

/** Returns the tool `mail.send`, with lists, records in a list, and optional arguments. */
async function send(): Promise<Tool> {
  const { tools } = await bindModel(
    renderFactsPage({
      top: "interface Mail { method send : destructive  arg recipients is path  arg subject is text }",
      services: "service mail : Mail {}",
      permit: "consent mail.send",
    }),
  );
  const [tool] = tools;
  if (tool === undefined) throw new Error("the mail has a tool");
  return tool;
}

test.each([
  ["single", "subject", "text", "whole, required, meant as text"],
  ["single", "recipients", "list", "whole, required, meant as path"],
  ["single", "cc", "list", "whole, optional"],
  ["single", "reply", "text", "whole, optional"],
  ["every", "recipients", "text", "element, required, meant as path"],
  ["some", "cc", "text", "element, optional"],
  ["every", "subject", "text", "whole, required, meant as text"],
  ["every", "items", "record", "element, optional"],
  ["every", "items.amount", "integer", "element, optional"],
  ["some", "items.note", "text", "element, optional"],
] as const)("with the quantifier %s, the path `%s` names a %s: %s", async (each, path, which, words) => {
  const argument = findArgument(await send(), { path: path.split("."), each });
  expect(argument?.type.which).toBe(which);
  const { isElement, isOptional, meaning } = argument ?? {};
  const said = [isElement ? "element" : "whole", isOptional ? "optional" : "required"];
  expect([...said, ...(meaning ? [`meant as ${meaning.kind}`] : [])].join(", ")).toBe(words);
});

test("a field inside a list needs a quantifier, and is required if all values that contain it are required", async () => {
  const tool = await send();
  expect(findArgument(tool, { path: ["items", "amount"], each: "single" })).toBeUndefined();
  expect(findArgument(tool, { path: ["items", "price"], each: "every" })).toBeUndefined();
  const inRecord = findArgument(await buy(), { path: ["size", "width"], each: "single" });
  expect(inRecord).toMatchObject({ isElement: false, isOptional: false });
  const names = findArgument(await buy(), { path: ["size", "names"], each: "every" });
  expect(names).toMatchObject({ type: { which: "text" }, isElement: true, isOptional: false });
});

test("the element type of a list of lists is the element type of the innermost list", () => {
  const text: Type = { which: "text", text: { maxBytes: 9 } };
  const list = (of: Type): Type => ({ which: "list", list: of });
  expect(getElementType(text)).toBe(text);
  expect(getElementType(list(text))).toBe(text);
  expect(getElementType(list(list(list(text))))).toBe(text);
});

test("fields of records in lists are listed as well", async () => {
  const names = ["recipients", "subject", "body", "cc", "reply", "items", "items.amount", "items.note"];
  expect(listArguments(await send())).toEqual(names);
});
