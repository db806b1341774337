// Renders a manifest as text with one line for each value, so that findings have positions. Paths have the form of upstream's own
// errors: `$.kernelParams.seedAccounts[0].name`. Keys of a CueValue are untrusted and may have any length, so they are shortened.

import { createHash } from "node:crypto";
import type { CueValue, SystemManifest } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import { createSourceText, makeSpan, type Span } from "../../../../lang/text/index.ts";

export type Listing = (path: string) => Span;

/**
 * Maximum number of characters of all lines together. It is needed because a few bytes of a message can give long
 * paths.
 */
const MOST_LISTED = 4 * 1024 * 1024;
const MOST_KEY = 40;
const MOST_SHOWN = 80;

/** Paths of secrets, which are not shown. */
const SECRET: ReadonlySet<string> = new Set([
  "$.kernelParams.consolePasswordVerifierPhc",
  "$.kernelParams.sshDevelopmentHostKey.privateKeySeed",
]);

/**
 * Returns a function that finds the span of a path, or of the nearest path around it, in the text of the manifest.
 * Returns `undefined` if this text would be too long.
 */
export function createListing(name: string, manifest: SystemManifest): Listing | undefined {
  const listed = new Lines();
  const { initConfig, ...rest } = manifest;
  listed.addPlain("$", rest);
  listed.addCue("$.initConfig", initConfig);
  if (listed.length > MOST_LISTED) return undefined;
  const source = createSourceText(name, listed.joinLines());
  return (path) => {
    let at = path;
    while (!listed.starts.has(at) && at.includes("$."))
      at = at.slice(0, Math.max(at.lastIndexOf("."), at.lastIndexOf("["), 1));
    const start = listed.starts.get(at) ?? 0;
    return makeSpan(source, start, start + at.length);
  };
}

/** Returns the path of a key in upstream's form, shortened to a readable length. */
export function renderKeyPath(parent: string, key: string): string {
  const isPlain = /^\w+$/.test(key) && key.length <= MOST_KEY;
  return isPlain ? `${parent}.${key}` : `${parent}.${JSON.stringify(escapeInvisible(key.slice(0, MOST_KEY)))}`;
}

export function indexPath(parent: string, index: number): string {
  return `${parent}[${index}]`;
}

class Lines {
  readonly starts = new Map<string, number>();
  readonly #lines: string[] = [];
  length = 0;

  joinLines(): string {
    return this.#lines.join("");
  }

  addPlain(path: string, value: unknown): void {
    if (Array.isArray(value)) {
      this.#add(path, `${value.length} entries`);
      for (const [index, each] of value.entries()) this.addPlain(indexPath(path, index), each);
    } else if (value instanceof Uint8Array) this.#add(path, SECRET.has(path) ? maskValue(value) : renderBytes(value));
    else if (typeof value === "object" && value !== null) {
      this.#add(path, "record");
      for (const [key, inner] of Object.entries(value)) this.addPlain(renderKeyPath(path, key), inner);
    } else if (SECRET.has(path)) this.#add(path, maskValue(`${value}`));
    else this.#add(path, typeof value === "string" ? renderText(value) : `${value}`);
  }

  addCue(path: string, value: CueValue): void {
    switch (value.which) {
      case "list":
        this.#add(path, `${value.list.length} entries`);
        for (const [index, each] of value.list.entries()) this.addCue(indexPath(path, index), each);
        return;
      case "fields":
        this.#add(path, "record");
        for (const { name, value: inner } of value.fields) this.addCue(renderKeyPath(path, name), inner);
        return;
      default:
        this.#add(path, renderScalar(value));
    }
  }

  #add(path: string, says: string): void {
    const line = `${path} = ${says}\n`;
    if (!this.starts.has(path)) this.starts.set(path, this.length);
    this.length += line.length;
    if (this.length <= MOST_LISTED) this.#lines.push(line);
  }
}

function renderScalar(value: Exclude<CueValue, { which: "list" | "fields" }>): string {
  switch (value.which) {
    case "null":
      return "null";
    case "boolean":
      return `${value.boolean}`;
    case "intValue":
      return `${value.intValue} (signed)`;
    case "uintValue":
      return `${value.uintValue}`;
    case "text":
      return renderText(value.text);
    case "bytes":
      return renderBytes(value.bytes);
  }
}

function renderText(text: string): string {
  const shown = escapeInvisible(JSON.stringify(text.slice(0, MOST_SHOWN)));
  return text.length > MOST_SHOWN ? `${shown} and ${text.length - MOST_SHOWN} more` : shown;
}

function renderBytes(bytes: Uint8Array): string {
  if (bytes.length <= 32) return `hex:${Buffer.from(bytes).toString("hex")}`;
  return `${bytes.length} bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")}`;
}

function maskValue(value: Uint8Array | string): string {
  return value.length === 0 ? "empty" : "not shown";
}
