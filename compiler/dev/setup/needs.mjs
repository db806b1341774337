// Requirements on the operating system: each program, its Debian 12 package, and its use.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Version of Rust in Debian 12 since its last point release. Debian's security archive has later versions, each for a
 * limited time only. The committed programs were built with this version. If it is installed, tests compare these
 * programs byte for byte with new builds.
 */
const RUST = "1.85.0+dfsg3-1~deb12u3";

/**
 * Requirements of each purpose, beyond those of the purposes before it in `PURPOSES`. The compiler itself needs only
 * mkfs.erofs. If an entry pins a version, the packages in its `with` get this version too, because apt does not choose
 * an older version by itself. If the package in `of` is already installed, its version replaces the pinned version.
 */
const NEEDS = [
  { program: "qemu-system-x86_64", package: "qemu-system-x86", for: "run" }, // boots the image
  { program: "mkfs.erofs", package: "erofs-utils", for: "run" }, // writes the root file system
  { program: "mke2fs", package: "e2fsprogs", for: "run" }, // makes the data disk
  { program: "debugfs", package: "e2fsprogs", for: "run" }, // reads it back after shutdown
  { program: "ssh-keygen", package: "openssh-client", for: "run" }, // makes the example's key, and signs step-ups with it
  { program: "xorriso", package: "xorriso", for: "test" }, // the writer of images that ours is compared with
  { program: "capnp", package: "capnproto", for: "test" }, // the encoder that ours is compared with
  { program: "veritysetup", package: "cryptsetup-bin", for: "test" }, // reads the hash trees that ours are compared with
  { program: "sgdisk", package: "gdisk", for: "test" }, // judges the partition tables that ours write
  { program: "e2fsck", package: "e2fsprogs", for: "test" }, // judges file systems after a power cut
  { program: "qemu-img", package: "qemu-utils", for: "test" }, // judges qcow2 images that ours are
  { program: "openssl", package: "openssl", for: "test" }, // makes the keys of tests of Secure Boot
  { program: "sbsign", package: "sbsigntool", for: "test" }, // signs what UEFI starts, and verifies it
  { file: "/usr/share/OVMF/OVMF_CODE_4M.secboot.fd", package: "ovmf", for: "test" }, // the firmware for UEFI
  { program: "chromium", package: "chromium", for: "test" }, // opens the pages that capc writes
  { program: "cargo", package: "cargo-web", pinned: RUST, for: "test", least: [1, 85] }, // builds and tests capos-init
  { program: "rustc", package: "rustc-web", pinned: RUST, with: ["libstd-rust-web-dev"], for: "test", least: [1, 85] },
  { program: "cargo-clippy", package: "rust-web-clippy", pinned: RUST, of: "rustc-web", for: "test", least: [1, 85] }, // lints capos-init
  { program: "gcc", package: "gcc", for: "test" }, // builds what attacks the jails from inside; also links capos-init
  { program: "tmux", package: "tmux", for: "test" }, // the terminal of the documentation's pictures
  { program: "git", package: "git", for: "test" }, // has the older page that a page is compared with
  { program: "ip", package: "iproute2", for: "test" }, // gives a network of the kernel's the addresses that egress is attacked at
  { file: "/usr/share/doc/python3-venv", package: "python3-venv", for: "images" }, // runs SPDX's own tools
];

/** Purposes: `make run-agent`, `make test`, `make test-images`. */
export const PURPOSES = ["run", "test", "images"];

/**
 * Folders in which Debian's packages install programs. A program elsewhere on the PATH counts as missing, because the
 * Makefile does not look there either. So tests use the same programs as on a new machine.
 */
const DEBIAN_PLACES = "/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Returns the Debian packages that are missing for `purpose`, in the order of the table: the name of each, and its
 * version if it is pinned. `places` are folders, with a colon between them.
 */
export function missingPackages(purpose, places = DEBIAN_PLACES) {
  const folders = places.split(":");
  const purposes = PURPOSES.slice(0, PURPOSES.indexOf(purpose) + 1);
  const missing = NEEDS.filter((need) => purposes.includes(need.for) && !isMet(need, folders));
  const names = missing.map((need) => need.package);
  const packages = missing.flatMap((need) => {
    const version = need.of === undefined || names.includes(need.of) ? undefined : installedVersion(need.of);
    return [need.package, ...(need.with ?? [])].map((name) => [name, { name, version: version ?? need.pinned }]);
  });
  return [...new Map(packages).values()];
}

function isMet({ program, file, least }, folders) {
  if (file !== undefined) return existsSync(file);
  const place = folders.map((folder) => join(folder, program)).find(isExecutable);
  if (place === undefined) return false;
  return least === undefined || isAtLeast(versionOf(place), least);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the version of an installed Debian package, or `undefined` if it is not installed. */
function installedVersion(name) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query replaces it by the version
  const asked = spawnSync("dpkg-query", ["-W", "-f", "${Version}", name], { encoding: "utf8" });
  return asked.status === 0 && asked.stdout !== "" ? asked.stdout : undefined;
}

/**
 * Returns the first two numbers that `PROGRAM --version` prints; a program that prints none counts as missing. Clippy
 * prints a zero before the version of its compiler.
 */
function versionOf(path) {
  const said = spawnSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const found = /(?:0\.)?(\d+)\.(\d+)/.exec(said.stdout ?? "");
  return found === null ? [0, 0] : [Number(found[1]), Number(found[2])];
}

function isAtLeast([major, minor], [leastMajor, leastMinor]) {
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
