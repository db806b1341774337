import { expect, test } from "vitest";
import type { ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { callText, renderChat } from "./chat.ts";
import { renderSignature } from "./signature.ts";

const tool = (properties: object, required: readonly string[]): ToolDescriptor => ({
  name: "a.b",
  description: "Does\n  this.",
  interfaceId: 0n,
  methodName: "",
  paramSchema: JSON.stringify({ additionalProperties: false, properties, required, type: "object" }),
  permission: "auto",
  category: "",
});

test("a tool is rendered as one line, with its required arguments first, and with the values of each argument", () => {
  const text = { maxLength: 131_072, type: "string" };
  const properties = {
    all: { type: "boolean" },
    count: { maximum: 4_294_967_295, minimum: 0, type: "integer" },
    kind: { enum: ["x", "y"], type: "string" },
    most: { maximum: 50, minimum: 1, type: "integer" },
    names: { items: text, type: "array" },
    path: { ...text, description: "Where it\nlies" },
    who: { additionalProperties: false, properties: { at: text, id: text }, required: ["id"], type: "object" },
  };
  expect(renderSignature(tool(properties, ["path", "kind"]))).toBe(
    "a.b(kind: x|y, path: text (Where it lies), all?: bool, count?: int, most?: int 1..50, names?: [text], " +
      "who?: {id: text, at?: text}): Does this.",
  );
  expect(renderSignature(tool({}, []))).toBe("a.b(): Does this.");
});

test("shows a schema with unknown keywords unchanged, and no part of a tool can begin a new line", () => {
  expect(renderSignature({ ...tool({}, []), paramSchema: "[]" })).toBe("a.b([]): Does this.");
  const table = renderChat([], [tool({}, []), tool({}, [])]).map(({ text }) => text);
  expect(table[1]?.split("\n").slice(2)).toEqual(["- a.b(): Does this.", "- a.b(): Does this."]);
});

test("renders a past call exactly as the grammar would produce it", () => {
  const call = (json: string): string => callText({ name: "a.b", arguments: json });
  expect(call('{"a":[1,2],"b":{"c":"d: e"}}')).toBe('{"name": "a.b", "arguments": {"a": [1, 2], "b": {"c": "d: e"}}}');
  expect(call("{")).toBe('{"name": "a.b", "arguments": {}');
});
