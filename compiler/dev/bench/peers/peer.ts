import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { CommandLine } from "../measure.ts";
import { renderCedarSources } from "./cedar.ts";
import { renderCueSources } from "./cue.ts";
import { renderRegoSources } from "./rego.ts";
import { renderCilSources } from "./selinux.ts";
import type { Sources } from "./sources.ts";
import { renderTypespecSources } from "./typespec.ts";
import { VERSIONS } from "./versions.ts";

/** Language that checks policies, with the command of its checker. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  /**
   * Returns the command that checks the sources in their folder, or `undefined` if the peer is not installed. `folder`
   * is build/peers.
   */
  readonly command: (folder: string) => CommandLine | undefined;
  readonly sources: (tools: number, sessions: number) => Sources;
}

/** The peers: other languages that check policies, in the order in which they are measured. */
export const PEERS: readonly Peer[] = [
  {
    name: "CUE",
    version: VERSIONS.cue,
    command: (folder) => findInstalled(join(folder, "bin/cue"), "vet", "."),
    sources: renderCueSources,
  },
  {
    name: "OPA",
    version: VERSIONS.opa,
    command: (folder) => findInstalled(join(folder, "bin/opa"), "check", "policy.rego"),
    sources: renderRegoSources,
  },
  {
    name: "Cedar",
    version: VERSIONS.cedar,
    command: (folder) =>
      findScriptCommand(join(folder, "node_modules/@cedar-policy/cedar-wasm/nodejs/cedar_wasm.js"), "check.cjs"),
    sources: renderCedarSources,
  },
  {
    name: "TypeSpec",
    version: VERSIONS.typespec,
    command: (folder) => {
      const compiler = join(folder, "node_modules/@typespec/compiler/cmd/tsp.js");
      return existsSync(compiler) ? [process.execPath, compiler, "compile", "main.tsp", "--no-emit"] : undefined;
    },
    sources: renderTypespecSources,
  },
  {
    name: "secilc",
    version: VERSIONS.secilc,
    command: () => findOnPath("secilc", "-o", "policy.bin", "-f", "contexts", "policy.cil"),
    sources: renderCilSources,
  },
];

function findInstalled(program: string, ...words: string[]): CommandLine | undefined {
  return existsSync(program) ? [program, ...words] : undefined;
}

/** Returns the command of a script that calls a library; its argument is the library's path. */
function findScriptCommand(library: string, script: string): CommandLine | undefined {
  return existsSync(library) ? [process.execPath, script, library] : undefined;
}

function findOnPath(program: string, ...words: string[]): CommandLine | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  return found === undefined ? undefined : [found, ...words];
}
