// Tests the maximum size of a record, for any request and any answer.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { ActionCode, Answer, Result } from "./answer.ts";
import { answerRecord, requestRecord } from "./audit.ts";
import * as limits from "./limits.ts";
import { readPlan } from "./read-plan.ts";

const NOW = new Date(0);
const bytesOf = (record: object) => Buffer.byteLength(JSON.stringify(record));

/** Characters of each length in UTF-8, and characters that become longer when they are escaped. */
const letter = fc.constantFrom("x", "\u0001", '"', "\\", "\u2028", "é", "\u{1f512}");
const words = (most: number) =>
  fc.tuple(letter, fc.integer({ min: 1, max: most })).map(([one, count]) => one.repeat(Math.ceil(count / 4)));

const reasoned = { reason: words(1024), danger: words(1024), recovery: words(1024) };
const action = fc.oneof(
  fc.record({
    ...{ type: fc.constant("exec"), timeout_sec: fc.constant(1), ...reasoned },
    argv: fc.array(words(1024), { minLength: 1, maxLength: 6 }).map((rest) => ["/bin/sh", ...rest]),
    env: fc.nat(64).map((size) => Object.fromEntries([...Array(size).keys()].map((name) => [`A${name}`, ""]))),
  }),
  fc.record({ type: fc.constant("read_file"), path: words(1024), max_bytes: fc.constant(1), ...reasoned }),
  fc.record({
    ...{ type: fc.constant("write_file"), path: words(1024), mode: fc.constant("0644"), ...reasoned },
    content: words(1024),
  }),
);
const plan = fc.record({
  ...{ request_id: fc.constant("r".repeat(128)), session_id: fc.constant("s".repeat(128)) },
  ...{ version: fc.constant("0.1"), mode: fc.constantFrom("execute", "plan_only") },
  actions: fc.array(action, { minLength: 1, maxLength: limits.MOST_ACTIONS, size: "max" }),
  confirmation: fc.constant({ token: "t" }),
});

test("property: the record of a request is at most 32 KiB longer than the request", () => {
  let accepted = 0;
  fc.assert(
    fc.property(plan, (sent) => {
      const read = readPlan(Buffer.from(JSON.stringify(sent)));
      if (!read.ok) return;
      accepted += 1;
      const bytes = bytesOf(requestRecord(read.plan, NOW));
      expect(bytes).toBeLessThan(bytesOf(sent) + 32 * 1024);
      expect(bytes).toBeLessThan(limits.MOST_RECORD_BYTES);
    }),
  );
  expect(accepted).toBeGreaterThan(20);
});

const CODES: readonly ActionCode[] = ["policy_denied", "exec_failed", "exit_status", "write_failed"];

test("property: the record of an answer is bounded, whatever the programs' output and the length of error messages", () => {
  const long = words(4 * 100_000);
  const result: fc.Arbitrary<Result> = fc.oneof(
    fc.record({
      ...{ type: fc.constant("exec" as const), ok: fc.constant(false), exit_code: fc.constant(1) },
      ...{ stdout: long, stderr: long, stdout_truncated: fc.boolean(), stderr_truncated: fc.boolean() },
      error: fc.record({ code: fc.constantFrom(...CODES), message: long }),
    }),
    fc.record({
      ...{ type: fc.constant("read_file" as const), ok: fc.constant(true as const), truncated: fc.boolean() },
      content_base64: fc.constant("A".repeat(80_000)),
    }),
    fc.record({
      ...{ type: fc.constant("read_file" as const), ok: fc.constant(false as const) },
      error: fc.record({ code: fc.constantFrom(...CODES), message: long }),
    }),
  );
  const answer: fc.Arbitrary<Answer> = fc.record({
    ...{ ok: fc.constant(true as const), request_id: fc.constant("r"), executed: fc.boolean() },
    results: fc.array(result, { minLength: 1, maxLength: limits.MOST_ACTIONS, size: "max" }),
  });
  fc.assert(
    fc.property(answer, (told) => {
      expect(bytesOf(answerRecord(told, NOW))).toBeLessThan(limits.MOST_RECORD_BYTES);
    }),
    { numRuns: 40 },
  );
});

test("a record shortens a long error message and marks the cut", () => {
  const failed = { type: "exec", ok: false, error: { code: "exec_failed", message: "m".repeat(2000) } } as const;
  const record = answerRecord({ ok: true, request_id: "r", executed: true, results: [failed] }, NOW);
  expect(record).toMatchObject({ results: [{ error: { code: "exec_failed", message: `${"m".repeat(1024)}…` } }] });
});

test("the record of a refused request is bounded, whatever the request held", () => {
  const strange = { [`shell${"x".repeat(200_000)}`]: 1, request_id: "y".repeat(20_000), actions: [] };
  const read = readPlan(Buffer.from(JSON.stringify(strange)));
  if (read.ok) throw new Error("it is refused");
  expect(bytesOf(answerRecord(read, NOW))).toBeLessThan(2048);
});
