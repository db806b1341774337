// The weights are run as in the image's worker, with its engine; a case that exceeds their context counts as an empty
// answer.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeTinyModel } from "../../../lib/weights/testing/tiny-model.ts";
import { createAnswerer } from "./answerer.ts";
import type { Case } from "./cases.ts";
import { openWeights } from "./weights.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-answerer-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes these bytes to a file, and returns its path and an empty folder for the engine. */
function laid(name: string, bytes: Uint8Array): readonly [path: string, engine: string] {
  const path = join(folder, `${name}.gguf`);
  writeFileSync(path, bytes);
  return [path, mkdtempSync(join(folder, "engine-"))];
}

const READ = {
  name: "notes.read",
  description: "Reads a note.",
  interfaceId: 1n,
  methodName: "read",
  paramSchema: '{"type":"object","properties":{"path":{"type":"string","maxLength":8}},"required":["path"]}',
  permission: "auto" as const,
  category: "readOnly",
};
const saying = (content: string): Case => ({
  tools: [READ],
  messages: [{ role: "user", content, toolCallId: "", toolCalls: [] }],
  wanted: { kind: "words" },
});

test("an answer is text or one call, the same each time, and its processor time is measured", async () => {
  const answerer = createAnswerer(await openWeights(...laid("tiny", makeTinyModel())));
  const { answer, cpuSeconds } = await answerer.ask(saying("ab"));
  expect(cpuSeconds).toBeGreaterThan(0);
  expect(answer.calls.length).toBeLessThanOrEqual(1);
  for (const { name, arguments: json } of answer.calls) {
    expect([name, Object.keys(JSON.parse(json))]).toEqual(["notes.read", ["path"]]);
  }
  const { answer: again } = await answerer.ask(saying("ab"));
  expect([again.text, again.calls.map(({ arguments: json }) => json)]).toEqual([
    ...[answer.text, answer.calls.map(({ arguments: json }) => json)],
  ]);
  const { answer: none, cpuSeconds: nothing } = await answerer.ask(saying("a".repeat(5000)));
  expect([none, nothing]).toEqual([{ text: "", calls: [] }, 0]);
  answerer.close();
});

test("refuses malformed weights by their header, before the engine loads them", async () => {
  await expect(openWeights(...laid("none", Buffer.from("no weights")))).rejects.toThrow(/none\.gguf: \S/);
  await expect(openWeights(...laid("half", makeTinyModel().subarray(0, 900)))).rejects.toThrow(/half\.gguf: \S/);
});
