// cap.lock has the digests of the imported files that a person has reviewed; an import with another digest is refused.
// For each import, cap.lock also contains an outline of the tools. With the outline, capc can describe a change in
// words, and reviewers of the lock file see the tools.

import { createHash } from "node:crypto";
import { isRecord, type JsonRecord, readJson } from "../../../engine/lib/policy/index.ts";
import { type Result, refuse } from "../../../engine/lib/result/result.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { type Import, MAX_LOCK_BYTES } from "../source/index.ts";
import type { ImportedInterface } from "./imported.ts";
import { createOutline } from "./outline.ts";

/**
 * The reviewed state of an import, as cap.lock contains it. `files` contains the digests of files by path. `interfaces`
 * contains, by name, an outline of each interface: its methods, with their arguments and results.
 */
export interface Pin {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly interfaces: JsonRecord;
}

const VERSION = 1;
const HEAD = "Written by capc check --update-lock. It says which imported files somebody has read.";

/** Returns the pins by the paths of their imports. Fails if the text is not a lock file. */
export function readLock(text: string): Result<ReadonlyMap<string, Pin>> {
  const read = readJson(text, MAX_LOCK_BYTES);
  if (!read.ok) return refuse(`it is not acceptable JSON: ${read.reason}`);
  if (!isRecord(read.value) || read.value["version"] !== VERSION) {
    return refuse(`it is not of version ${VERSION}`);
  }
  const { imports } = read.value;
  if (imports === undefined || !isRecord(imports)) return refuse("it has no `imports`");
  const pins = new Map<string, Pin>();
  for (const [path, value] of Object.entries(imports)) {
    const pin = isRecord(value) ? pinIn(value) : undefined;
    if (pin === undefined) return refuse(`what it says of ${JSON.stringify(path)} is not complete`);
    pins.set(path, pin);
  }
  return { ok: true, value: pins };
}

function pinIn({ what, files, interfaces }: JsonRecord): Pin | undefined {
  if (typeof what !== "string" || files === undefined || !isRecord(files)) return undefined;
  if (interfaces === undefined || !isRecord(interfaces)) return undefined;
  const digests = Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (digests.length !== Object.keys(files).length) return undefined;
  return { what, files: Object.fromEntries(digests), interfaces };
}

/** Returns the pin of the import in its current state. */
export function pinOf(one: Import, interfaces: readonly ImportedInterface[]): Pin {
  const own = interfaces.filter(({ alias, description }) => alias === one.alias.text && description.file === one.path);
  const outlines = own.map(
    (face) => [face.description.name.slice(face.alias.length + 1), createOutline(face)] as const,
  );
  const files = [...one.files].map(([path, text]) => [path, computeDigest(text)] as const);
  return { what: one.what, files: Object.fromEntries(files), interfaces: Object.fromEntries(outlines) };
}

/** Returns whether two pins have the same bytes in the same files. */
export function isSame(left: Pin, right: Pin): boolean {
  const serializeFiles = ({ what, files }: Pin) => JSON.stringify([what, Object.entries(files).sort(compareByName)]);
  return serializeFiles(left) === serializeFiles(right);
}

/** Returns the lock as a file, sorted so that the same imports give the same bytes. */
export function lockText(pins: ReadonlyMap<string, Pin>): string {
  const imports = Object.fromEntries([...pins].sort(compareByName));
  return `${JSON.stringify(sortMembers({ "//": HEAD, version: VERSION, imports }), undefined, 2)}\n`;
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).sort(compareByName);
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

const compareByName = (left: readonly [string, unknown], right: readonly [string, unknown]) =>
  compareCodeUnits(left[0], right[0]);

function computeDigest(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
