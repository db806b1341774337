// Tests the embedder of an image on this machine. The image's own worker runs in the namespaces, the root file system,
// the mounts and the system call filter that init gives it. Only the store of conversations has a connection to the
// embedder.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStage } from "../../in-process/examples.ts";
import { rehearse } from "../../in-process/rehearsal.ts";
import { CHECKOUT } from "../stage.ts";
import { buildJailed, startJailed } from "./worker.ts";

const EXAMPLE = "found-by-meaning";
const IMAGE = join(CHECKOUT, "build/test", EXAMPLE, "system.iso");

if (!existsSync(IMAGE)) throw new Error(`${IMAGE} is not there: the stage that builds it runs before`);
buildJailed();

test("a jailed worker finds messages by meaning, and after its death the search falls back to words and says so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-jailed-files-"));
  try {
    const worker = await startJailed(IMAGE, "embedder.near");
    const played = await rehearse({
      ...(await createStage(EXAMPLE, folder)),
      embedders: new Map([["operator", worker]]),
    });
    await played.console.say("The spare key of the shed hangs behind the door.");
    await played.console.say("Our train to Ulm leaves at nine on Friday.");
    const all: unknown = expect.stringMatching(/; 4 of 4 sayings are found by meaning, too$/);
    await expect.poll(() => played.command("conversations")).toContainEqual(all);
    const [first = ""] = await played.command("search", "how do I unlock the garden hut");
    expect(first).toMatch(/ user, by meaning: The spare key of the shed hangs behind the door\.$/);
    expect(worker.id).toMatch(/^bert:sha256-[0-9a-f]{64}$/);
    await worker.end();
    const alone = await played.command("search", "shed");
    expect(alone[0]).toMatch(/ user: The spare key of the shed hangs behind the door\.$/);
    expect(alone.at(-1)).toMatch(/^only words were looked for: the embedder does not answer: /);
    await played.leave();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
