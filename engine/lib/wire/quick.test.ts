// Tests that the generated code of structs gives the same results as the general code, for any value and any bytes.

import fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { LAYOUTS } from "./fixture/layouts.ts";
import { valuesOf } from "./fixture/values.ts";
import { AuditEntry } from "./generated/audit.ts";
import { ToolCall as Call } from "./generated/capos.ts";
import { Notice } from "./generated/wire.ts";
import type { StructLayout } from "./layout.ts";
import { FRAME_LIMITS } from "./limits.ts";

/** Returns the layout without generated code, so that the general code reads and writes it and its nested structs. */
const general = <T>(layout: StructLayout<T>): StructLayout<T> => ({ ...layout, quick: undefined });

const QUICK = LAYOUTS.filter(({ layout }) => layout.quick !== undefined);

test("the structs of a call through the gate have generated code", () => {
  expect(QUICK.map(({ title }) => title)).toContain("audit.CallRecord");
  expect(QUICK.length).toBeGreaterThan(10);
});

test.each(QUICK)("$title: writes the same bytes as the general writer", ({ layout }) => {
  fc.assert(
    fc.property(valuesOf(layout), (value) => {
      expect(encode(layout, value)).toEqual(encode(general(layout), value));
    }),
    { numRuns: 200 },
  );
});

test.each(QUICK)(
  "$title: returns the same value or refusal as the general reader, whatever the bytes",
  ({ layout }) => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 });
    fc.assert(
      fc.property(
        valuesOf(layout),
        changes,
        fc.constantFrom(FRAME_LIMITS, { ...FRAME_LIMITS, values: 30, depth: 2 }),
        (value, all, limits) => {
          const bytes = encode(layout, value);
          for (const [at, byte] of all) bytes[at % bytes.length] = byte;
          expect(decode(layout, bytes, limits)).toEqual(decode(general(layout), bytes, limits));
        },
      ),
      { numRuns: 500 },
    );
  },
);

const notice = {
  tool: "",
  arguments: "",
  detail: "",
  mode: "auto",
  hasMode: false,
  stage: "proposed",
  outcome: "ok",
  result: "",
};

test.each<[string, StructLayout<unknown>, unknown, string]>([
  ["a number instead of a text", Call, { id: "", name: 1, arguments: "" }, "ToolCall.name cannot hold 1 (number)"],
  ["ill-formed text", Call, { id: "", name: "", arguments: "a\ud800" }, 'ToolCall.arguments cannot hold "a\\ud800"'],
  ["an unknown member of an enum", Notice, { ...notice, stage: "gone" }, 'Notice.stage cannot hold "gone"'],
  ["a number instead of a flag", Notice, { ...notice, hasMode: 1 }, "Notice.hasMode cannot hold 1 (number)"],
  ["an unknown member of a union", AuditEntry, { which: "other" }, 'AuditEntry.which cannot hold "other"'],
  [
    "a number that is too large",
    AuditEntry,
    { which: "boot", boot: { systemId: "", version: "", recovered: 2 ** 32, orphans: [] } },
    "AuditEntry.boot.recovered cannot hold 4294967296 (number)",
  ],
  [
    "a negative long number",
    AuditEntry,
    { which: "shipped", shipped: -1n },
    "AuditEntry.shipped cannot hold -1 (bigint)",
  ],
])("the generated writer throws like the general one on %s", (_what, layout, value, reason) => {
  expect(() => encode(layout, value)).toThrow(`capos defect: ${reason}`);
  expect(() => encode(general(layout), value)).toThrow(`capos defect: ${reason}`);
});
