// Upstream's own crate as an oracle. It is built once for a machine, and cached by a digest of its sources.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWithCargo } from "../../../engine/image/init/toolchain.ts";

const FOLDER = fileURLToPath(new URL("../oracle/", import.meta.url));

type Answer =
  /** Bytes that upstream's own encoder writes for the manifest that it read. */
  | { readonly kind: "accepted"; readonly again: Uint8Array }
  | { readonly kind: "refused"; readonly stage: string; readonly why: string };

/**
 * Builds the oracle if necessary, which takes about half a minute of CPU; crates come from the registry. Throws if it cannot be built.
 */
export function builtOracle(): (manifests: readonly Uint8Array[]) => readonly Answer[] {
  const program = builtProgram();
  return (manifests) => asked(program, manifests.map(hexOf)).map(answerOf);
}

/** Returns a comparison: it lists what upstream reads differently, in terms of its crate (`services`); none if both are equal. */
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
 * RUSTC_BOOTSTRAP enables; later compilers have them in any case. Only tests use the result; it is in no image.
 */
const LET_CHAINS = { RUSTC_BOOTSTRAP: "1", RUSTFLAGS: "-Zcrate-attr=feature(let_chains)" };

function builtProgram(): string {
  const target = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "capc-oracle", madeOf());
  buildWithCargo("the oracle", ["-j1", "--ignore-rust-version", "--manifest-path", join(FOLDER, "Cargo.toml")], {
    CARGO_TARGET_DIR: target,
    // The crate then uses its published code, and needs no compiler of schemas.
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
