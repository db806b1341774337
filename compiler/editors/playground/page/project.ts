// Stores the files of the project in the browser. Only texts can be edited; other files are passed to the compiler
// unchanged.

import { type FileBeside, ROOT } from "../protocol.ts";
import type { ProjectTexts } from "../share.ts";

export class Project {
  private root = "";
  private files = new Map<string, Uint8Array>();
  /** Files that the person made or changed; they stay visible even if no page names them. */
  private readonly own = new Set<string>();
  private named: ReadonlySet<string> = new Set();
  /**
   * Cache of decoded texts by the bytes of their files, with `undefined` for files that are not texts. If a file is
   * edited, it gets a new byte array, so the cache has no entry for it.
   */
  private readonly decoded = new WeakMap<Uint8Array, { readonly text: string | undefined }>();

  /** Replaces all files of the project. */
  begin(root: string, beside: readonly FileBeside[]): void {
    this.root = root;
    this.files = new Map(beside.map(({ path, bytes }) => [path, bytes]));
    this.own.clear();
    this.named = new Set();
  }

  beginTexts(texts: ProjectTexts): void {
    const encoder = new TextEncoder();
    const beside = [...texts].filter(([path]) => path !== ROOT);
    this.begin(
      texts.get(ROOT) ?? "",
      beside.map(([path, text]) => ({ path, bytes: encoder.encode(text) })),
    );
    for (const [path] of beside) this.own.add(path);
  }

  get rootText(): string {
    return this.root;
  }

  get beside(): readonly FileBeside[] {
    return [...this.files].map(([path, bytes]) => ({ path, bytes }));
  }

  has(path: string): boolean {
    return path === ROOT || this.files.has(path);
  }

  /** Stores the new text of a file that the person changed or created. */
  write(path: string, text: string): void {
    if (path === ROOT) this.root = text;
    else {
      this.files.set(path, new TextEncoder().encode(text));
      this.own.add(path);
    }
  }

  remove(path: string): void {
    this.files.delete(path);
    this.own.delete(path);
  }

  /** Records which files the compiler read. */
  setNamed(named: readonly string[]): void {
    this.named = new Set(named);
  }

  /** Returns the text of a file, or `undefined` if it is missing or not a text. */
  textOf(path: string): string | undefined {
    if (path === ROOT) return this.root;
    const bytes = this.files.get(path);
    if (bytes === undefined) return undefined;
    const known = this.decoded.get(bytes) ?? { text: decodeText(bytes) };
    this.decoded.set(bytes, known);
    return known.text;
  }

  /** Returns the paths of all texts that a page names or the person made, the root page first. */
  get texts(): readonly string[] {
    const others = [...this.files.keys()].filter((path) => this.named.has(path) || this.own.has(path));
    return [ROOT, ...others.filter((path) => this.textOf(path) !== undefined).sort()];
  }

  /** Returns the texts that a link to the project contains. */
  collectTexts(): ProjectTexts {
    return new Map(this.texts.map((path) => [path, this.textOf(path) ?? ""]));
  }
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
