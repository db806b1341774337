import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureStateFolder } from "./state-folder.ts";

test("a state folder that cannot be made is reported with the variable that selects another folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-state-"));
  try {
    const XDG_STATE_HOME = join(folder, "home");
    writeFileSync(XDG_STATE_HOME, "no folder");
    const made = () => ensureStateFolder("/usr/lib/node_modules/capc", { XDG_STATE_HOME });
    expect(made).toThrow(expect.objectContaining({ path: expect.stringContaining("XDG_STATE_HOME names another") }));
    rmSync(XDG_STATE_HOME);
    expect(made()).toBe(join(XDG_STATE_HOME, "capc"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
