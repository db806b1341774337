// What is needed of the operating system: each program, the Debian 12 package that has it, and what for.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";

/** `run`: what `make run-agent` needs. `test` needs all of it, and these. The compiler itself needs none of them but mkfs.erofs. */
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
  { program: "cargo", package: "cargo-web", for: "test", least: [1, 85] }, // builds and tests capos-init
  { program: "rustc", package: "rustc-web", for: "test", least: [1, 85] },
  { program: "gcc", package: "gcc", for: "test" }, // builds what attacks the jails from inside; also links capos-init
];

/** Debian keeps mke2fs and debugfs where an ordinary user's PATH does not look. */
const PLACES = [...(process.env.PATH ?? "").split(":").filter(Boolean), "/usr/sbin", "/sbin"];

/** Debian packages that are missing for `purpose`, in the order of the table, each once. */
export function missingPackages(purpose) {
  const wanted = NEEDS.filter((need) => need.for === "run" || purpose === "test");
  return [...new Set(wanted.filter((need) => !isMet(need)).map((need) => need.package))];
}

function isMet({ program, file, least }) {
  if (file !== undefined) return existsSync(file);
  const place = PLACES.map((folder) => join(folder, program)).find(isExecutable);
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

/** The first two numbers of what `PROGRAM --version` prints; a program that cannot say so counts as absent. */
function versionOf(path) {
  const said = spawnSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const found = /(\d+)\.(\d+)/.exec(said.stdout ?? "");
  return found === null ? [0, 0] : [Number(found[1]), Number(found[2])];
}

function isAtLeast([major, minor], [leastMajor, leastMinor]) {
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
