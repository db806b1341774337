// Computes the frame of an image: everything except the part that a rewrite changes. Two images with the same
// frame differ only in the contents and sizes of files that are found by name. The positions of these files in their
// common area may differ too.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { countChangingBlocks, getSize, type Place } from "./places.ts";

/**
 * The properties of an image, as texts by name. A new image can be made by a rewrite of an earlier one only if their
 * properties are equal. The name for a file is its path, with a leading slash.
 */
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
      // xorriso chooses the position of an empty file, so a rewritten image could differ from a new one. An image with such a file is
      // therefore never rewritten.
      return getSize(place) === 0 ? "empty" : "changing";
  }
}

/**
 * Returns a text that identifies the content of a file. A large file without a given digest is not read: the text then contains its inode,
 * its size and its change time, which no program can set.
 */
function identifyContent({ bytes }: Place): string {
  if (bytes instanceof Uint8Array) return createHash("sha256").update(bytes).digest("hex");
  if (bytes.sha256 !== undefined) return bytes.sha256;
  const { dev, ino, size, ctimeNs } = statSync(bytes.file, { bigint: true });
  return [dev, ino, size, ctimeNs].join(" ");
}

/**
 * Returns why a rewrite cannot turn an image with the frame `before` into one with the frame `now`. Either the frames
 * differ, or a file is empty. Returns `undefined` if it can be rewritten.
 */
export function describeDifference(before: Frame, now: Frame): string | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const name = names.find((each) => before[each] !== now[each]);
  if (name === undefined) return Object.values(now).includes("empty") ? "a file is empty" : undefined;
  if (!name.startsWith("/")) return `the ${name} is another`;
  if (before[name] === undefined) return `${name} is new`;
  return now[name] === undefined ? `${name} is gone` : `${name} is another one`;
}
