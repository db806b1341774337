// Reads and makes the file of this checkout's development key. No other module accesses it, and the key never leaves this one.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeyFile } from "../../targets/manifest/development-key.ts";
import { ensureStateFolder } from "./state-folder.ts";

export function openDevelopmentKeyFile(path = join(ensureStateFolder(), "keys/development.json")): KeyFile {
  return {
    read: () => {
      try {
        return readFileSync(path, "utf8");
      } catch (error) {
        // Only a missing key is made; an unreadable one is not replaced.
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }
    },
    create: (text) => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    },
  };
}
