import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isRecord } from "./canonical-json.ts";
import { readTolerantly } from "./json-reader.ts";
import { computeToolListDigest, renderTolerantJson } from "./tool-list.ts";

const READ = { name: "read", inputSchema: { type: "object", required: ["path"] } };
const WRITE = { name: "write" };

test("the digest of a list of tools is the SHA-256 of their canonical texts in order", () => {
  const text = '[{"inputSchema":{"required":["path"],"type":"object"},"name":"read"},{"name":"write"}]';
  const digest = createHash("sha256").update(text).digest();
  expect(computeToolListDigest([READ, WRITE])).toEqual(digest);
  expect(computeToolListDigest([WRITE, { inputSchema: { required: ["path"], type: "object" }, name: "read" }])).toEqual(
    digest,
  );
});

test("any change of a list's content changes the digest", () => {
  const digest = computeToolListDigest([READ, WRITE]);
  for (const other of [[], [READ], [READ, WRITE, WRITE], [READ, { ...WRITE, description: "" }]]) {
    expect(computeToolListDigest(other)).not.toEqual(digest);
  }
});

test("parts that the strict reader refuses are digested as written, without blanks", () => {
  const digestOf = (text: string) => {
    const read = readTolerantly(text);
    if (!read.ok || !isRecord(read.value)) throw new Error("not read");
    return computeToolListDigest([read.value]);
  };
  const digest = digestOf('{"name":"a","most":18446744073709551615,"twice":{"b":1,"b":2}}');
  expect(digestOf('{ "twice": { "b": 1, "b": 2 }, "most": 18446744073709551615, "name": "a" }')).toEqual(digest);
  for (const other of [
    '{"name":"a","most":18446744073709551614,"twice":{"b":1,"b":2}}',
    '{"name":"a","most":"18446744073709551615","twice":{"b":1,"b":2}}',
    '{"name":"a","most":18446744073709551615,"twice":{"b":2}}',
    '{"name":"a","most":{},"twice":{"b":1,"b":2}}',
  ]) {
    expect(digestOf(other)).not.toEqual(digest);
  }
});

test("the canonical text of a value that was read tolerantly sorts the names of each record in a list", () => {
  const read = readTolerantly('[{"b":[],"a":[1, 2]}, null, "x", 1e99 ]');
  expect(read.ok && renderTolerantJson(read.value)).toBe('[{"a":[1,2],"b":[]},null,"x",1e99]');
});
