import { expect, test } from "vitest";
import { CHECKED_WHOLE } from "../../../targets/contract/artifact.ts";
import { planManifest } from "../../../targets/manifest/manifest.ts";
import { compileExample } from "../../dev/golden/golden.ts";
import { diffFacts } from "./facts.ts";
import { collectGraphFacts, type ImageGraph, renameInGraph } from "./graph-facts.ts";

const { policy, origins } = await compileExample("first-agent");
const ROOT = { size: 4096, sha256: new Uint8Array(32), verity: CHECKED_WHOLE };
const GRAPH: ImageGraph = planManifest(policy, { tables: new Uint8Array(), root: ROOT, origins });

/** Returns the changes as `direction place: what: before → after`. */
function compare(before: ImageGraph, after: ImageGraph): readonly string[] {
  return diffFacts(collectGraphFacts(before, after), collectGraphFacts(after, before)).map(
    ({ direction, places, what, before: was, after: is }) => `${direction} ${places}: ${what}: ${was} → ${is}`,
  );
}

function changeProcess(name: string, change: Partial<ImageGraph["processes"][number]>): ImageGraph {
  const processes = GRAPH.processes.map((process) => (process.name === name ? { ...process, ...change } : process));
  return { ...GRAPH, processes };
}

test("an image does not differ from itself", () => {
  expect(compare(GRAPH, GRAPH)).toEqual([]);
});

test("a removed process is reported as one change, and its connections are not reported", () => {
  const without = { ...GRAPH, processes: GRAPH.processes.filter(({ name }) => name !== "journal") };
  expect(compare(GRAPH, without)).toEqual(["narrowed image: process journal: logs → undefined"]);
  expect(compare(without, GRAPH)).toEqual(["widened image: process journal: undefined → logs"]);
});

test("a new connection between processes of both images and a larger limit are widenings", () => {
  const gate = GRAPH.processes.find(({ name }) => name === "gate.operator");
  const grants = gate?.grants.filter(({ name }) => name !== "notes") ?? [];
  expect(compare(changeProcess("gate.operator", { grants }), GRAPH)).toEqual([
    "widened process gate.operator: connection to notes: undefined → of notes",
  ]);
  expect(compare(GRAPH, changeProcess("notes", { memoryMaxBytes: 1n << 28n }))).toEqual([
    "widened process notes: memory at most: 128 MiB → 256 MiB",
  ]);
});

test("changed replies, a newly encrypted disk and another boot session are reported", () => {
  const artefacts = GRAPH.artefacts.map((blob) => {
    return blob.name === "replies.canned" ? { ...blob, sha256: new Uint8Array(32) } : blob;
  });
  const after = { ...GRAPH, artefacts, storage: { ...GRAPH.storage, encrypted: true }, session: "visitor" };
  expect(compare(GRAPH, after)).toEqual([
    expect.stringMatching(/^moved file replies.canned: content: \d+ bytes, SHA-256 \w{12} → \d+ bytes, SHA-256 0{12}$/),
    "narrowed storage: encryption: no → yes",
    "moved image: session that boots: operator → visitor",
  ]);
});

test("an image equals the same image with a renamed service and session, if the renames are known", () => {
  const renames = [
    { kind: "service", from: "notes", to: "papers" },
    { kind: "session", from: "operator", to: "resident" },
  ] as const;
  const renamed = renameInGraph(GRAPH, renames);
  expect(renamed.session).toBe("resident");
  expect(renamed.processes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["papers", "gate.resident", "loop.resident"]),
  );
  const back = renames.map(({ kind, from, to }) => ({ kind, from: to, to: from }));
  expect(compare(renameInGraph(renamed, back), GRAPH)).toEqual([]);
});
