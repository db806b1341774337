import { expect, test } from "vitest";
import { findAdvertisedTool, findToolOfMethod } from "./advertise.ts";
import { always, indexed, PUBLIC, row, SECRET, tool } from "./testing/sample.ts";

const conversation = { row: 0, label: PUBLIC, unattended: false, spent: [] };

const tables = indexed({
  tools: [
    tool("a.read", { interfaceId: 1n, methodName: "read" }),
    tool("a.write", { interfaceId: 1n, methodName: "write" }),
    tool("b.read", { interfaceId: 2n, methodName: "read" }),
    tool("c.send", { interfaceId: 3n, methodName: "send" }),
    tool("d.send", { interfaceId: 3n, methodName: "send" }),
  ],
  rows: [row("operator", [2, 2, 2, 2, 2]), row("guest", [2, 1, 2, 2, 0])],
});

test.each<[string, number, bigint, string, object]>([
  ["one of two methods of its interface", 0, 1n, "write", { ok: true, value: "a.write" }],
  ["one of two methods of its name", 0, 2n, "read", { ok: true, value: "b.read" }],
  ["two services with the method", 0, 3n, "send", { ok: false, reason: "the printer is both c.send and d.send" }],
  ["two services with the method, one of them without the tool here", 1, 3n, "send", { ok: true, value: "c.send" }],
  ["a tool that is hidden here", 1, 1n, "write", { ok: false, reason: "this session has no tool for the printer" }],
  ["a method of another interface", 0, 2n, "write", { ok: false, reason: "this session has no tool for the printer" }],
  ["an interface without tools", 0, 4n, "read", { ok: false, reason: "this session has no tool for the printer" }],
])("finds the tool of a method if the row offers exactly one: %s", (_, at, interfaceId, method, answer) => {
  expect(findToolOfMethod(tables, { ...conversation, row: at }, [interfaceId, method], "the printer")).toEqual(answer);
});

test("an advertised mode depends on the label only if the tool has a floor that depends on the label", () => {
  const floor = {
    confidentialityAtLeast: 2,
    integrityAtMost: 255,
    compartments: 0n,
    unattended: false,
    rule: 1,
    conditions: [],
  };
  const two = indexed({
    tools: [tool("a.x"), tool("b.x")],
    decisions: [
      { clauses: [always("consent")], floors: [] },
      { clauses: [always("auto")], floors: [{ ...floor, mode: "stepUp" }] },
    ],
    rows: [row("operator", [2, 3])],
  });
  const modes = (label: typeof PUBLIC) =>
    ["a.x", "b.x", "a.x"].map((name) => findAdvertisedTool(two, { ...conversation, label }, name)?.mode);
  expect(modes(PUBLIC)).toEqual(["consent", "auto", "consent"]);
  expect(modes(SECRET)).toEqual(["consent", "stepUp", "consent"]);
});
