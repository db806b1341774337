// Reads records of CUE values with the keys and types of upstream's decoder (capos-config 0.1.0, src/manifest.rs, src/cue.rs).
// Keys that this decoder ignores silently are reported, because no page can express them.

import type { CueValue } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import type { Findings } from "./findings.ts";
import { indexPath, renderKeyPath } from "./listing.ts";

/** A value with its path. */
export interface ValueAt<T> {
  readonly path: string;
  readonly value: T;
}

export class CueRecord {
  readonly path: string;
  readonly #findings: Findings;
  readonly #fields = new Map<string, CueValue>();

  /** `known` contains the keys that upstream reads in this record. */
  constructor({ path, value }: ValueAt<CueValue>, known: readonly string[], findings: Findings) {
    this.path = path;
    this.#findings = findings;
    if (value.which !== "fields") {
      findings.reportWrong(path, `upstream wants a record here, and there is ${value.which}`);
      return;
    }
    for (const { name, value: inner } of value.fields) {
      if (this.#fields.has(name))
        findings.reportWrong(renderKeyPath(path, name), "upstream refuses a key that stands twice");
      else if (known.includes(name)) this.#fields.set(name, inner);
      else
        findings.reportUnsayable(
          renderKeyPath(path, name),
          "upstream passes over this key in silence",
          `leave it out, or write one of ${known.join(", ")}`,
        );
    }
  }

  has(key: string): boolean {
    return this.#fields.has(key);
  }

  getValue(key: string): ValueAt<CueValue> | undefined {
    const value = this.#fields.get(key);
    return value === undefined ? undefined : { path: renderKeyPath(this.path, key), value };
  }

  /** Returns the value of a required key, or reports that it is missing and returns `undefined`. */
  requireValue(key: string): ValueAt<CueValue> | undefined {
    const value = this.getValue(key);
    if (value === undefined)
      this.#findings.reportWrong(renderKeyPath(this.path, key), "upstream wants it, and it is missing");
    return value;
  }

  requireText(key: string): string | undefined {
    const at = this.requireValue(key);
    return at && decodeText(at, this.#findings);
  }

  readOptionalText(key: string): string | undefined {
    const at = this.getValue(key);
    return at && decodeText(at, this.#findings);
  }

  number(key: string): bigint | undefined {
    const at = this.getValue(key);
    if (at === undefined) return undefined;
    if (at.value.which === "uintValue") return at.value.uintValue;
    this.#findings.reportWrong(at.path, `upstream wants a number without a sign here, and there is ${at.value.which}`);
    return undefined;
  }

  list(key: string): readonly ValueAt<CueValue>[] {
    const at = this.getValue(key);
    if (at === undefined) return [];
    if (at.value.which === "list")
      return at.value.list.map((value, index) => ({ path: indexPath(at.path, index), value }));
    this.#findings.reportWrong(at.path, `upstream wants a list here, and there is ${at.value.which}`);
    return [];
  }

  readTexts(key: string): readonly ValueAt<string>[] {
    return this.list(key).flatMap((at) => {
      const value = decodeText(at, this.#findings);
      return value === undefined ? [] : [{ path: at.path, value }];
    });
  }
}

function decodeText({ path, value }: ValueAt<CueValue>, findings: Findings): string | undefined {
  if (value.which === "text") return value.text;
  findings.reportWrong(path, `upstream wants a text here, and there is ${value.which}`);
  return undefined;
}
