// An operator's program: one JavaScript module whose default export has a function for each method. The program runs unchanged in the
// jail of this process; its arguments and results are checked here against the shapes of its interface.

import { checkRecord } from "../../../lib/policy/arguments.ts";
import {
  canonicalizeArguments,
  isRecord,
  type JsonRecord,
  readJson,
  renderCanonicalJson,
} from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { ServiceMethod, ServiceMethods } from "../../../lib/wire/generated/service.ts";
import type { Held } from "./held.ts";

/** The context that a function gets besides its arguments. */
export interface FunctionContext {
  /** The directory of the service's state; absent if the page gives it none. */
  readonly directory: string | undefined;
  /** Maximum bytes of all files of the service together; 0 without state. */
  readonly stateBytes: number;
  /** Fires when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** The services that the page grants, by name: `held.notes.read({ path })`. */
  readonly held: Held;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly now: () => number;
}

type Callable = (args: unknown, surroundings: FunctionContext) => unknown;

/** A method with the function that implements it. */
export interface OwnMethod {
  readonly method: ServiceMethod;
  readonly answer: Callable;
}

/** Returns the methods by ordinal, or why the module does not serve this interface. */
export async function loadProgram(
  source: Uint8Array,
  methods: ServiceMethods,
): Promise<Result<ReadonlyMap<number, OwnMethod>>> {
  const loaded = await importModule(source);
  if (!loaded.ok) return loaded;
  const { default: exported } = loaded.value;
  if (typeof exported !== "object" || exported === null) return refuse("it has no default export with functions");
  const named: ReadonlyMap<string, unknown> = new Map(Object.entries(exported));
  const found = new Map<number, OwnMethod>();
  for (const method of methods.methods) {
    const answer = named.get(method.name);
    if (!isCallable(answer)) return refuse(`it has no function \`${method.name}\``);
    found.set(method.ordinal, { method, answer });
  }
  return accept(found);
}

/** Imports a module from a data: URL. The module can import only Node's own modules, and nothing that needs resolution. */
async function importModule(source: Uint8Array): Promise<Result<{ readonly default?: unknown }>> {
  const address = `data:text/javascript;base64,${Buffer.from(source).toString("base64")}`;
  try {
    return accept(await import(address));
  } catch (error) {
    return refuse(`it cannot be loaded: ${shortenNote(describeError(error))}`);
  }
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

/**
 * Returns the result of one call as JSON: an object that fits the interface, or a list of such an object and a text. If
 * the program's answer does not fit, returns it as a text. Fails if the arguments do not fit, or if the program throws.
 */
export async function answerOwn(
  { method, answer }: OwnMethod,
  json: string,
  surroundings: FunctionContext,
): Promise<Result<string>> {
  const args = canonicalizeArguments(json);
  if (!args.ok) return args;
  const misfit = checkRecord(method.params, args.value.value);
  if (misfit !== undefined) return refuse(misfit);
  try {
    // Parse the JSON again, to give the program ordinary objects that share nothing with this code.
    return accept(renderResult(method, await answer(JSON.parse(args.value.text), surroundings)));
  } catch (error) {
    return refuse(`the program failed: ${describeError(error)}`);
  }
}

function renderResult(method: ServiceMethod, result: unknown): string {
  if (result instanceof UnfitAnswer) return result.renderAnswer(method);
  if (result instanceof AccompaniedAnswer) return result.renderAnswer();
  const written = encodeJson(result ?? {});
  const read = written.ok ? readJson(written.value) : written;
  if (!read.ok) return new UnfitAnswer(written.ok ? written.value : "", read.reason).renderAnswer(method);
  const misfit = isRecord(read.value) ? checkRecord(method.results, read.value, "", "result") : "it is not an object";
  const told = renderCanonicalJson(read.value);
  return misfit === undefined
    ? told
    : new UnfitAnswer(typeof read.value === "string" ? read.value : told, misfit).renderAnswer(method);
}

function encodeJson(result: unknown): Result<string> {
  try {
    const text = JSON.stringify(result);
    return text === undefined ? refuse("it is not JSON") : accept(text);
  } catch (error) {
    return refuse(describeError(error));
  }
}

/** Maximum bytes of an answer's text as JSON; the gate accepts twice as much, and shows a model less. */
const MAX_UNFIT_BYTES = 256 * 1024;
/** Maximum bytes that one character of a text takes in JSON. */
const BYTES_ESCAPED = 6;

/** An answer that does not fit the interface of its method. The answer is returned as text, because the method has run already. */
export class UnfitAnswer {
  readonly #text: string;
  readonly #reason: string;

  constructor(text: string, reason: string) {
    this.#text = text;
    this.#reason = reason;
  }

  /**
   * Returns the answer as a JSON text. No interface has a text as its result, so a reader of the text knows that the
   * answer does not fit. The note comes first, so that no later cut removes it.
   */
  renderAnswer({ readOnly }: Pick<ServiceMethod, "readOnly">): string {
    const again = readOnly ? "" : "; do not call it again for that";
    const note = `[it ran, and its answer does not fit its interface${again}: ${shortenNote(this.#reason)}]`;
    return JSON.stringify([note, shortenText(this.#text)].filter((part) => part !== "").join("\n"));
  }
}

/** An answer that fits the interface of its method, with an additional text for which the interface has no field. */
export class AccompaniedAnswer {
  readonly #record: JsonRecord;
  readonly #text: string;

  constructor(record: JsonRecord, text: string) {
    this.#record = record;
    this.#text = text;
  }

  /** Returns a list of the record and the text, in the form for `readAccompanied`. */
  renderAnswer(): string {
    return renderCanonicalJson([this.#record, shortenText(this.#text)]);
  }
}

/** Returns the text as well-formed Unicode; a long one is cut to what fits into an answer, with a note. */
export function shortenText(words: string): string {
  const text = words.toWellFormed();
  if (Buffer.byteLength(JSON.stringify(text)) <= MAX_UNFIT_BYTES) return text;
  const kept = text.slice(0, MAX_UNFIT_BYTES / BYTES_ESCAPED).toWellFormed();
  return `${kept} [cut: ${Buffer.byteLength(text) - Buffer.byteLength(kept)} more bytes]`;
}

const MAX_BRIEF = 200;

/** Shortens a text for a note or a log. */
function shortenNote(words: string): string {
  const more = words.length - MAX_BRIEF;
  return more > 0 ? `${words.slice(0, MAX_BRIEF).toWellFormed()} [cut: ${more} more]` : words.toWellFormed();
}

/**
 * Returns the message of an error in one line. The model receives the message as the error of the tool, in the
 * program's own words.
 */
function describeError(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/\s+/g, " ");
}
