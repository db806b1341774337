import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Tool } from "../../phases/bind/index.ts";
import { findArgument, listArguments } from "./arguments.ts";

/** `shop.buy`, whose argument `size` is a record of a number and a list. */
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

test("a path names an argument or a field inside one, and its type", async () => {
  const tool = await buy();
  const types = ["count", "size", "size.width", "size.names"].map(
    (path) => findArgument(tool, { path: path.split("."), each: "single" })?.type.which,
  );
  expect(types).toEqual(["integer", "record", "integer", "list"]);
});

test("what is not there has no type", async () => {
  const tool = await buy();
  const paths = [[], ["cnt"], ["size", "height"], ["size", "width", "more"], ["count", "width"], ["sizes", "width"]];
  expect(paths.map((path) => findArgument(tool, { path, each: "single" }))).toEqual(paths.map(() => undefined));
});

test("facts are about whole arguments, and a field has none, whatever is said of what holds it", async () => {
  const tool = await buy();
  expect(findArgument(tool, { path: ["price"], each: "single" })?.meaning).toEqual({ kind: "money", currency: "EUR" });
  expect(findArgument(tool, { path: ["count"], each: "single" })?.meaning).toBeUndefined();
  const meanings = new Map([["size", { kind: "text" } as const]]);
  const meant = { ...tool, method: { ...tool.method, meanings } };
  expect(findArgument(meant, { path: ["size"], each: "single" })?.meaning).toEqual({ kind: "text" });
  expect(findArgument(meant, { path: ["size", "width"], each: "single" })?.meaning).toBeUndefined();
});

test("all that a path may name, fields behind what holds them", async () => {
  const names = ["price", "from", "count", "colour", "gift", "size", "size.width", "size.names"];
  expect(listArguments(await buy())).toEqual(names);
});
