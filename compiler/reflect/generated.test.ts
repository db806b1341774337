import { expect, test } from "vitest";
import { checkedIn, generated } from "./generated.ts";

test("what is checked in under engine/wire/generated is what the schemas give: else run `npm run generate`", async () => {
  const files = await generated();
  if (typeof files === "string") throw new Error(files);
  const found = checkedIn();
  expect([...found.keys()]).toEqual([...files.keys()].sort());
  for (const [name, bytes] of files) {
    expect(Buffer.from(found.get(name) ?? []).equals(bytes), `${name} is not current`).toBe(true);
  }
});

test("the same schemas give the same bytes twice", async () => {
  expect(await generated()).toEqual(await generated());
});
