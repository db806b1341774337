// An operator's program: one JavaScript module whose default export has a function for each method. It runs unchanged in the jail of this
// process. Its arguments and results are checked here against its interface.

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

/** The context that a function gets in addition to its arguments. */
export interface FunctionContext {
  /** Directory for the service's data; absent if the page grants none. */
  readonly directory: string | undefined;
  /** Most bytes of all files in the directory; 0 without a directory. */
  readonly stateBytes: number;
  /** Fires when the call is cancelled. */
  readonly signal: AbortSignal;
  /** The services that the page grants, by name, as in `held.notes.read({ path })`. */
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

/** Returns the methods by ordinal. Fails with the reason if the module does not serve this interface. */
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

/** Imports a module from a data: URL. The module can import only Node's own modules, and no module whose path must be resolved. */
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
 * Returns the result of one call as canonical JSON: an object that fits the interface, or a text if the answer does not fit. Fails if the
 * arguments do not fit, or if the program throws.
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
    // Parse the text again, to give the program ordinary objects that share no data with this code.
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

/** Most bytes of an answer's text as JSON. The gate accepts twice as much, and shows less of it to a model. */
const MAX_UNFIT_BYTES = 256 * 1024;
/** Most bytes that one UTF-16 unit takes in JSON. */
const BYTES_ESCAPED = 6;

/** An answer that does not fit the interface of its method. It is returned as text, because the method has already run. */
export class UnfitAnswer {
  readonly #text: string;
  readonly #reason: string;

  constructor(text: string, reason: string) {
    this.#text = text;
    this.#reason = reason;
  }

  /**
   * Returns the answer as a JSON text. No interface has a text as its result, so the reader recognizes the answer by its type. The note
   * comes first, so that a later cut does not remove it.
   */
  renderAnswer({ readOnly }: Pick<ServiceMethod, "readOnly">): string {
    const again = readOnly ? "" : "; do not call it again for that";
    const note = `[it ran, and its answer does not fit its interface${again}: ${shortenNote(this.#reason)}]`;
    return JSON.stringify([note, shortenText(this.#text)].filter((part) => part !== "").join("\n"));
  }
}

/** An answer that fits the interface of its method, with a text that has no field there. */
export class AccompaniedAnswer {
  readonly #record: JsonRecord;
  readonly #text: string;

  constructor(record: JsonRecord, text: string) {
    this.#record = record;
    this.#text = text;
  }

  /** Returns a list of the record and the text, which `readAccompanied` parses. */
  renderAnswer(): string {
    return renderCanonicalJson([this.#record, shortenText(this.#text)]);
  }
}

/** Returns the text as well-formed Unicode; a long text is cut to the size of an answer, with a note. */
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

/** Returns an error's message on one line; it reaches the model as a tool's error, in the program's own wording. */
function describeError(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/\s+/g, " ");
}
