// With what the committed programs were built. Bytes of a static program depend on more than the Rust compiler: the C
// library that is linked in and the linker come from the system.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export interface Toolchain {
  readonly cargo: string;
  readonly rustc: string;
  readonly versions: Readonly<Record<string, string>>;
}

const SYSTEM_PACKAGES = ["binutils", "gcc-12", "libc6-dev"];

/** Debian's own Rust where it is installed: that is what anyone can get again. Otherwise what the PATH has. */
export function findToolchain(): Toolchain | undefined {
  const cargo = existsSync("/usr/bin/cargo") ? "/usr/bin/cargo" : "cargo";
  const rustc = existsSync("/usr/bin/rustc") ? "/usr/bin/rustc" : "rustc";
  const said = spawnSync(rustc, ["--version"], { encoding: "utf8" });
  if (said.status !== 0) return undefined;
  const versions: Record<string, string> = { rustc: said.stdout.trim() };
  for (const name of SYSTEM_PACKAGES) versions[name] = versionOfPackage(name);
  return { cargo, rustc, versions };
}

function versionOfPackage(name: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own placeholder
  const asked = spawnSync("dpkg-query", ["-W", "-f", "${Version}", name], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : "not a Debian package";
}

/** One sentence for each part that is not what the lock names. */
export function movedSince(
  locked: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): string[] {
  return Object.keys(locked)
    .filter((name) => locked[name] !== found[name])
    .map((name) => `${name} is ${found[name] ?? "absent"}; the committed programs were built with ${locked[name]}`);
}
