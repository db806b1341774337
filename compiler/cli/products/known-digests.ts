// Digests of files that are the same at nearly every build, each read once: its place on the disk, and the time that no
// program can set, stand for it until whatever writes or replaces it changes them.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { placeText } from "../output.ts";

export interface KnownDigests {
  /** SHA-256 in hexadecimal; nothing where there is no such file. */
  readonly digestOf: (path: string) => string | undefined;
  /** Writes down what was learned. What cannot be written is read again next time. */
  readonly keep: () => void;
}

/** `notes` is the file in which they are kept. */
export function knownDigests(notes: string): KnownDigests {
  const known = new Map(Object.entries(readNotes(notes)));
  let learned = false;
  return {
    digestOf: (path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (found?.isFile() !== true) return undefined;
      const stamp = [found.dev, found.ino, found.size, found.ctimeNs].join(" ");
      const [kept, digest] = (known.get(path) ?? "").split(": ");
      if (kept === stamp && digest !== undefined) return digest;
      const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
      known.set(path, `${stamp}: ${sha256}`);
      learned = true;
      return sha256;
    },
    keep: () => {
      if (!learned) return;
      mkdirSync(dirname(notes), { recursive: true });
      placeText(notes, JSON.stringify(Object.fromEntries(known)));
    },
  };
}

function readNotes(path: string): Readonly<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, "utf8"));
    const isWell =
      read !== null && typeof read === "object" && Object.values(read).every((each) => typeof each === "string");
    return isWell ? (read as Readonly<Record<string, string>>) : {};
  } catch {
    // None yet, or a broken one: all is read again.
    return {};
  }
}
