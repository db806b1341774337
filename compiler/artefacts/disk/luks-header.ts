// Parses and validates the text of a LUKS2 header. The limits, and the reasons for them, are the same as in
// `engine/image/init/src/luks/judge.rs`.

import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";

const CIPHER = "aes-xts-plain64";
const ALIGNMENT = 4096;
const AREA_BYTES = 4000 * 64;
const MOST_KIBIBYTES = 256 * 1024;
const MOST_WORK = 4 * 1024 * 1024;
const MOST_LANES = 16;
const MOST_SLOTS = 8;
const [LEAST_ROUNDS, MOST_ROUNDS] = [1000, 2_000_000];

export interface LuksSlot {
  readonly kibibytes: number;
  readonly passes: number;
  readonly lanes: number;
  readonly salt: Buffer;
  /** Offset in bytes of the keyslot's stripes. */
  readonly area: number;
}

export interface LuksHeader {
  /** The keyslots, in the order in which a passphrase is tried on them. */
  readonly slots: readonly LuksSlot[];
  /** Offset in bytes of the data, which extends to the end of the partition. */
  readonly dataAt: number;
  /** Size in bytes of one encryption sector: 512 or 4096. */
  readonly sector: number;
  /** PBKDF2 digest of the volume key. A passphrase is correct if the key that it unlocks has this digest. */
  readonly proof: { readonly salt: Buffer; readonly rounds: number; readonly digest: Buffer };
}

/**
 * Validates the text of a header. `headerBytes` is the size of one copy of the header, and `size` is the size of the partition. Fails with
 * the reason if the header is not accepted.
 */
export function judgeHeader(text: string, headerBytes: number, size: number): Result<LuksHeader> {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return refuse("it is not JSON");
  }
  const segments = getEntries(root, "segments");
  const [name, segment] = segments[0] ?? [];
  if (segments.length !== 1 || name !== "0") return refuse("it has not exactly one segment");
  if (Object.keys(record(getNested(root, "config", "requirements"))).length > 0)
    return refuse("it requires what is not known here");
  const isKnown = getNested(segment, "type") === "crypt" && getNested(segment, "encryption") === CIPHER;
  if (!isKnown || getNested(segment, "integrity") !== undefined) return refuse(`its cipher is not ${CIPHER}`);
  if (getNested(segment, "size") !== "dynamic" || getNested(segment, "iv_tweak") !== "0")
    return refuse("its segment is not one of ours");
  const [dataAt, sector] = [parseDecimal(getNested(segment, "offset")), number(getNested(segment, "sector_size"))];
  const isPlaced = dataAt % ALIGNMENT === 0 && dataAt < size && (size - dataAt) % sector === 0;
  if ((sector !== 512 && sector !== 4096) || !isPlaced) return refuse("its segment does not lie in the partition");
  const speaking = getEntries(root, "digests").filter(([, digest]) =>
    list(getNested(digest, "segments")).includes("0"),
  );
  const [[, digest] = []] = speaking;
  const proof = speaking.length === 1 ? parseProof(digest) : undefined;
  if (proof === undefined) return refuse("it has not exactly one digest that can be checked");
  const bound = list(getNested(digest, "keyslots"));
  const slots = parseSlots(root, bound, 2 * headerBytes, dataAt);
  if (slots.length === 0)
    return refuse("it has no keyslot of argon2id, AES-256 and SHA-256 that costs what can be afforded");
  return slots.length > MOST_SLOTS ? refuse("it has more than 8 keyslots") : accept({ slots, dataAt, sector, proof });
}

function parseProof(digest: unknown): LuksHeader["proof"] | undefined {
  const [salt, value] = [decodeBytes(getNested(digest, "salt")), decodeBytes(getNested(digest, "digest"))];
  const rounds = number(getNested(digest, "iterations"));
  const isKnown =
    getNested(digest, "type") === "pbkdf2" && getNested(digest, "hash") === "sha256" && value.length === 32;
  return isKnown && rounds >= LEAST_ROUNDS && rounds <= MOST_ROUNDS ? { salt, rounds, digest: value } : undefined;
}

function parseSlots(root: unknown, bound: readonly unknown[], from: number, to: number): readonly LuksSlot[] {
  return getEntries(root, "keyslots")
    .filter(([name, slot]) => bound.includes(name) && readPriority(slot) > 0)
    .sort(([one, a], [other, b]) => readPriority(b) - readPriority(a) || Number(one) - Number(other))
    .flatMap(([, slot]) => parseSlot(slot, from, to) ?? []);
}

function readPriority(slot: unknown): number {
  const given = getNested(slot, "priority");
  return given === undefined ? 1 : number(given);
}

function parseSlot(slot: unknown, from: number, to: number): LuksSlot | undefined {
  const [area, spread, kdf] = [getNested(slot, "area"), getNested(slot, "af"), getNested(slot, "kdf")];
  const words = [
    getNested(slot, "type"),
    getNested(spread, "type"),
    getNested(spread, "hash"),
    getNested(area, "type"),
    getNested(area, "encryption"),
  ];
  const sizes = [getNested(slot, "key_size"), getNested(area, "key_size"), getNested(spread, "stripes")];
  const isKnown =
    [...words, getNested(kdf, "type")].join() === `luks2,luks1,sha256,raw,${CIPHER},argon2id` &&
    sizes.join() === "64,64,4000";
  const [offset, size] = [parseDecimal(getNested(area, "offset")), parseDecimal(getNested(area, "size"))];
  const isPlaced = offset >= from && size >= AREA_BYTES && offset + size <= to;
  const [kibibytes, passes, lanes] = [
    number(getNested(kdf, "memory")),
    number(getNested(kdf, "time")),
    number(getNested(kdf, "cpus")),
  ];
  const isBounded = kibibytes <= MOST_KIBIBYTES && kibibytes * passes <= MOST_WORK && lanes <= MOST_LANES;
  const salt = decodeBytes(getNested(kdf, "salt"));
  const isCost = passes >= 1 && lanes >= 1 && kibibytes >= 8 * lanes && salt.length >= 8 && salt.length <= 64;
  return isKnown && isPlaced && isBounded && isCost ? { kibibytes, passes, lanes, salt, area: offset } : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function getNested(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((inner, name) => (Object.hasOwn(record(inner), name) ? record(inner)[name] : undefined), value);
}

function getEntries(value: unknown, name: string): readonly (readonly [string, unknown])[] {
  return Object.entries(record(getNested(value, name)));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is an integer from 0 to 2^32 - 1, otherwise NaN, which fails every comparison. */
function number(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 32 ? value : Number.NaN;
}

function parseDecimal(value: unknown): number {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
}

function decodeBytes(value: unknown): Buffer {
  return typeof value === "string" ? Buffer.from(value, "base64") : Buffer.alloc(0);
}
