import { expect, test } from "vitest";
import { type EndedCall, Memory } from "./memory.ts";

const conversation = {
  row: 0,
  label: { confidentiality: 0, integrity: 0, compartments: 0n },
  unattended: false,
  spent: [],
};

function ended(id: string, args = "{}"): EndedCall {
  const ending = { outcome: "unknownTool", content: "", error: "no such tool" } as const;
  return { call: { id, name: "a.x", arguments: args }, ending, before: conversation, conversation };
}

test("finds the newest call of all, and the newest call with a given id", () => {
  const memory = new Memory();
  expect([memory.findNewest(""), memory.findNewest("1")]).toEqual([undefined, undefined]);
  for (const [id, args] of [
    ["1", "{}"],
    ["2", "{}"],
    ["1", "[]"],
    ["3", "{}"],
  ] as const)
    memory.add(ended(id, args));
  expect(memory.findNewest("")).toMatchObject({ id: "3", decided: "unknownTool", reason: "no such tool" });
  expect(memory.findNewest("1")?.arguments).toBe("[]");
  expect(memory.findNewest("4")).toBeUndefined();
});

test("remembers the newest sixty-four calls, and only a short excerpt of long arguments and ids", () => {
  const memory = new Memory();
  for (let index = 0; index < 65; index += 1) memory.add(ended(`${index}`, "x".repeat(100_000)));
  expect([memory.findNewest("0"), memory.findNewest("1")?.id]).toEqual([undefined, "1"]);
  expect(memory.findNewest("64")?.arguments.length).toBeLessThan(1100);
  memory.add(ended("y".repeat(100_000)));
  expect(memory.findNewest("")?.id.length).toBeLessThan(1100);
});

test("keeps what /why needs to decide a call again if the arguments are short or the call is the newest", () => {
  const memory = new Memory();
  const decision = { kind: "refused", outcome: "unknownTool", reason: "no such tool" } as const;
  const long = "x".repeat(2000);
  memory.add({ ...ended("1"), decision });
  memory.add({ ...ended("2", long), decision });
  expect(memory.findNewest("2")?.asked?.call).toEqual({ tool: "a.x", arguments: long });
  memory.add(ended("3"));
  expect(["1", "2", "3"].map((id) => memory.findNewest(id)?.asked?.call.arguments)).toEqual([
    "{}",
    undefined,
    undefined,
  ]);
});
