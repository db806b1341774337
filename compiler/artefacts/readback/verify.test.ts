import fc from "fast-check";
import { expect, test } from "vitest";
import { anyTables } from "../../../engine/lib/policy/testing/arbitrary.ts";
import { always, row, tables } from "../../../engine/lib/policy/testing/sample.ts";
import { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { PolicyTables, type Type } from "../../../engine/lib/wire/generated/policy.ts";
import { ServiceMethods } from "../../../engine/lib/wire/generated/service.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { findDifference } from "./difference.ts";
import { findReadbackDifference } from "./verify.ts";

test("tables that were encoded are read back without a difference", () => {
  const sample = tables();
  expect(findReadbackDifference("PolicyTables", sample, encodeMessage(PolicyTables, sample))).toBeUndefined();
});

const CHANGED = {
  "rows.0.cells.0: 2 was meant, 1 is there": tables({ rows: [row("operator", [1])] }),
  'decisions.0.clauses.0.met: "auto" was meant, "forbidden" is there': tables({
    decisions: [{ clauses: [always("forbidden")], floors: [] }],
  }),
  "rules.1: something of parts was meant, nothing is there": tables({
    rules: tables().rules.slice(0, 1),
  }),
};

for (const [difference, changed] of Object.entries(CHANGED)) {
  test(`a difference is reported with its path: ${difference}`, () => {
    expect(findReadbackDifference("PolicyTables", tables(), encodeMessage(PolicyTables, changed))).toBe(difference);
  });
}

test("the comparison of manifests includes digests and unions", () => {
  const verity = { contentBytes: 4096n, salt: new Uint8Array(4), rootHash: new Uint8Array(32) };
  const blob = {
    name: "root",
    path: "/boot/rootfs.erofs",
    size: 4096n,
    sha256: new Uint8Array(32).fill(9),
    verity,
    card: "",
  };
  const process = {
    name: "console",
    role: "console",
    uid: 2000,
    exec: "/usr/bin/capos-console",
    arguments: [],
    grants: [],
    files: [
      { name: "terminal", which: "terminal" as const },
      { name: "tables", which: "blob" as const, blob: "tables" },
    ],
    memoryMaxBytes: 1n << 24n,
    restart: { most: 5, withinSeconds: 300, pauseMs: 200 },
    stateMaxBytes: 0n,
    answerWithinSeconds: 30,
  };
  const manifest = {
    schemaVersion: 1,
    systemId: "lab",
    version: "1",
    kernelParameters: ["quiet"],
    root: blob,
    artefacts: [blob],
    processes: [process],
    storage: { disk: "", encrypted: false, create: false },
    session: "operator",
    trust: "sealed",
    memoryBytes: 0n,
    network: { which: "fixed", fixed: { address: "10.0.0.2", prefix: 24, router: "", resolvers: ["10.0.0.3"] } },
  } as const;
  const bytes = encodeMessage(Manifest, manifest);
  expect(findReadbackDifference("Manifest", manifest, bytes)).toBeUndefined();
  const other = { ...manifest, root: { ...blob, sha256: new Uint8Array(32) } };
  expect(findReadbackDifference("Manifest", other, bytes)).toBe("root.sha256: other bytes were meant");
  const shorter = { ...manifest, root: { ...blob, verity: { ...verity, contentBytes: 1n } } };
  expect(findReadbackDifference("Manifest", shorter, bytes)).toBe(
    "root.verity.contentBytes: 1 was meant, 4096 is there",
  );
});

test("property: two tables are equal if and only if their bytes are equal", () => {
  fc.assert(
    fc.property(anyTables, anyTables, (a, b) => {
      const same = Buffer.compare(encodeMessage(PolicyTables, a), encodeMessage(PolicyTables, b)) === 0;
      expect(findDifference(a, b) === undefined).toBe(same);
    }),
  );
});

test("the types of a service's methods are compared, including their bounds", () => {
  const cents = { which: "integer", integer: { low: -5n, high: 9_007_199_254_740_991n } } as const;
  const methods = (type: Type): ServiceMethods => ({
    schemaVersion: 1,
    toolList: new Uint8Array(),
    held: [],
    interfaceId: 1n << 63n,
    interfaceName: "ledger.Ledger",
    methods: [
      { ordinal: 3, name: "pay", readOnly: true, params: [{ name: "sum", required: true, type }], results: [] },
    ],
  });
  const nested: Type = { which: "record", record: [{ name: "cents", required: false, type: cents }] };
  expect(
    findReadbackDifference("ServiceMethods", methods(nested), encodeMessage(ServiceMethods, methods(nested))),
  ).toBeUndefined();
  const found = findReadbackDifference(
    "ServiceMethods",
    methods(cents),
    encodeMessage(ServiceMethods, methods({ which: "number" })),
  );
  expect(found).toMatch(/^methods\.0\.params\.0\.type/);
});
