// Converts `binaries` to files beside the page, and reports each binary for which this is not possible. A name of the
// manifest becomes a path only if it names one file in one folder. Source: capos-config 0.1.0, src/validation.rs,
// validate_binary_names.

import type { SystemManifest } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { TABLES_BINARY } from "../../../../targets/capos-native/index.ts";
import { MAX_ASSET_BYTES } from "../../../phases/source/index.ts";
import type { Findings } from "./findings.ts";
import type { Graph } from "./graph.ts";
import { FILE_NAME, isFileName } from "./names.ts";
import { makeProgramPath } from "./page.ts";

/** A file that a page names, below its folder. */
export interface PageFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const MOST_PROGRAMS = 64;
const MOST_NAME_BYTES = 64;

export function collectPrograms(
  { binaries }: SystemManifest,
  { services }: Graph,
  findings: Findings,
): readonly PageFile[] {
  const run = new Set(services.map(({ binary }) => binary));
  const named = new Set<string>();
  if (binaries.length > MOST_PROGRAMS) findings.reportWrong("$.binaries", `upstream takes ${MOST_PROGRAMS} at most`);
  const files = binaries.flatMap(({ name, data }, index): PageFile[] => {
    const path = `$.binaries[${index}]`;
    const fault = named.has(name) ? "upstream refuses a second program of this name" : findFault(name);
    named.add(name);
    if (fault !== undefined) findings.reportWrong(`${path}.name`, fault);
    else if (name === TABLES_BINARY) return [];
    else if (!run.has(name))
      findings.reportUnsayable(path, "no service runs it, and a page names programs of services alone", "leave it out");
    else {
      if (!isFileName(name)) findings.reportUnsayable(`${path}.name`, "it names no file beside a page", FILE_NAME);
      if (data.length === 0)
        findings.reportWrong(`${path}.data`, "upstream wants the program here: elsewhere its init does not look");
      if (data.length > MAX_ASSET_BYTES)
        findings.reportUnsayable(
          `${path}.data`,
          `a program beside a page has ${MAX_ASSET_BYTES} bytes at most`,
          "make it smaller",
        );
      return [{ path: makeProgramPath(name), bytes: data }];
    }
    return [];
  });
  for (const { path, binary } of services)
    if (!named.has(binary)) findings.reportWrong(`${path}.binary`, "upstream wants the name of one of `binaries` here");
  return files;
}

function findFault(name: string): string | undefined {
  if (name === "init") return "upstream's kernel brings this program, and refuses another of the name";
  return Buffer.byteLength(name) > MOST_NAME_BYTES ? `upstream takes names of ${MOST_NAME_BYTES} bytes` : undefined;
}
