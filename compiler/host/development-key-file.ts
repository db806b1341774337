// File of this checkout's development key. Only this module reads and makes it, and the key never leaves it.

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
        // Only a key that is not there is made; one that may not be read is not replaced.
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
