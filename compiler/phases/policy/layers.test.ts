import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { findDecidedKeys } from "./resolve.ts";

/** Keys of the lines of `operator` that decide about some tool of two services of one interface. */
async function decidedBy(permit: string): Promise<readonly string[]> {
  const services = "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }";
  const model = await bindModel(renderFactsPage({ services, permit }));
  const operator = model.sessions.find(({ id }) => id === "operator");
  if (operator === undefined) throw new Error("the page has an operator");
  return [...findDecidedKeys(model, operator)].sort();
}

test("lines for single tools of one method each decide for their own tool", async () => {
  expect(await decidedBy("auto notes.read  consent drafts.read")).toEqual(["tool drafts.read", "tool notes.read"]);
});

test("a line decides if no better line covers some tool, even only one", async () => {
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
