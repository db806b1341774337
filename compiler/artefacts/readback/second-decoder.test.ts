import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyTables } from "../../../engine/lib/policy/testing/arbitrary.ts";
import { row, tables } from "../../../engine/lib/policy/testing/sample.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { readRequest } from "../../phases/reflect/request.ts";
import { decodeAgain } from "./second-decoder.ts";

const REQUEST = readRequest(readFileSync(new URL("../../../engine/lib/wire/generated/schema.cgr", import.meta.url)));

test("property: the second decoder reads the same values that the writer wrote", () => {
  fc.assert(
    fc.property(anyTables, (sample) => {
      expect(decodeAgain(REQUEST, "PolicyTables", encodeMessage(PolicyTables, sample))).toEqual(sample);
    }),
    { numRuns: 50 },
  );
});

test("both decoders agree on the largest values of every type of number", () => {
  const far = tables({
    principals: [{ name: "alice", keys: ["ssh-ed25519 AAAA", ""], passphrase: "b" }],
    backends: [
      {
        name: "b",
        kind: "remote",
        local: true,
        clearance: { confidentiality: 255, integrity: 255, compartments: 2n ** 64n - 1n },
        quotas: [{ amount: 1n, unit: "tokens", name: "", scope: "hour", rule: 4_294_967_295 }],
        logRequired: true,
        currency: "EUR",
        inputMicros: 150_000n,
        outputMicros: 600_000n,
        embedder: "near",
        contextTokens: 128_000,
      },
    ],
    rows: [
      row("operator", [4_294_967_295], {
        principals: [65_535],
        quotas: [{ amount: 2n ** 64n - 1n, unit: "money", name: "EUR", scope: "day", rule: 4_294_967_295 }],
      }),
    ],
  });
  expect(decodeAgain(REQUEST, "PolicyTables", encodeMessage(PolicyTables, far))).toEqual(far);
});
