import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { always, backend, PUBLIC, row, tables, tool } from "../../engine/lib/policy/testing/sample.ts";
import { Manifest } from "../../engine/lib/wire/generated/manifest.ts";
import { ServiceMethods } from "../../engine/lib/wire/generated/service.ts";
import { Files } from "../../engine/lib/wire/generated/tools.ts";
import { Metering } from "../../engine/lib/wire/generated/wire.ts";
import { decodeMessage } from "../../engine/lib/wire/index.ts";
import { createSourceText, makeSpan } from "../../lang/text/index.ts";
import { CHECKED_WHOLE } from "../contract/artifact.ts";
import type { Origins, Policy } from "../contract/policy.ts";
import { loadDevelopmentKey } from "./development-key.ts";
import { createManifestArtifacts, planManifest } from "./manifest.ts";
import { encodeMethods } from "./own.ts";

const page = createSourceText("system.cap", "system\nsession\n service\n");
const at = (line: number) =>
  makeSpan(
    page,
    page.text
      .split("\n")
      .slice(0, line - 1)
      .join("\n").length + 1,
    3,
  );
const origins: Origins = {
  rules: [],
  sessions: new Map(["operator", "visitor"].map((name) => [name, at(2)])),
  services: new Map(["books", "notes"].map((name) => [name, at(3)])),
  backends: new Map([["canned", at(3)]]),
  principals: new Map(),
};

/** In the policy of these tests, the tools of `notes` that read are allowed, and all tools of `books` are forbidden. */
function policy(changes: Partial<Policy> = {}): Policy {
  const service = (name: string) => ({
    name,
    interfaceName: "Files",
    interfaceId: Files.id,
    implementation: "files" as const,
    stateBytes: 1024,
    label: PUBLIC,
  });
  return {
    secrets: [],
    embedders: [],
    tables: tables({
      tools: [tool("books.read"), tool("notes.read")],
      decisions: [
        { clauses: [always("auto")], floors: [] },
        { clauses: [always("consent"), always("forbidden")], floors: [] },
      ],
      backends: [backend("canned")],
      rows: [row("operator", [3, 2], { backends: [{ backend: 0, mode: "auto" }] }), row("visitor", [2, 2])],
    }),
    services: [service("books"), service("notes")],
    backends: [{ name: "canned", kind: "stub", replies: { path: "replies.json", bytes: Buffer.from("[]\n") } }],
    storage: { disk: "capos-data", encrypted: false, create: false },
    image: {
      target: "linux",
      machine: "vm",
      console: "serial",
      firmware: ["bios"],
      trust: "media",
      memoryBytes: 2 ** 29,
      boot: "operator",
    },
    ...changes,
  };
}

const TREE = { contentBytes: 4096n, salt: new Uint8Array(32), rootHash: new Uint8Array(32).fill(9) };
const context = {
  tables: Buffer.from("tables"),
  root: { size: 8192, sha256: new Uint8Array(32).fill(7), verity: TREE },
  origins,
};

test("the loop has no grant of a service, the model has no grant, and the gate has only the interface Metering of the model", () => {
  const { processes } = planManifest(policy(), context);
  const held = (role: string) => processes.filter((one) => one.role === role).flatMap(({ grants }) => grants);
  expect(held("loop").map(({ interfaceId }) => interfaceId)).not.toContain(Files.id);
  expect(held("model")).toEqual([]);
  const models = held("gate").filter(({ provider }) => provider === "model.canned");
  expect(new Set(models.map(({ interfaceId }) => interfaceId))).toEqual(new Set([Metering.id]));
});

test("blobs have the digests and sizes of the artefacts", () => {
  const { root, artefacts } = planManifest(policy(), context);
  const sha256 = (text: string) => createHash("sha256").update(text).digest();
  expect(root).toMatchObject({ name: "root", path: "/boot/rootfs.erofs", size: 8192n, verity: TREE });
  expect(artefacts).toEqual([
    {
      name: "tables",
      path: "/capos/policy/tables.bin",
      size: 6n,
      sha256: sha256("tables"),
      verity: CHECKED_WHOLE,
      card: "",
    },
    {
      name: "replies.canned",
      path: "/capos/replies/canned.json",
      size: 3n,
      sha256: sha256("[]\n"),
      verity: CHECKED_WHOLE,
      card: "",
    },
  ]);
});

test("the artefacts are the manifest, its signature and the replies, and the same policy gives the same bytes", () => {
  const key = loadDevelopmentKey({ read: () => undefined, create: () => {} });
  if (!key.ok) throw new Error(key.reason);
  const made = () => {
    const outcome = createManifestArtifacts(policy({ backends: [{ name: "canned", kind: "stub" }] }), {
      ...context,
      key: key.value,
    });
    return outcome.ok ? outcome.value : [];
  };
  const [manifest, signature, replies] = made();
  expect([manifest, signature, replies].map((one) => one?.path)).toEqual([
    "manifest.bin",
    "manifest.bin.sig",
    "replies/canned.json",
  ]);
  expect(replies?.bytes).toEqual(Buffer.from("[]"));
  expect(made()).toEqual([manifest, signature, replies]);
  expect(manifest?.bytes instanceof Uint8Array && decodeMessage(Manifest, manifest.bytes)).toMatchObject({
    ok: true,
    value: { schemaVersion: 2, systemId: "sample", session: "operator", trust: "media" },
  });
});

test("the program of a service becomes an artefact with the same bytes, and the artefact of its methods decodes to the same methods", () => {
  const methods: ServiceMethods = {
    schemaVersion: 1,
    toolList: new Uint8Array(),
    held: [],
    interfaceId: 7n,
    interfaceName: "ledger.Ledger",
    methods: [],
  };
  const bytes = Buffer.from("export default {}");
  const [books, notes] = policy().services;
  if (books === undefined || notes === undefined) throw new Error("the sample has two services");
  const own = { ...books, implementation: "own" as const, own: { path: "services/books.js", bytes, methods } };
  const { artefacts } = planManifest(policy({ services: [own, notes] }), context);
  expect(artefacts.slice(2).map(({ name, path }) => [name, path])).toEqual([
    ["program.books", "/capos/services/books.js"],
    ["methods.books", "/capos/services/books.bin"],
  ]);
  expect(artefacts[2]?.sha256).toEqual(createHash("sha256").update(bytes).digest());
  expect(decodeMessage(ServiceMethods, encodeMethods(own.own))).toEqual({ ok: true, value: methods });
});
