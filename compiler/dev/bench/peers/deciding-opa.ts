// Measures one decision of OPA, with its policy compiled to WebAssembly. The arguments are the path of the library
// opa-wasm, and the folder with policy.wasm and facts.json.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { measureMicroseconds } from "../micro.ts";

interface Opa {
  readonly loadPolicy: (wasm: Uint8Array) => Promise<{
    readonly setData: (facts: object) => void;
    readonly evaluate: (input: object) => readonly { readonly result: unknown }[];
  }>;
}

const TOOLS = 250;
const [library = "", folder = ""] = process.argv.slice(2);
const opa: Opa = createRequire(import.meta.url)(library);
const policy = await opa.loadPolicy(readFileSync(join(folder, "policy.wasm")));
policy.setData(JSON.parse(readFileSync(join(folder, "facts.json"), "utf8")));
const calls = Array.from({ length: TOOLS }, (_, index) => ({ session: "session0", tool: `s${index}.read` }));
const microseconds = measureMicroseconds((time) => {
  const [answer] = policy.evaluate(calls[time % calls.length] ?? {});
  if (answer?.result !== "auto") throw new Error(`the answer is ${JSON.stringify(answer)}`);
});
process.stdout.write(String(microseconds));
