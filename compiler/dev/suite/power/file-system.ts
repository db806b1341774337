import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../../machine/programs.ts";
import type { JudgeFiles } from "./cuts.ts";

const PACKAGE = "e2fsprogs";

/** Replays the journal into a copy, as a start would, and has e2fsck look at what is there then. */
export const judgeFileSystem: JudgeFiles = (bytes) => {
  const folder = mkdtempSync(join(tmpdir(), "capc-cut-"));
  try {
    const copy = join(folder, "files.img");
    writeFileSync(copy, bytes);
    // debugfs would read bitmaps first, whose checksums may be the journal's to set right.
    const replayed = runProgram("e2fsck", ["-y", "-E", "journal_only", copy], PACKAGE);
    if (!replayed.ok) return replayed.reason;
    const checked = runProgram("e2fsck", ["-fn", copy], PACKAGE);
    return checked.ok ? undefined : checked.reason;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
