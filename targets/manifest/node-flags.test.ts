import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NODE_FLAGS } from "./roles.ts";

test("Node takes all the flags together, loads a module, and makes no code from text", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-flags-"));
  const program = `
    import { readFileSync } from "node:fs";
    let code = "made";
    try { new Function("return 1")(); } catch (error) { code = error.name; }
    const proto = "__proto__" in {};
    console.log(JSON.stringify([typeof readFileSync, code, proto, typeof WebAssembly]));
  `;
  writeFileSync(join(folder, "program.mjs"), program);
  const out = execFileSync(process.execPath, [...NODE_FLAGS, join(folder, "program.mjs")], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(JSON.parse(out)).toEqual(["function", "EvalError", false, "undefined"]);
});
