import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { findDecidedKeys } from "./resolve.ts";

/**
 * Returns the keys, such as `tool notes.read`, of those rules of `operator` that decide about some tool. The page has
 * two services with one interface.
 */
async function decidedBy(permit: string): Promise<readonly string[]> {
  const services = "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }";
  const model = await bindModel(renderFactsPage({ services, permit }));
  const operator = model.sessions.find(({ id }) => id === "operator");
  if (operator === undefined) throw new Error("the page has an operator");
  return [...findDecidedKeys(model, operator)].sort();
}

test("if two services have the same method and each tool has a rule, each rule decides about its tool", async () => {
  expect(await decidedBy("auto notes.read  consent drafts.read")).toEqual(["tool drafts.read", "tool notes.read"]);
});

test("a rule decides about some tool unless more specific rules cover all of its tools", async () => {
  const named = ["tool notes.list", "tool notes.read"];
  expect(await decidedBy("auto notes.read  auto notes.list  consent readOnly")).toEqual([
    "category readOnly",
    ...named,
  ]);
  const both = "auto drafts.read  auto drafts.list";
  expect(await decidedBy(`auto notes.read  auto notes.list  ${both}  consent readOnly`)).toEqual([
    ...["tool drafts.list", "tool drafts.read"],
    ...named,
  ]);
});
