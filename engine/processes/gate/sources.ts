// Keeps the sources that the current conversation has received, as an index of digests (engine/lib/provenance). The broker stores the index
// in chunks before the loop receives the words. The index exists only if a rule of the page tests sources.
//
// A stored index must never claim wrongly that it is complete: if words could not be stored, a mark states this, and
// the index is incomplete from then on.
import { createHash, randomBytes } from "node:crypto";
import { type ChosenParameter, type IndexedTables, type Json, readJson, type Sources } from "../../lib/policy/index.ts";
import {
  addPageTexts,
  addResult,
  addWritten,
  asksForSources,
  createStrengthTest,
  readChunk,
  restoreChunk,
  SourceIndex,
  type StrengthTest,
  viewSources,
  writeChunk,
} from "../../lib/provenance/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { SourceChunk } from "../../lib/wire/generated/conversations.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import { Broker, type Piece } from "../../lib/wire/generated/wire.ts";
import type { HeardAnswer } from "./heard.ts";
import { NEIGHBOUR_MS, type Neighbour } from "./ports.ts";

/** Maximum bytes of a line, as in the console. */
const MAX_LINE_BYTES = 4096;
export const MAX_PIECES = 64;
const KEY_BYTES = 32;
/** Maximum bytes that the broker stores in one call. */
const MAX_CHUNK_BYTES = 768 * 1024;
/** Maximum bytes read for one conversation, which is more than the broker stores. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
const LENGTH_BYTES = 4;
/**
 * An empty chunk, which marks the stored index of a conversation's sources as incomplete: some received words are not
 * stored.
 */
const MARK = new Uint8Array(LENGTH_BYTES);
const NOTHING = new Uint8Array();

/** How a person's own call was entered: typed, pasted, or by an action plan, whose text is never a source. */
export type Entry = "typed" | "pasted" | "plan";

interface SourceKeeperParts {
  readonly tables: IndexedTables;
  readonly broker: Neighbour;
}

/** Returns why pieces are not the parts of a line with this SHA-256; `undefined` if they are. */
export function findPieceFault(said: Uint8Array, pieces: readonly Piece[]): string | undefined {
  if (pieces.length > MAX_PIECES) return `a line has at most ${MAX_PIECES} pieces`;
  const line = Buffer.from(pieces.map(({ text }) => text).join(""));
  if (line.length > MAX_LINE_BYTES) return `a line has at most ${MAX_LINE_BYTES} bytes`;
  const digest = createHash("sha256").update(line).digest();
  return digest.equals(said) ? undefined : "the pieces of a line are not the line that was said";
}

/** The words that one conversation has received, and how much of them is recorded. */
export class HeardWords {
  readonly index: SourceIndex;
  readonly key: Uint8Array;
  /** Number of texts in the index that need not be stored: those of the page, and those that are stored already. */
  kept: number;
  /** Number of bytes that the broker stores, as of its last answer. */
  size = 0n;
  /** Whether the stored index is marked as incomplete. */
  isLossKept = false;

  constructor(tables: Pick<IndexedTables, "pageTexts">, key: Uint8Array = randomBytes(KEY_BYTES)) {
    this.key = key;
    this.index = new SourceIndex(Buffer.from(key).toString("latin1"));
    addPageTexts(this.index, tables);
    this.kept = this.index.documents.length;
  }
}

/** The index of a conversation's sources, as the broker stores it. */
interface Kept {
  /** The stored pieces of the index (frames), as a gate wrote them; none if the stored bytes are malformed. */
  readonly frames: readonly Uint8Array[];
  readonly size: bigint;
}

export class SourceKeeper {
  readonly isAsked: boolean;
  readonly #parts: SourceKeeperParts;
  readonly #isStrong: StrengthTest;
  #heard: HeardWords;
  #view: Sources | undefined;
  /** Version of the index from which `#view` was made: its number of texts, and whether it is complete. */
  #viewed = "";
  #last: Promise<boolean> = Promise.resolve(true);

  constructor(parts: SourceKeeperParts) {
    const { tables } = parts;
    this.#parts = parts;
    this.isAsked = asksForSources(tables);
    this.#isStrong = createStrengthTest(tables);
    this.#heard = this.openNew();
  }

  /** Sources for a decision, with everything received so far; `undefined` if no rule tests sources. */
  get view(): Sources | undefined {
    if (!this.isAsked) return undefined;
    const { documents, isComplete } = this.#heard.index;
    const viewed = `${documents.length} ${isComplete}`;
    if (this.#view === undefined || this.#viewed !== viewed) {
      this.#view = viewSources(this.#heard.index, this.#isStrong);
      this.#viewed = viewed;
    }
    return this.#view;
  }

