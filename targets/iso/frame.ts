// Computes the frame of an image: everything except its changing part. Two images with the same frame differ only in
// files that are found by name: in their contents, sizes, and places in the changing part.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { countChangingBlocks, getSize, type Place } from "./places.ts";

/** Properties of an image by name. A property whose name is a path with a leading slash is about the file at that path. */
export type Frame = Readonly<Record<string, string>>;

export function createFrame(places: readonly Place[], writer: string, sourceDateEpoch: number): Frame {
  return {
    writer,
    time: `${sourceDateEpoch}`,
    "room for what changes": `${countChangingBlocks(places)}`,
    ...Object.fromEntries(places.map((place) => [place.path, describeStanding(place)])),
  };
}

function describeStanding(place: Place): string {
  switch (place.standing) {
    case "kept":
      return `kept ${identifyContent(place)}`;
    case "anchored":
      return `anchored ${getSize(place)}`;
    case "changing":
      // An empty file is a special case, because the writer chooses its place.
      return getSize(place) === 0 ? "empty" : "changing";
  }
}

/**
 * Returns a text that identifies a file's content. Large files without a given digest are not read: device, inode, size
 * and change time identify them, because programs cannot set the change time.
 */
function identifyContent({ bytes }: Place): string {
  if (bytes instanceof Uint8Array) return createHash("sha256").update(bytes).digest("hex");
  if (bytes.sha256 !== undefined) return bytes.sha256;
  const { dev, ino, size, ctimeNs } = statSync(bytes.file, { bigint: true });
  return [dev, ino, size, ctimeNs].join(" ");
}

/** Returns how two frames differ, as text after "because"; `undefined` if they do not. */
export function describeDifference(before: Frame, now: Frame): string | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const name = names.find((each) => before[each] !== now[each]);
  if (name === undefined) return Object.values(now).includes("empty") ? "a file is empty" : undefined;
  if (!name.startsWith("/")) return `the ${name} is another`;
  if (before[name] === undefined) return `${name} is new`;
  return now[name] === undefined ? `${name} is gone` : `${name} is another one`;
}
