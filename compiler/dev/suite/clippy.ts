// Runs Clippy on the Rust programs and their tests. If Clippy has the version of the locked compiler, a warning counts as a failure.

import {
  CARGO,
  CLIPPY,
  describeToolchainDrift,
  findToolchain,
  makeCargoEnvironment,
  readClippyVersion,
  readLockedVersions,
} from "../../../engine/image/init/toolchain.ts";
import { BUILT_ONCE } from "./cargo-tests.ts";
import { createClaim, type Result, runHere, type Stage, skipStage } from "./stage.ts";

const NAME = "clippy";
const WORDS = ["clippy", "--locked", "--all-targets", "--manifest-path", "engine/image/init/Cargo.toml", "--"];

/**
 * Stage that runs clippy. It fails for a warning with the locked compiler. A later compiler has lints that are unknown here, so its
 * warnings are only advice.
 */
export const clippy: Stage = {
  name: NAME,
  run: async () => {
    const versions = findToolchain()?.versions ?? {};
    const fault = findClippyFault(versions["rustc"], readClippyVersion());
    if (fault !== undefined) return { passed: 0, failed: 1, failures: [{ name: NAME, words: fault }] };
    const { rustc = "" } = readLockedVersions();
    const [drift] = describeToolchainDrift({ rustc }, versions);
    const level = drift === undefined ? ["-D", "warnings"] : ["--cap-lints", "warn"];
    // Clippy must use the cargo in its own folder, not the first cargo on the user's PATH.
    const ended = await runHere(CLIPPY, [...WORDS, ...level], { env: makeCargoEnvironment({ ...BUILT_ONCE, CARGO }) });
    return judgeClippy(createClaim(NAME, ended), drift);
  },
};

/** Returns the reason why Clippy cannot be used with the compiler, or `undefined` if the versions of both are equal. */
export function findClippyFault(rustc: string | undefined, found: string | undefined): string | undefined {
  const install = "`make setup-test` installs Debian's package rust-web-clippy in the version of rustc-web";
  if (rustc === undefined) return "rustc is absent; Debian's package rustc-web has it";
  if (found === undefined) return `${CLIPPY} is absent; ${install}`;
  const of = (words: string): string | undefined => /(?:0\.)?(\d+\.\d+)/.exec(words)?.[1];
  return of(found) === of(rustc) ? undefined : `${found} is not of ${rustc}; ${install}`;
}

/**
 * Returns the result of a run. If the compiler is not the locked compiler, a successful run does not count, and the
 * result states the reason.
 */
export function judgeClippy(claim: Result, drift: string | undefined): Result {
  return drift === undefined || claim.failed > 0 ? claim : skipStage(`its warnings are advice here: ${drift}`);
}
