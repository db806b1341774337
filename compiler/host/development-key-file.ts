// Reads and makes the file of this checkout's development key. No other module reads this file, and the key never leaves this module.

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
        // A missing key file is created; an unreadable key file is not replaced.
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
