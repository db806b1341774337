import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CAUSES, findNext, isEnded, renderDiagram, STATUSES } from "./statuses.ts";

test("the statuses are those of seed 2, in the order of their numbers in the database", () => {
  expect(STATUSES.join(" ")).toBe("open blocked needsApproval reviewing done failed cancelled expired");
});

test("an ended status refuses every cause; every other status accepts `cancel`, `fail` and `expire`", () => {
  for (const status of STATUSES) {
    const accepted = CAUSES.filter((cause) => findNext(status, cause) !== undefined);
    if (isEnded(status)) expect(accepted, status).toEqual([]);
    else expect(accepted, status).toEqual(expect.arrayContaining(["cancel", "fail", "expire"]));
  }
  expect(STATUSES.filter(isEnded)).toEqual(["done", "failed", "cancelled", "expired"]);
});

test("only a passed verification leads to `done`, and every status can be reached from `open`", () => {
  const leading = STATUSES.flatMap((from) =>
    CAUSES.filter((cause) => findNext(from, cause) === "done").map((cause) => `${from} ${cause}`),
  );
  expect(leading).toEqual(["reviewing accept"]);
  const reached = new Set(["open"]);
  for (const status of STATUSES)
    if (reached.has(status)) for (const cause of CAUSES) reached.add(findNext(status, cause) ?? status);
  expect([...reached].sort()).toEqual([...STATUSES].sort());
});

test("STATUSES.md contains the table of transitions as a diagram", () => {
  const readme = readFileSync(new URL("STATUSES.md", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`mermaid\n${renderDiagram()}\n\`\`\``);
});
