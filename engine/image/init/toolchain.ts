// Defines the only Rust compiler of this project: Debian's, at its fixed path. No compiler in a user's PATH builds or tests anything
// here, so that tests give the same results on every machine. The bytes of a static program depend on more than the compiler: the linked
// C library and the linker also come from the system.

import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Toolchain {
  readonly cargo: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Program of Debian's package cargo-web, which set-up installs together with rustc-web. */
export const CARGO = "/usr/bin/cargo";
/**
 * The linter of Debian's Rust compiler, from the package rust-web-clippy. Without this path, `CARGO` would run the Clippy
 * in the user's own folder.
 */
export const CLIPPY = "/usr/bin/cargo-clippy";
const [RUSTC, RUSTDOC] = ["/usr/bin/rustc", "/usr/bin/rustdoc"];

const SYSTEM_PACKAGES = ["binutils", "gcc-12", "libc6-dev"];

/** Variables by which a user's own Rust set-up would change the build. */
const OF_USERS =
  /^(RUSTUP_|RUSTC|RUSTDOC|RUSTFLAGS$|CLIPPY_|CARGO_(BUILD|ENCODED|INCREMENTAL|PROFILE|TARGET|UNSTABLE))/;

/** Returns the toolchain with its versions, or `undefined` if Debian's compiler is not installed. */
export function findToolchain(): Toolchain | undefined {
  const { status, stdout } = spawnSync(RUSTC, ["--version"], { encoding: "utf8" });
  if (status !== 0) return undefined;
  const versions: Record<string, string> = { rustc: stdout.trim() };
  for (const name of SYSTEM_PACKAGES) versions[name] = readPackageVersion(name);
  return { cargo: CARGO, versions };
}

/** Returns the version line of the linter, or `undefined` if it is not installed. */
export function readClippyVersion(): string | undefined {
  const { status, stdout } = spawnSync(CLIPPY, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns the toolchain that the committed programs were built with, as inputs.lock names it. */
export function readLockedVersions(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(new URL("../rootfs/inputs.lock", import.meta.url), "utf8")).toolchain;
}

/** Returns the environment in which `CARGO` uses Debian's compiler, with the variables in `more` added. */
export function makeCargoEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !OF_USERS.test(name));
  return { ...Object.fromEntries(kept), RUSTC, RUSTDOC, ...more };
}

/** Runs Debian's cargo, and waits until it has ended. At most 64 MiB of its output are kept. */
export function runCargo(
  words: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): SpawnSyncReturns<string> {
  const { cwd, env } = options;
  return spawnSync(CARGO, words, { cwd, encoding: "utf8", maxBuffer: 2 ** 26, env: makeCargoEnvironment(env) });
}

/**
 * Runs `cargo build` with the arguments `words`. Throws with cargo's output if the build fails; `what` names the
 * program in the message.
 */
export function buildWithCargo(
  what: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): void {
  const run = runCargo(["build", "--locked", "--quiet", ...words], { env });
  if (run.error !== undefined)
    throw new Error(`${CARGO} cannot be run, and ${what} is built with it: ${run.error.message}`);
  if (run.status !== 0) throw new Error(`${what} does not build:\n${run.stderr}`);
}

function readPackageVersion(name: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query replaces `${Version}` by the version
  const asked = spawnSync("dpkg-query", ["-W", "-f", "${Version}", name], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : "not a Debian package";
}

/** Returns one sentence for each tool whose version in `found` is not the locked one. */
export function describeToolchainDrift(
  locked: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): string[] {
  return Object.keys(locked)
    .filter((name) => locked[name] !== found[name])
    .map((name) => `${name} is ${found[name] ?? "absent"}; the committed programs were built with ${locked[name]}`);
}
