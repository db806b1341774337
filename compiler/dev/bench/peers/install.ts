// make bench-peers: installs the peers of `make bench` into build/peers by name and version. A peer that cannot be
// installed on this machine is reported, and omitted from the benchmark.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSIONS } from "./versions.ts";

const FOLDER = fileURLToPath(new URL("../../../../build/peers", import.meta.url));

function install(names: string, program: string, ...words: string[]): void {
  const { status, error } = spawnSync(program, words, {
    cwd: FOLDER,
    stdio: "inherit",
    env: { ...process.env, GOBIN: join(FOLDER, "bin") },
  });
  const why = error === undefined ? `${program} ended with ${status}` : `${program}: ${error.message}`;
  if (status !== 0) process.stderr.write(`${names} could not be installed: ${why}\n`);
}

mkdirSync(FOLDER, { recursive: true });
install("CUE", "go", "install", `cuelang.org/go/cmd/cue@v${VERSIONS.cue}`);
install("OPA", "go", "install", `github.com/open-policy-agent/opa@v${VERSIONS.opa}`);
const npm = ["install", "--prefix", FOLDER, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
const packages = [
  `@cedar-policy/cedar-wasm@${VERSIONS.cedar}`,
  `@open-policy-agent/opa-wasm@${VERSIONS.opaWasm}`,
  `@typespec/compiler@${VERSIONS.typespec}`,
  `openworkflow@${VERSIONS.openworkflow}`,
  `@dbos-inc/dbos-sdk@${VERSIONS.dbos}`,
];
install("Cedar, OPA for WebAssembly, TypeSpec, openworkflow and DBOS", "npm", ...npm, ...packages);
install("secilc and PostgreSQL", "apt-get", "install", "-y", "--no-install-recommends", "secilc", "postgresql");
