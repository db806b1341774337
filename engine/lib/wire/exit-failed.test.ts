import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("a process that gives up says why and ends, whatever else would keep it running", () => {
  const program = `import { createServer } from "node:net";
    import { giveUp } from ${JSON.stringify(new URL("exit-failed.ts", import.meta.url).href)};
    createServer().listen(0, () => giveUp("there are no tables"));`;
  const words = ["--input-type=module", "--eval", program];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", timeout: 120_000 });
  expect([status, stderr]).toEqual([1, "there are no tables\n"]);
});
