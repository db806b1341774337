import { expect, test } from "vitest";
import type { Standing } from "../../engine/lib/wire/generated/wire.ts";
import { describeStanding } from "./standing.ts";

const STANDING: Standing = {
  ...{ isLocked: false, label: "internal/reviewed", model: "canned", isModelAsked: false },
  ...{ task: "", phase: "", left: [] },
};
const LEFT = ["2 of 4 readOnly per turn", "9 of 9 tokens per day"];

test("the row shows session, label, model, task and the remaining amount of each quota", () => {
  expect(describeStanding("operator", STANDING, 120)).toBe("operator | internal/reviewed | canned");
  const inTask = { ...STANDING, task: "triage", phase: "look", left: LEFT };
  expect(describeStanding("operator", inTask, 140)).toBe(
    "operator | internal/reviewed | canned | task triage, phase look | left: 2 of 4 readOnly per turn | 9 of 9 tokens per day",
  );
  const asked = { ...STANDING, isModelAsked: true };
  expect(describeStanding("operator", asked, 120)).toMatch(/\| canned, which asks first$/);
  expect(describeStanding("operator", { ...STANDING, model: "" }, 120)).toMatch(/\| no model$/);
  expect(describeStanding("operator", { ...STANDING, isLocked: true }, 120)).toBe(
    "operator | locked, /login unlocks it",
  );
});

test("a part that does not fit the window is left out completely, and control characters have no effect", () => {
  expect(describeStanding("operator", { ...STANDING, left: LEFT }, 48)).toBe("operator | internal/reviewed | canned");
  expect(describeStanding("operator", { ...STANDING, label: "a\u001b[2J\nb" }, 120)).not.toMatch(/\p{Cc}/u);
});
