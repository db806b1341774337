import type { Service } from "../../../phases/bind/index.ts";
import { isForUpstream } from "../../../phases/policy/upstream/graph.ts";
import { getBinaryName, isProgram } from "../../../phases/policy/upstream/lower.ts";
import { isElf, isForX86 } from "../../../phases/source/elf.ts";
import { defineLaw } from "../../support/law.ts";
import { programForeign, programName, programsMany } from "./codes.ts";

/**
 * Maximum number of programs; the policy tables count as one program (capos-config 0.1.0, src/validation.rs,
 * validate_binary_names).
 */
const MOST_PROGRAMS = 64;
const MOST_NAME_BYTES = 64;
/** Reserved names: upstream's own first program, and the file with the policy tables. */
const TAKEN: ReadonlySet<string> = new Set(["init", "policy-tables"]);

/** Checks that upstream accepts the names of programs, and that each name belongs to one program. */
export const rule = defineLaw({
  reports: [programForeign, programName, programsMany],
  check: ({ model }, report) => {
    if (!isForUpstream(model)) return;
    const paths = new Map<string, string>();
    for (const { exec } of model.services.filter(isProgram)) {
      if (exec === undefined) continue;
      const { value: path, span } = exec.path;
      const name = getBinaryName(path);
      const why = findFault(name, path, paths.get(name));
      if (why !== undefined) report(programName.at(span, { name, why }));
      if (exec.asset !== undefined && !isProgramBytes(exec.asset.bytes)) report(programForeign.at(span, { name }));
      if (!paths.has(name)) paths.set(name, path);
    }
    const at = findLastProgram(model.services);
    const facts = { count: paths.size, most: MOST_PROGRAMS - 1 };
    if (at !== undefined && paths.size >= MOST_PROGRAMS) report(programsMany.at(at, facts));
  },
});

function findFault(name: string, path: string, before: string | undefined): string | undefined {
  if (TAKEN.has(name)) return "this name is reserved";
  if (Buffer.byteLength(name) > MOST_NAME_BYTES) return `a name has at most ${MOST_NAME_BYTES} bytes`;
  return before === undefined || before === path ? undefined : `\`${before}\` has that name`;
}

/** Returns whether upstream's loader accepts these bytes. */
function isProgramBytes(bytes: Uint8Array): boolean {
  return isElf(bytes) && isForX86(bytes);
}

function findLastProgram(services: readonly Service[]) {
  return services.filter(isProgram).at(-1)?.exec?.path.span;
}
