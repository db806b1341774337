// Reads an answer as it arrives: text is passed on at once, calls are held back until the answer is complete. This module enforces
// all bounds of an answer.

import { randomUUID } from "node:crypto";
import type { ToolCall } from "../../../lib/wire/generated/capos.ts";
import { NO_CALL, splitIntoChunks } from "../chunks.ts";
import type { Permit } from "../permits.ts";
import type { AnswerResult, Pieces } from "../pieces.ts";
import { Calls } from "./calls.ts";
import type { DialectEvent, Reader } from "./dialect.ts";
import { MOST_LINE_BYTES, MOST_TEXT } from "./limits.ts";
import { Lines } from "./lines.ts";
import type { Names } from "./names.ts";

/** A rough count until the provider reports its own: four bytes a token, as is usual for English. */
const BYTES_PER_TOKEN = 4;

/** Bytes as they arrive; the return value says why they are incomplete, or is `undefined`. */
export type Bytes = AsyncGenerator<Uint8Array, string | undefined, undefined>;

interface Listening {
  readonly read: Reader;
  readonly names: Names;
  readonly permit: Pick<Permit, "output" | "counted">;
}

export async function* readPieces(bytes: Bytes, { read, names, permit }: Listening): Pieces {
  const answer = new Gathered(names);
  const characters = new WholeCharacters();
  try {
    for await (const one of readSaid(bytes, read)) {
      const said = one.kind === "text" ? { ...one, text: characters.take(one.text) } : one;
      const fault = answer.take(said);
      if (fault !== undefined) return answer.failWith(fault);
      // The provider bills by its own count of tokens, so its final count is charged, unless the worker's count is
      // higher.
      if (said.kind === "usage" && answer.isFinished) permit.counted(said);
      const weight = computeWeight(said);
      // If the tokens are used up, the permit ends, and `permit.cut()` returns the failure that the loop gets.
      if (weight > 0 && !permit.output(Math.ceil(weight / BYTES_PER_TOKEN)))
        return answer.failWith("its tokens are used up");
      if (said.kind === "text" && said.text !== "") yield { textDelta: said.text, toolCallDelta: NO_CALL };
    }
  } finally {
    await bytes.return(undefined);
  }
  const ended = answer.finishAnswer();
  if (ended.fault === undefined) yield* splitIntoChunks({ text: "", calls: ended.calls, pausesUntilCancelled: false });
  return ended;
}

/** Yields the events of an answer and ignores everything after its end. An answer without an end is incomplete. */
async function* readSaid(bytes: Bytes, read: Reader): AsyncGenerator<DialectEvent, undefined, undefined> {
  const lines = new Lines(MOST_LINE_BYTES);
  for (;;) {
    const next = await bytes.next();
    if (next.done === true && next.value !== undefined) {
      yield { kind: "fault", why: next.value };
      return;
    }
    const whole = next.done === true ? takeLast(lines) : lines.take(next.value);
    if (!whole.ok) {
      yield { kind: "fault", why: whole.reason };
      return;
    }
    for (const line of whole.value) {
      for (const said of read(line)) {
        if (said.kind === "end") return;
        yield said;
      }
    }
    if (next.done === true) return;
  }
}

/** Returns the last lines: one that may lack its line feed, and an empty one, which ends an unfinished event. */
function takeLast(lines: Lines) {
  const rest = lines.takeRest();
  return rest.ok ? { ok: true as const, value: [rest.value, ""] } : rest;
}

/**
 * Returns text in whole characters, because a provider may cut between the two surrogates of one. A lone surrogate is replaced, or
 * left out at the end.
 */
class WholeCharacters {
  #half = "";

  take(text: string): string {
    const whole = this.#half + text;
    const isCut = /[\ud800-\udbff]$/.test(whole);
    this.#half = isCut ? whole.slice(-1) : "";
    return (isCut ? whole.slice(0, -1) : whole).toWellFormed();
  }
}

function computeWeight(said: DialectEvent): number {
  if (said.kind === "text") return Buffer.byteLength(said.text);
  return said.kind === "call" ? Buffer.byteLength(said.name) + Buffer.byteLength(said.arguments) : 0;
}

class Gathered {
  readonly #names: Names;
  readonly #calls: Calls;
  #text = "";
  #finish: "stop" | "length" | undefined;

  constructor(names: Names) {
    this.#names = names;
    this.#calls = new Calls((name) => names.isTheirs(name));
  }

  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  /** Processes an event of the answer. Returns why the answer is invalid, or `undefined` if it is not. */
  take(said: DialectEvent): string | undefined {
    switch (said.kind) {
      case "text":
        this.#text += said.text;
        return this.#text.length > MOST_TEXT ? `it says more than ${MOST_TEXT} characters` : undefined;
      case "call":
        return this.#calls.take(said);
      case "finish":
        this.#finish = said.reason;
        return undefined;
      case "fault":
        return said.why;
      case "usage":
      case "end":
        return undefined;
    }
  }

  /** Returns the failed answer. Its reason is a text for a person, and begins with `the model's provider`. */
  failWith(fault: string): AnswerResult {
    return { text: this.#text, calls: [], fault: `the model's provider: ${fault}` };
  }

  finishAnswer(): AnswerResult {
    if (this.#finish === undefined) return this.failWith("the answer breaks off");
    const isCut = this.#finish === "length";
    if (isCut && this.#calls.size > 0) return this.failWith("a call was cut off before it was whole");
    const calls = this.#calls.all;
    if (calls.some(({ name }) => name === "")) return this.failWith("it makes a call and does not say of what");
    return { text: this.#text, calls: calls.map((call) => this.#called(call)), isCut };
  }

  /**
   * Returns a call with an id of our own, because the provider's id may be missing or repeated. Absent arguments become
   * an empty object.
   */
  #called({ name, arguments: json }: { readonly name: string; readonly arguments: string }): ToolCall {
    return {
      id: randomUUID(),
      name: this.#names.translateToOurs(name),
      arguments: json.trim() === "" ? "{}" : json.toWellFormed(),
    };
  }
}
