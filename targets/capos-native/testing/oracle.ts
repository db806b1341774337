// Uses upstream's own crate as an oracle for tests. The oracle program is built once on a machine, and cached under a
// digest of its sources.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWithCargo } from "../../../engine/image/init/toolchain.ts";

const FOLDER = fileURLToPath(new URL("../oracle/", import.meta.url));

type Answer =
  /** `again`: the bytes that upstream's encoder writes for the manifest that its decoder has read. */
  | { readonly kind: "accepted"; readonly again: Uint8Array }
  | { readonly kind: "refused"; readonly stage: string; readonly why: string };

/**
 * Builds the oracle if necessary, which takes about half a minute of CPU; crates come from the registry. Throws if the oracle cannot be
 * built.
 */
export function builtOracle(): (manifests: readonly Uint8Array[]) => readonly Answer[] {
  const program = builtProgram();
  return (manifests) => asked(program, manifests.map(hexOf)).map(answerOf);
}

/**
 * Returns a function that compares pairs of manifests. For each pair, the function lists the fields of upstream's
 * crate, such as `services`, that differ.
 */
export function builtComparison(): (
  pairs: readonly (readonly [Uint8Array, Uint8Array])[],
) => readonly (readonly string[])[] {
  const program = builtProgram();
  return (pairs) =>
    asked(
      program,
      pairs.map((pair) => pair.map(hexOf).join(" ")),
    ).map((answer) => (answer === "equal" ? [] : answer.split(" ").slice(1)));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/**
 * Upstream's crate requires Rust 1.88, but only for `let` chains. Debian's 1.85 has these only as an unstable feature, which
 * RUSTC_BOOTSTRAP enables; later compilers have them in any case. Only tests use the resulting program, and no image contains it.
 */
const LET_CHAINS = { RUSTC_BOOTSTRAP: "1", RUSTFLAGS: "-Zcrate-attr=feature(let_chains)" };

function builtProgram(): string {
  const target = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "capc-oracle", madeOf());
  buildWithCargo("the oracle", ["-j1", "--ignore-rust-version", "--manifest-path", join(FOLDER, "Cargo.toml")], {
    CARGO_TARGET_DIR: target,
    // With DOCS_RS the crate uses its published generated code, and needs no compiler for schemas.
    DOCS_RS: "1",
    ...LET_CHAINS,
  });
  return join(target, "debug/capos-oracle");
}

function madeOf(): string {
  const made = createHash("sha256");
  for (const name of ["Cargo.lock", "Cargo.toml"]) made.update(readFileSync(join(FOLDER, name)));
  return made.digest("hex").slice(0, 16);
}

function asked(program: string, lines: readonly string[]): readonly string[] {
  const input = lines.map((line) => `${line}\n`).join("");
  const run = spawnSync(program, { input, encoding: "utf8", maxBuffer: 2 ** 29 });
  if (run.error !== undefined || run.status !== 0) throw new Error(`the oracle broke off: ${run.error} ${run.stderr}`);
  const answers = run.stdout.split("\n").slice(0, -1);
  if (answers.length !== lines.length) throw new Error(`${lines.length} asked, ${answers.length} answered`);
  return answers;
}

function answerOf(line: string): Answer {
  const [, stage = "", why = ""] = /^refused ([\w-]+): (.*)$/.exec(line) ?? [];
  if (line.startsWith("accepted ")) return { kind: "accepted", again: Buffer.from(line.slice(9), "hex") };
  return { kind: "refused", stage, why };
}
