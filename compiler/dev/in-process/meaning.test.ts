// Tests search by meaning with the example's page, its weights and its engine, in one process.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Embedder } from "../../../engine/processes/model/local/embedder.ts";
import { serveEmbedder } from "../../../engine/processes/model/local/serve-embedder.ts";
import { engineIn } from "../../../engine/processes/model/local/testing/engine-folder.ts";
import { Turns } from "../../../engine/processes/model/turns.ts";
import { createStage } from "./examples.ts";
import { type ModelWorker, type Rehearsal, rehearse } from "./rehearsal.ts";

const EXAMPLE = "found-by-meaning";
const WEIGHTS = fileURLToPath(new URL(`../../../examples/${EXAMPLE}/models/minilm.gguf`, import.meta.url));

let folder = "";
let played: Rehearsal;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-meaning-"));
  const embedder = await Embedder.open(await engineIn(folder), WEIGHTS, { contextTokens: 512, threads: 1 });
  if (embedder === undefined) throw new Error("the engine does not take the example's weights");
  const stage = await createStage(EXAMPLE, folder);
  played = await rehearse({ ...stage, embedders: new Map([["operator", workerOf(embedder)]]) });
  for (const { told } of ASKED) await played.console.say(told);
  await vi.waitFor(async () => expect(await played.command("conversations")).toContainEqual(ALL), 120_000);
});

afterAll(async () => {
  await played.leave();
  rmSync(folder, { recursive: true });
});

function workerOf(embedder: Embedder): ModelWorker {
  const info = {
    id: "bert:sha256-00",
    displayName: "near",
    arch: "bert",
    contextTokens: 512,
    outputTokens: 0,
    backend: "local-cpu",
    quantisation: "q8_0",
    supportsTools: false,
  };
  const turns = new Turns();
  const connection = () => {
    const [mine, theirs] = duplexPair();
    serveEmbedder(theirs, { embedder, info, turns });
    return mine;
  };
  return { id: info.id, connection };
}

/** Matches the end of the list of conversations, which states that the search by meaning covers all messages. */
const ALL: unknown = expect.stringMatching(/; 12 of 12 sayings are found by meaning, too$/);

/** Statements, each with a question about the statement; the two have no significant word in common. */
const ASKED = [
  { told: "The spare key of the shed hangs behind the door.", asked: "how do I unlock the garden hut" },
  { told: "Our train to Ulm leaves at nine on Friday.", asked: "when does the railway journey begin" },
  { told: "Bread wants forty minutes in the oven.", asked: "baking a loaf" },
  { told: "Grandmother is allergic to hazelnuts.", asked: "which food makes my granny ill" },
  { told: "The server larch has 3 GB left on /var.", asked: "disk space of the machine" },
  { told: "Doctor Weber sees us on the second of May.", asked: "medical appointment" },
] as const;

test("search by meaning finds the related statement first for at least five of six questions that share no significant word with it", async () => {
  const first: string[] = [];
  for (const { told, asked } of ASKED) {
    const [line = ""] = await played.command("search", asked);
    if (line.endsWith(` user, by meaning: ${told}`)) first.push(asked);
  }
  expect(first.length, first.join("; ")).toBeGreaterThanOrEqual(5);
});

test("a hit that was found by words and by meaning is marked `by words and meaning`", async () => {
  const [first = ""] = await played.command("search", "hazelnuts");
  expect(first).toMatch(/^\S+ \d+ user, by words and meaning: Grandmother is allergic to hazelnuts\.$/);
});
