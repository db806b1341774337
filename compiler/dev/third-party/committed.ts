// Lists committed third-party files that no lock file names. It reads the versions from files that contain them.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns a row for each committed third-party part: path, part, version, licence, source and use. Throws if a version
 * is not where this code expects it.
 */
export function listCommitted(checkout: string): readonly (readonly string[])[] {
  const read = (path: string): string => readFileSync(join(checkout, path), "utf8");
  const find = (path: string, pattern: RegExp): string => {
    const [, found] = pattern.exec(read(path)) ?? [];
    if (found === undefined) throw new Error(`${path} does not state a version (${String(pattern)})`);
    return found;
  };
  const opa = "compiler/queries/export/testing/opa";
  const weights = "engine/model/agent";
  const schemas = "stdlib/import";
  const meaning = "examples/found-by-meaning/models/minilm.gguf";
  const dojo = "compiler/dev/agentdojo";
  const writer = "targets/xorriso-wasm";
  const capnp = "compiler/reflect/capnp.wasm";
  return [
    [
      `\`${capnp}\``,
      "Cap'n Proto compiler",
      find(`${capnp}.licence.txt`, /crate (capnpc-embedded \S+)\.\n/),
      "MIT",
      "crates.io",
      "capc reads schemas",
    ],
    ...readWriterSources(read(`${writer}/sources.json`)).map(({ source, version }) => [
      `\`${writer}/generated\``,
      source,
      version,
      "GPL-2.0-or-later",
      "Debian's source package; `build.ts` beside it",
      "capc writes images",
    ]),
    ...["Cap'n Proto", "capnproto-java", "go-capnp", "capnpc"].map((part) => [
      `\`${schemas}\``,
      part,
      find(`${schemas}/licences.txt`, new RegExp(`  ${part} (\\S+?)[, ]`)),
      "MIT",
      "its repository",
      "imports of schemas",
    ]),
    [`\`${weights}\``, "SmolLM2-135M-Instruct", "trained further", "Apache-2.0", "Hugging Face", "a model in an image"],
    [`\`${meaning}\``, "all-MiniLM-L6-v2", "as GGUF", "Apache-2.0", "sentence-transformers", "an embedder in an image"],
    [
      `\`${opa}/decision.wasm\``,
      "runtime of Open Policy Agent",
      find(`${opa}/made.json`, /"opa": "([^"]+)"/),
      "Apache-2.0",
      "its repository",
      "tests",
    ],
    [
      `\`${dojo}/*.json\``,
      "AgentDojo",
      find(`${dojo}/README.md`, /`agentdojo` (\d[\d.]*\d)/),
      "MIT",
      "PyPI",
      "a measurement",
    ],
    ...readServers(read("compiler/dev/mcp-servers/servers.json")).map(({ name, package: from, version, licence }) => [
      `\`compiler/dev/mcp-servers/lists/${name}.tools.json\``,
      `tool list of ${from}`,
      version,
      licence,
      "its package",
      "a measurement",
    ]),
  ];
}

function readWriterSources(text: string): readonly { readonly source: string; readonly version: string }[] {
  return JSON.parse(text);
}

interface Server {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly licence: string;
}

function readServers(text: string): readonly Server[] {
  return JSON.parse(text);
}
