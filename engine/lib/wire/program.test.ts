import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("a program that gives up prints the reason and exits, even with open handles", () => {
  const program = `import { createServer } from "node:net";
    import { runProgram } from ${JSON.stringify(new URL("program.ts", import.meta.url).href)};
    await runProgram((_, { giveUp }) => {
      createServer().listen(0, () => giveUp("there are no tables"));
    });`;
  const words = ["--input-type=module", "--eval", program];
  const options = { encoding: "utf8", timeout: 120_000, env: { ...process.env, CAPOS_NAME: "gate.operator" } } as const;
  const { status, stderr } = spawnSync(process.execPath, words, options);
  expect([status, stderr]).toEqual([1, "there are no tables\n"]);
});
