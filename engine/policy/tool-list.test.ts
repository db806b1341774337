import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { toolListDigest } from "./tool-list.ts";

const READ = { name: "read", inputSchema: { type: "object", required: ["path"] } };
const WRITE = { name: "write" };

test("a list of tools is known by the SHA-256 of its canonical texts in their order", () => {
  const text = '[{"inputSchema":{"required":["path"],"type":"object"},"name":"read"},{"name":"write"}]';
  const digest = createHash("sha256").update(text).digest();
  expect(toolListDigest([READ, WRITE])).toEqual(digest);
  expect(toolListDigest([WRITE, { inputSchema: { required: ["path"], type: "object" }, name: "read" }])).toEqual(
    digest,
  );
});

test("whatever else a list says makes it another one", () => {
  const digest = toolListDigest([READ, WRITE]);
  for (const other of [[], [READ], [READ, WRITE, WRITE], [READ, { ...WRITE, description: "" }]]) {
    expect(toolListDigest(other)).not.toEqual(digest);
  }
});
