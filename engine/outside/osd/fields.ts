// Reads the fields of JSON objects, and notes faults. A wrong field gives a default value, which is never used: callers discard
// all values if there is a fault.

import { findUnknownName, isRecord, type Json, type JsonRecord } from "../../lib/policy/index.ts";
import type { RequestCode } from "./answer.ts";

/** Maximum number of faults in an answer, because a request may have thousands. */
const MOST_TOLD = 8;

export class Faults {
  readonly #told: string[] = [];
  #code: RequestCode | undefined;

  note(at: string, what: string, code: RequestCode = "validation_failed"): void {
    this.#code ??= code;
    if (this.#told.length < MOST_TOLD) this.#told.push(`${at} ${what}`);
  }

  /** Code of the first fault and the messages of the first eight; `undefined` without a fault. */
  get all(): { readonly code: RequestCode; readonly message: string } | undefined {
    return this.#code && { code: this.#code, message: this.#told.join("; ") };
  }
}

export class Fields {
  readonly record: JsonRecord;
  readonly #at: string;
  readonly #faults: Faults;

  /** `known`: all valid names of fields. `at`: path of the object; empty for the whole request. */
  constructor(value: Json, at: string, known: readonly string[], faults: Faults) {
    this.record = isRecord(value) ? value : {};
    this.#at = at === "" ? "" : `${at}.`;
    this.#faults = faults;
    if (!isRecord(value)) faults.note(at, "has to be an object");
    const stranger = findUnknownName(this.record, known);
    if (stranger !== undefined) faults.note(`${this.#at}${stranger.slice(0, 64)}`, "is not known");
  }

  getPath(name: string): string {
    return `${this.#at}${name}`;
  }

  getText(name: string): Text {
    return new Text(this.getPath(name), this.record[name], this.#faults);
  }

  /** Returns what `read` returns for the field, or `undefined` if the field is absent or null. */
  readOptional<T>(name: string, read: (text: Text) => T): T | undefined {
    const value = this.record[name];
    return value === undefined || value === null ? undefined : read(this.getText(name));
  }

  count(name: string, least: number, most: number): number {
    const value = this.record[name];
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    this.#faults.note(this.getPath(name), `has to be a whole number from ${least} to ${most}`);
    return least;
  }
}

export class Text {
  readonly #at: string;
  readonly #text: string;
  readonly #isText: boolean;
  readonly #faults: Faults;

  constructor(at: string, value: Json | undefined, faults: Faults) {
    this.#at = at;
    this.#isText = typeof value === "string";
    this.#text = typeof value === "string" ? value : "";
    this.#faults = faults;
    if (!this.#isText) faults.note(at, "has to be a text");
  }

  /** Checks the length in bytes of UTF-8. */
  checkLength(least: number, most: number): string {
    const bytes = Buffer.byteLength(this.#text);
    return this.#expectRule(bytes >= least && bytes <= most, `has to have ${least} to ${most} bytes`);
  }

  /** Checks the length, and refuses a zero byte, which would end the text in a system call. */
  checkName(least: number, most: number): string {
    return this.#expectRule(!this.#text.includes("\0"), "holds a zero byte") && this.checkLength(least, most);
  }

  checkAbsolutePath(most: number): string {
    return (
      this.#expectRule(this.#text.startsWith("/"), "has to be an absolute path: none is searched for") &&
      this.checkName(1, most)
    );
  }

  checkForm(form: RegExp, what: string): string {
    return this.#expectRule(form.test(this.#text), `has to be ${what}`);
  }

  /** Returns the text if it is one of `choices`; otherwise notes a fault and returns the first one. */
  checkChoice<const T extends string>(choices: readonly [T, ...T[]], code: RequestCode = "validation_failed"): T {
    const found = choices.find((choice) => choice === this.#text);
    this.#expectRule(found !== undefined, `has to be ${choices.join(" or ")}`, code);
    return found ?? choices[0];
  }

  #expectRule(holds: boolean, what: string, code?: RequestCode): string {
    if (!holds && this.#isText) this.#faults.note(this.#at, what, code);
    return this.#text;
  }
}
