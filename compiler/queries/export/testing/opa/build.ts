// Implements `make rego`, which compiles the Rego module to WebAssembly. It uses the pinned version of OPA, which `make
// bench-peers` builds from sources. The result is committed, because no npm package has OPA's compiler, and Go takes
// minutes to build it. A test compares the digests of the Rego source and of the module with made.json.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../../../../..", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));
const MODULE = join(CHECKOUT, "compiler/queries/export/rego/decision.rego");
const VERSION = "1.22.2";
const ENTRYPOINT = "capc/answer";

function run(program: string, ...words: string[]): string {
  const { status, error, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (status === 0) return stdout;
  process.stderr.write(`${program} ${words.join(" ")}: ${error?.message ?? stderr}\n`);
  process.exit(3);
}

const computeSha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const opa = process.argv[2] ?? join(CHECKOUT, "build/peers/bin/opa");
const [, version] = /^Version: (\S+)$/m.exec(run(opa, "version")) ?? [];
if (version !== VERSION) {
  process.stderr.write(`${opa} is OPA ${version}, and ${VERSION} is pinned\n`);
  process.exit(3);
}
const scratch = mkdtempSync(join(tmpdir(), "capc-rego-"));
const bundle = join(scratch, "bundle.tar.gz");
run(opa, "check", "--strict", MODULE);
run(opa, "build", "--target", "wasm", "--entrypoint", ENTRYPOINT, "--output", bundle, MODULE);
run("tar", "--extract", "--file", bundle, "--directory", scratch, "/policy.wasm");
const wasm = readFileSync(join(scratch, "policy.wasm"));
writeFileSync(join(HERE, "decision.wasm"), wasm);
const made = {
  opa: VERSION,
  entrypoint: ENTRYPOINT,
  module: computeSha256(readFileSync(MODULE)),
  wasm: computeSha256(wasm),
};
writeFileSync(join(HERE, "made.json"), `${JSON.stringify(made, undefined, 2)}\n`);
rmSync(scratch, { recursive: true });
