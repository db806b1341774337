// Assembles pieces of calls into whole calls. Providers of one dialect identify the call of a piece differently: by an index, an id, the
// name, or only by position. Some providers repeat the name in each piece, and some give all calls the index 0.

import type { DialectEvent } from "./dialect.ts";
import { MOST_ARGUMENTS, MOST_CALLS, MOST_NAME } from "./limits.ts";

type CallPiece = Extract<DialectEvent, { readonly kind: "call" }>;

/** The part of a call that has arrived so far. */
class Begun {
  readonly index: number | undefined;
  readonly id: string;
  name = "";
  arguments = "";
  readonly #end = new EndOfObject();

  constructor({ index, id }: CallPiece) {
    this.index = index;
    this.id = id;
  }

  /** Returns whether the call's arguments are a complete object, so that no further piece can belong to it. */
  get isWhole(): boolean {
    return this.#end.isReached;
  }

  add({ name, arguments: json }: CallPiece, isOffered: (name: string) => boolean): void {
    this.name = joinName(this.name, name, isOffered);
    this.arguments += json;
    this.#end.pass(json);
  }
}

export class Calls {
  readonly #isOffered: (name: string) => boolean;
  readonly #calls: Begun[] = [];
  #argumentCharacters = 0;

  /** `isOffered` tests whether a name was offered to the provider. */
  constructor(isOffered: (name: string) => boolean) {
    this.#isOffered = isOffered;
  }

  get size(): number {
    return this.#calls.length;
  }

  /** Returns the calls in the order in which they began. */
  get all(): readonly { readonly name: string; readonly arguments: string }[] {
    return this.#calls;
  }

  /** Adds a piece to its call, or begins a call with it. Returns why the answer is invalid, or `undefined`. */
  take(piece: CallPiece): string | undefined {
    const known = this.#callOf(piece);
    if (known === undefined && piece.index === undefined && piece.name === "") {
      return "it sends a piece of a call and does not say of which";
    }
    if (known === undefined && this.#calls.length === MOST_CALLS) return `it makes more than ${MOST_CALLS} calls`;
    this.#argumentCharacters += piece.arguments.length;
    if (piece.name.length > MOST_NAME || this.#argumentCharacters > MOST_ARGUMENTS) return TOO_LONG;
    const call = known ?? new Begun(piece);
    if (known === undefined) this.#calls.push(call);
    call.add(piece, this.#isOffered);
    return call.name.length > MOST_NAME ? TOO_LONG : undefined;
  }

  /** Returns the call to which a piece belongs; `undefined` if the piece begins a new call. */
  #callOf(piece: CallPiece): Begun | undefined {
    const { index, id, name } = piece;
    const sameId =
      id === "" ? undefined : this.#calls.findLast((call) => call.id === id && (index ?? call.index) === call.index);
    if (sameId !== undefined) return sameId;
    const last = index === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    if (last === undefined || name === "") return last;
    return this.#isAnother(last, piece) ? undefined : last;
  }

  /**
   * Returns whether a piece with a name begins a new call. Otherwise it continues the call `last`, for example because
   * the provider sends the name in parts or repeats it.
   */
  #isAnother(last: Begun, { index, id, name, arguments: json }: CallPiece): boolean {
    const hasOtherId = id !== "" && last.id !== "";
    if (last.name !== name) return hasOtherId || last.isWhole || (index === undefined && this.#isOffered(last.name));
    // A piece with the same name can begin a second call in two cases: the arguments of the last call are complete, or
    // neither the last call nor the piece has arguments.
    if (last.isWhole) return hasOtherId || json !== "";
    return last.arguments === "" && json === "" && (hasOtherId || index === undefined);
  }
}

const TOO_LONG = "it makes a call that is too long";

/** Returns a name with its next piece. Some providers repeat the whole name, or its beginning, in each piece. */
function joinName(before: string, piece: string, isOffered: (name: string) => boolean): string {
  const joined = before + piece;
  const isAgain = piece.startsWith(before);
  return isAgain && !isOffered(joined) ? piece : joined;
}

/** Follows a JSON text and detects the end of the object that it begins with, in time linear in the text. */
class EndOfObject {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  isReached = false;

  pass(json: string): void {
    for (const character of json) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInText) this.#passInText(character);
      else if (character === '"') this.#isInText = true;
      else if (character === "{" || character === "[") this.#depth += 1;
      else if (character === "}" || character === "]") {
        this.#depth -= 1;
        this.isReached ||= this.#depth === 0;
      }
    }
  }

  #passInText(character: string): void {
    if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#isInText = false;
  }
}
