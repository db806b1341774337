// Determines whether a file is in use: by a machine that runs from it, a copy in progress, or a mount.

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns whether a program has the file open or the file is mounted as an image; `false` if the file does not exist.
 * The function finds only programs that this user may inspect, and images that were mounted from the folder of the
 * file. Programs of other users or on other machines are not found.
 */
export function isHeld(path: string): boolean {
  const file = readIdentity(path);
  return file !== undefined && (isMounted(path) || openFiles().some((open) => readIdentity(open) === file));
}

function readIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    // The file was deleted, or the program has closed it since its descriptors were listed.
    return undefined;
  }
}

function openFiles(): readonly string[] {
  return listNames("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((program) => {
      const folder = join("/proc", program, "fd");
      return listNames(folder).map((number) => join(folder, number));
    });
}

/**
 * Returns whether a loop device may have the file. A loop device states the path under which its file was opened. The
 * file may have been renamed since, so a loop device with any file of this folder counts.
 */
function isMounted(path: string): boolean {
  const folder = `${realpathSync(dirname(path))}/`;
  return listNames("/sys/block")
    .filter((name) => name.startsWith("loop"))
    .some((name) => readBackingFile(name).startsWith(folder));
}

function readBackingFile(device: string): string {
  try {
    return readFileSync(join("/sys/block", device, "loop/backing_file"), "utf8");
  } catch {
    // Linux has no `backing_file` for a loop device to which no file is attached.
    return "";
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder in /proc belongs to a program that has ended, or to a program of another user. It counts as empty.
    return [];
  }
}