  /** Whether some received words are not stored yet. */
  get isPending(): boolean {
    const { index, kept, isLossKept } = this.#heard;
    return this.isAsked && (index.isComplete ? kept < index.documents.length : !isLossKept);
  }

  /** Adds a line that a person has typed or pasted. */
  hearPieces(pieces: readonly Piece[]): void {
    if (!this.isAsked) return;
    for (const { text, isPasted } of pieces) this.#heard.index.add({ which: isPasted ? "pasted" : "person" }, text);
  }

  /**
   * Adds the values with which a person has begun a task. The condition `from page` accepts typed values, and does not
   * accept pasted ones.
   */
  hearChosen(chosen: readonly ChosenParameter[], entry: Entry): void {
    if (!this.isAsked) return;
    for (const { name, words } of chosen)
      this.#heard.index.add(entry === "typed" ? { which: "parameter", name } : { which: "pasted" }, words);
  }

  /** Adds the arguments of a person's own call, each as a value of its own. */
  hearOwnCall(args: string, entry: Entry): void {
    const read = this.#canHear && entry !== "plan" ? readJson(args) : undefined;
    const texts = read === undefined ? [] : read.ok ? listTexts(read.value) : [args];
    const which = entry === "typed" ? "person" : "pasted";
    for (const text of texts) this.#heard.index.add({ which }, text);
  }

