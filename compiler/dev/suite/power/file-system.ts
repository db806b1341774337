import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../../machine/programs.ts";
import type { JudgeFiles } from "./cuts.ts";

const PACKAGE = "e2fsprogs";

/** Replays the journal into a copy, as a start would, and checks the result with e2fsck. */
export const judgeFileSystem: JudgeFiles = (bytes) => {
  const folder = mkdtempSync(join(tmpdir(), "capc-cut-"));
  try {
    const copy = join(folder, "files.img");
    writeFileSync(copy, bytes);
    // e2fsck replays the journal, not debugfs: debugfs checks the bitmaps before it replays the journal, although the
    // replay may correct the checksums of the bitmaps.
    const replayed = runProgram("e2fsck", ["-y", "-E", "journal_only", copy], PACKAGE);
    if (!replayed.ok) return replayed.reason;
    const checked = runProgram("e2fsck", ["-fn", copy], PACKAGE);
    return checked.ok ? undefined : checked.reason;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
