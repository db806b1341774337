import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NODE_FLAGS } from "./roles.ts";

test("Node accepts all flags together, loads modules and data: modules, and refuses to compile code from text", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-flags-"));
  const program = `
    import { readFileSync } from "node:fs";
    let code = "made";
    try { new Function("return 1")(); } catch (error) { code = error.name; }
    const { default: own } = await import("data:text/javascript;base64," + btoa("export default typeof process"));
    const proto = "__proto__" in {};
    console.log(JSON.stringify([typeof readFileSync, code, proto, typeof WebAssembly, own]));
  `;
  writeFileSync(join(folder, "program.mjs"), program);
  const out = execFileSync(process.execPath, [...NODE_FLAGS, join(folder, "program.mjs")], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(JSON.parse(out)).toEqual(["function", "EvalError", false, "undefined", "object"]);
});