  /** Adds the arguments of a call that may change the data of its service, before it is sent. */
  hearWritten(tool: Tool, args: string): void {
    const read = this.#canHear ? readJson(args) : undefined;
    if (read?.ok === true) addWritten(this.#heard.index, tool.provider, read.value);
  }

  /** Adds the answer of a call, before it is passed on. */
  hearAnswer(tool: Tool, args: string, { value, kind }: HeardAnswer): void {
    const read = this.#canHear ? readJson(args) : undefined;
    if (read?.ok !== true) return;
    const { name, provider: service, result } = tool;
    // A page cannot name an error message as a source. An error message is untrusted, whatever the tool's label is.
    const origin =
      kind === "failed" ? { tool: `${name} (failed)`, integrity: 0 } : { tool: name, integrity: result.high.integrity };
    addResult(this.#heard.index, { ...origin, service, value, arguments: read.value });
  }

  /** Whether further words are indexed. For an incomplete index, indexing further words would take time without changing any decision. */
  get #canHear(): boolean {
    return this.isAsked && this.#heard.index.isComplete;
  }

  /** Returns the sources of a new conversation, which has not received any words yet. */
  openNew(): HeardWords {
    return new HeardWords(this.isAsked ? this.#parts.tables : NO_TEXTS);
  }

  takeUp(heard: HeardWords): void {
    this.#heard = heard;
    this.#view = undefined;
  }

  /** Returns the stored index of a conversation; an incomplete one if it cannot be read. */
  async load(name: string): Promise<HeardWords> {
    if (!this.isAsked) return this.openNew();
    const kept = await this.#read(name);
    if (!kept.ok) return this.#restore([], "unknown");
    const heard = this.#restore(kept.value.frames, "known");
    heard.size = kept.value.size;
    return heard;
  }

  /** Loads the stored index of a conversation, and stores it for a copy of the conversation, too. */
  async copy(name: string, as: string): Promise<HeardWords> {
    if (!this.isAsked) return this.openNew();
    const kept = await this.#read(name);
    const frames = kept.ok ? kept.value.frames : [];
    const heard = this.#restore(frames, "known");
    for (const chunk of groupFrames(frames)) {
      const isAdded = await this.#add(as, heard, chunk);
      if (isAdded) continue;
      heard.index.markIncomplete();
      heard.isLossKept = false;
      break;
    }
    return heard;
  }

  /** Copies the index of the current conversation. If that index is incomplete, so is the copy. */
  async copyNow(name: string, as: string): Promise<HeardWords> {
    const heard = await this.copy(name, as);
    if (!this.#heard.index.isComplete) heard.index.markIncomplete();
    return heard;
  }

  /**
   * Stores all words received so far, or a mark that some are missing. Resolves to false if neither the words nor the
   * mark could be stored. The stored index then claims to be complete, but is not.
   */
  keep(name: string): Promise<boolean> {
    if (!this.isAsked) return ALL_KEPT;
    const heard = this.#heard;
    const kept = this.#last.then(() => this.#keepNow(name, heard));
    this.#last = kept;
    return kept;
  }

  async #keepNow(name: string, heard: HeardWords): Promise<boolean> {
    const { index, key, kept, size } = heard;
    if (!index.isComplete) return this.#keepLoss(name, heard);
    const documents = index.documents.length;
    if (kept === documents && size > 0n) return true;
    const chunk = buildFrame(writeChunk(index, kept, size === 0n ? key : NOTHING));
    const isAdded = chunk.length <= MAX_CHUNK_BYTES && (await this.#add(name, heard, chunk));
    if (isAdded) {
      heard.kept = documents;
      return true;
    }
    index.markIncomplete();
    return this.#keepLoss(name, heard);
  }

  /**
   * Stores a mark that words are missing. If nothing is stored yet, no mark is needed, because a stored index without
   * its first chunk counts as incomplete.
   */
  async #keepLoss(name: string, heard: HeardWords): Promise<boolean> {
    if (heard.isLossKept) return true;
    const params = { conversation: name, from: heard.size };
    const reply = await this.#parts.broker.call(Broker.methods.keptSources, params, { timeoutMs: NEIGHBOUR_MS });
    if (!reply.ok) return false;
    heard.size = reply.value.size;
    heard.isLossKept = heard.size === 0n || (await this.#add(name, heard, MARK));
    return heard.isLossKept;
  }

  async #add(name: string, heard: HeardWords, chunk: Uint8Array): Promise<boolean> {
    const params = { conversation: name, after: heard.size, chunk };
    const reply = await this.#parts.broker.call(Broker.methods.keepSources, params, { timeoutMs: NEIGHBOUR_MS });
    if (reply.ok) heard.size = reply.value.size;
    return reply.ok;
  }

  async #read(name: string): Promise<Result<Kept>> {
    const parts: Uint8Array[] = [];
    let from = 0n;
    for (;;) {
      const params = { conversation: name, from };
      const reply = await this.#parts.broker.call(Broker.methods.keptSources, params, { timeoutMs: NEIGHBOUR_MS });
      if (!reply.ok) return refuse(reply.reason);
      const { chunk, size } = reply.value;
      parts.push(chunk);
      from += BigInt(chunk.length);
      if (from >= size) return accept({ frames: readFrames(Buffer.concat(parts)), size });
      if (chunk.length === 0 || from > MAX_KEPT_BYTES) return refuse("the broker does not tell all that it keeps");
    }
  }

  /**
   * Restores the index from these frames. If the frames have a fault, `loss` states whether the stored index already
   * shows this.
   */
  #restore(frames: readonly Uint8Array[], loss: "known" | "unknown"): HeardWords {
    const chunks = readChunks(frames);
    const heard = new HeardWords(this.#parts.tables, chunks[0]?.key);
    for (const chunk of chunks) restoreChunk(heard.index, chunk);
    heard.kept = heard.index.documents.length;
    if (chunks.length === 0 || chunks.length < frames.length) {
      heard.index.markIncomplete();
      heard.isLossKept = loss === "known";
    }
    return heard;
  }
}

const ALL_KEPT = Promise.resolve(true);
const NO_TEXTS = { pageTexts: [] };

function listTexts(value: Json): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

function buildFrame(body: Uint8Array): Uint8Array {
  const head = Buffer.alloc(LENGTH_BYTES);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

/** Splits bytes into frames, each of which follows its length; returns none if the last frame is cut. */
function readFrames(bytes: Buffer): readonly Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + LENGTH_BYTES > bytes.length ? Infinity : at + LENGTH_BYTES + bytes.readUInt32LE(at);
    if (end > bytes.length) return [];
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  return frames;
}

/**
 * Returns the chunks up to the first fault; a mark counts as a fault. Only the first chunk has a key, that of the
 * index.
 */
function readChunks(frames: readonly Uint8Array[]): readonly SourceChunk[] {
  const chunks: SourceChunk[] = [];
  for (const frame of frames) {
    const chunk = readChunk(frame.subarray(LENGTH_BYTES));
    const keyBytes = chunks.length === 0 ? KEY_BYTES : 0;
    if (!chunk.ok || chunk.value.key.length !== keyBytes) break;
    chunks.push(chunk.value);
  }
  return chunks;
}

/** Joins whole frames into chunks that the broker stores in one call each, as few as possible. */
function groupFrames(frames: readonly Uint8Array[]): readonly Uint8Array[] {
  const groups: Uint8Array[][] = [];
  let room = 0;
  for (const frame of frames) {
    if (frame.length > room) {
      groups.push([]);
      room = MAX_CHUNK_BYTES;
    }
    groups.at(-1)?.push(frame);
    room -= frame.length;
  }
  return groups.map((group) => Buffer.concat(group));
}
