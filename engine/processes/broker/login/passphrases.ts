// Verifiers of passphrases on the data disk: for each a salt and the public key that argon2id derives from passphrase and salt. Neither
// the passphrase nor the derived secret is stored. A reader of the file can try passphrases against it; a person who can write the
// file can set a passphrase. If these are risks, the page must encrypt the disk.

import { isList, isRecord, type Json, readJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Disk } from "../disk/disk.ts";
import { seal, unseal } from "../disk/sealed.ts";
import { type PublicKey, readPublicKey } from "../sshsig/index.ts";
import type { World } from "../world.ts";
import { Attempts, MAX_REFUSED } from "./attempts.ts";

const FILE = "passphrases";
const VERSION = 1;
/** Maximum number of verifiers of one file; a page has fewer people. */
const MAX_VERIFIERS = 1024;
export const SALT_BYTES = 16;

export interface Verifier {
  readonly salt: Uint8Array;
  /** Public key as OpenSSH writes it, without comment. */
  readonly line: string;
  readonly key: PublicKey;
}

interface Known extends Verifier {
  readonly attempts: Attempts;
}

export class Passphrases {
  readonly #disk: Disk;
  readonly #world: World;
  readonly #known: Map<string, Known>;

  private constructor(disk: Disk, world: World, known: Map<string, Known>) {
    this.#disk = disk;
    this.#world = world;
    this.#known = known;
  }

  /**
   * Loads the verifiers of all passphrases. Fails if the file was changed: without its verifiers, the next person could
   * set a new passphrase.
   */
  static open(world: World, disk: Disk | undefined): Result<Passphrases> {
    if (disk === undefined) return refuse("there is no data disk to keep passphrases on");
    const written = readKnown(disk, world);
    return written.ok ? accept(new Passphrases(disk, world, written.value)) : written;
  }

  /** Returns the verifier of a name, or `undefined` if no passphrase was set yet. */
  findVerifier(name: string): Verifier | undefined {
    return this.#known.get(name);
  }

  /** Returns why passphrases of this name are refused now, or `undefined` if they are not. */
  findRefusal(name: string): string | undefined {
    return this.#known.get(name)?.attempts.refusal;
  }

  /**
   * Records a refusal before a passphrase is verified, so that a power cut does not give a free guess. Returns why the disk failed, or
   * `undefined`.
   */
  recordAttempt(name: string): string | undefined {
    this.#known.get(name)?.attempts.recordRefusal();
    return this.#save();
  }

  /**
   * Records that the passphrase was right. If the disk fails here, this attempt counts again after a restart, although
   * the passphrase was right.
   */
  clear(name: string): void {
    this.#known.get(name)?.attempts.clear();
    this.#save();
  }

  /**
   * Sets a passphrase. Returns `undefined` once the passphrase is on the disk. Otherwise returns the reason, and the
   * previous passphrase remains valid.
   */
  choose(name: string, verifier: Verifier): string | undefined {
    const before = this.#known.get(name);
    if (before === undefined && this.#known.size >= MAX_VERIFIERS) return "the data disk keeps no more passphrases";
    this.#known.set(name, { ...verifier, attempts: new Attempts(this.#world) });
    const failure = this.#save();
    if (failure === undefined) return undefined;
    if (before === undefined) this.#known.delete(name);
    else this.#known.set(name, before);
    return failure;
  }

  #save(): string | undefined {
    const verifiers = [...this.#known].map(([name, { salt, line, attempts }]) => {
      return { name, salt: Buffer.from(salt).toString("hex"), key: line, refused: attempts.count };
    });
    try {
      this.#disk.replace(FILE, seal(Buffer.from(JSON.stringify({ version: VERSION, verifiers }))));
      return undefined;
    } catch (error) {
      return `it cannot be written down on the data disk: ${error instanceof Error ? error.message : "it failed"}`;
    }
  }
}

function readKnown(disk: Disk, world: World): Result<Map<string, Known>> {
  try {
    const file = disk.read(FILE);
    if (file === undefined) return accept(new Map());
    const body = unseal(file);
    const known = body.ok ? parseKnown(Buffer.from(body.value).toString("utf8"), world) : body;
    return known.ok ? known : refuse(`the passphrases are damaged on the data disk: ${known.reason}`);
  } catch (error) {
    return refuse(
      `the passphrases cannot be read from the data disk: ${error instanceof Error ? error.message : "it failed"}`,
    );
  }
}

/** Parses text of any form. Fails if the text is not a list of verifiers; never throws. */
export function parseKnown(text: string, world: World): Result<Map<string, Known>> {
  const read = readJson(text);
  if (!read.ok) return read;
  const { value } = read;
  if (!isRecord(value) || value["version"] !== VERSION) return refuse("it has another version");
  const verifiers = value["verifiers"] ?? null;
  if (!isList(verifiers) || verifiers.length > MAX_VERIFIERS) return refuse("it has no list of verifiers");
  const known = new Map<string, Known>();
  for (const one of verifiers) {
    const entry = parseVerifier(one ?? null, world);
    if (!entry.ok) return entry;
    const [name, verifier] = entry.value;
    if (known.has(name)) return refuse("two verifiers have one name");
    known.set(name, verifier);
  }
  return accept(known);
}

function parseVerifier(entry: Json, world: World): Result<readonly [string, Known]> {
  if (!isRecord(entry)) return refuse("a verifier is no object");
  const { name, salt, key: line, refused } = entry;
  const isCounted = typeof refused === "number" && Number.isInteger(refused) && refused >= 0 && refused <= MAX_REFUSED;
  if (typeof name !== "string" || typeof salt !== "string" || typeof line !== "string" || !isCounted) {
    return refuse("a verifier has other fields");
  }
  if (!/^(?:[0-9a-f]{2}){16,64}$/.test(salt)) return refuse("a salt is not 16 to 64 bytes");
  const key = readPublicKey(line);
  if (!key.ok) return key;
  const attempts = new Attempts(world, refused);
  return accept([name, { salt: Buffer.from(salt, "hex"), line, key: key.value, attempts }]);
}
