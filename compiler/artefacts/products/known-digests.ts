// Stores the digests of files that rarely change between builds, so that each file is read once.

import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { placeText } from "../../host/output.ts";
import { computeSha256 } from "../inspect/description.ts";
import { stampOf } from "./stamp.ts";

interface KnownDigests {
  /** Returns the SHA-256 of a file in hexadecimal, or `undefined` if it does not exist. */
  readonly digestOf: (path: string) => string | undefined;
  /** Stores the new digests. If the digests cannot be stored, the next build reads the files again. */
  readonly keep: () => void;
}

/** Loads the digests that earlier builds stored in the file `notes`. */
export function loadKnownDigests(notes: string): KnownDigests {
  const known = new Map(Object.entries(readNotes(notes)));
  let learned = false;
  return {
    digestOf: (path) => {
      const stamp = stampOf(path);
      if (stamp === undefined) return undefined;
      const [kept, digest] = (known.get(path) ?? "").split(": ");
      if (kept === stamp && digest !== undefined) return digest;
      const read = computeSha256(readFileSync(path));
      known.set(path, `${stamp}: ${read}`);
      learned = true;
      return read;
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
    // The stored digests are missing or malformed, so the build reads all files again.
    return {};
  }
}
