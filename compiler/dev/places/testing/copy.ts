// Copies the checkout's sources for a test, which may change the copy. Imports in the copy refer to files of the copy.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../../../..", import.meta.url));
const FOLDERS = ["compiler", "engine", "lang", "stdlib", "targets"];

/**
 * Files that the copy omits: large files, built files, and files that only tests use. None of them describes a role.
 */
const LEFT_OUT =
  /(?:^|\/)(?:node_modules|target)(?:\/|$)|\.(?:wasm|test\.ts)$|^engine\/(?:model|prebuilt)(?:\/|$)|^engine\/processes\/model\/evaluation\//;

/**
 * Path of a file in the copy, and the function that changes its text. If the function returns `undefined`, the file is
 * deleted.
 */
export type Change = readonly [path: string, change: (text: string) => string | undefined];

export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), "capc-places-"));

  constructor() {
    for (const name of FOLDERS)
      cpSync(join(CHECKOUT, name), join(this.folder, name), {
        recursive: true,
        filter: (path) => !LEFT_OUT.test(relative(CHECKOUT, path)),
      });
    cpSync(join(CHECKOUT, "package.json"), join(this.folder, "package.json"));
    symlinkSync(join(CHECKOUT, "node_modules"), join(this.folder, "node_modules"));
  }

  /** Applies changes; throws if one of them has no effect. */
  change(changes: readonly Change[]): void {
    for (const [path, change] of changes) {
      const before = this.read(path);
      const after = change(before ?? "");
      if (after === before) throw new Error(`${path} stays as it is`);
      if (after === undefined) rmSync(join(this.folder, path));
      else this.#write(path, after);
    }
  }

  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.folder, path), "utf8");
    } catch {
      return undefined;
    }
  }

  /** Returns the output of a program of the copy with its status; throws if it did not finish, or reported an error. */
  run(program: string, ...words: readonly string[]): { readonly status: number; readonly lines: readonly string[] } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(this.folder, program), ...words], {
      encoding: "utf8",
      cwd: this.folder,
    });
    if (status === null || stderr !== "") throw new Error(`${program}: ${stderr}`);
    return { status, lines: stdout.split("\n").filter((line) => line !== "") };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }
}
