// A view of an index at one moment, for decisions: it states whether a value occurs in the sources of a condition.

import type { Finding, Sources, Standing } from "../policy/index.ts";
import type { Related, Source } from "../wire/generated/policy.ts";
import type { Origin } from "./origin.ts";
import type { Occurrence, Query, SourceIndex } from "./source-index.ts";

/** Returns whether the page declares that a field of a tool's results is strong. */
export type StrengthTest = (tool: string, field: string) => boolean;

/** Returns the sources of a conversation as they are now: later additions to the index do not count. */
export function viewSources(index: SourceIndex, isStrong: StrengthTest): Sources {
  return new SourceView(index, isStrong);
}

class SourceView implements Sources {
  readonly #index: SourceIndex;
  readonly #isStrong: StrengthTest;
  readonly #documents: number;
  readonly #isComplete: boolean;

  constructor(index: SourceIndex, isStrong: StrengthTest) {
    this.#index = index;
    this.#isStrong = isStrong;
    this.#documents = index.documents.length;
    this.#isComplete = index.isComplete;
  }

  judge(value: string | number, sources: readonly Source[]): Standing {
    const query = this.#index.prepare(String(value));
    return query === undefined ? "none" : this.#judgeQuery(query, sources);
  }

  trace(value: string | number, among?: readonly Source[]): Finding | undefined {
    const query = this.#index.prepare(String(value));
    const found = query === undefined ? [] : this.#find(query);
    const isAmong = (one: Occurrence, source: Source) =>
      source.which === "untrusted" ? this.#judgeSource(found, source) !== "none" : this.#fits(one, source);
    const counted = among === undefined ? found : found.filter((one) => among.some((source) => isAmong(one, source)));
    const rated = counted.map((one) => ({ words: describeOrigin(one), standing: this.#rate(one) }));
    return rated.find(({ standing }) => standing === "strong") ?? rated[0];
  }

  #judgeQuery(query: Query, sources: readonly Source[]): Standing {
    const found = this.#find(query);
    let best: Standing = "none";
    for (const source of sources) {
      const standing = this.#judgeSource(found, source);
      if (standing === "strong") return standing;
      if (standing === "weak") best = standing;
    }
    if (best === "weak" || this.#isComplete) return best;
    // The missing part of the index may have contained the value. But a trusted source outweighs untrusted text,
    // whatever the missing part contains.
    return sources.every(({ which }) => which === "untrusted") && found.some(isTrusted) ? "none" : "unknown";
  }

  #find(query: Query): readonly Occurrence[] {
    return this.#index.find(query, this.#documents);
  }

  #judgeSource(found: readonly Occurrence[], source: Source): Standing {
    if (source.which === "untrusted") return found.length > 0 && !found.some(isTrusted) ? "weak" : "none";
    const fitting = found.filter((one) => this.#fits(one, source));
    if (fitting.length === 0) return "none";
    if (source.which === "field") return source.field.isStrong ? "strong" : "weak";
    return fitting.some((one) => this.#rate(one) === "strong") ? "strong" : "weak";
  }

  #fits({ origin, document }: Occurrence, source: Exclude<Source, { which: "untrusted" }>): boolean {
    switch (source.which) {
      case "person":
      case "pasted":
        return origin.which === source.which;
      case "page":
        return isOfPage(origin);
      case "atLeast":
        return (
          origin.which === "person" ||
          isOfPage(origin) ||
          (origin.which === "result" && origin.integrity >= source.atLeast)
        );
      case "field":
        return (
          origin.which === "result" &&
          origin.tool === source.field.tool &&
          origin.field === source.field.name &&
          source.field.related.every((related) => this.#isRelated(document, related))
        );
    }
  }

  #isRelated(document: number, { name, ofCall, text, sources }: Related): boolean {
    const query = ofCall ? this.#index.findArgument(document, name) : this.#index.findSibling(document, name);
    if (query === undefined || query.digests.length === 0) return false;
    if (sources.length > 0) return this.#judgeQuery(query, sources) === "strong";
    const wanted = this.#index.prepare(text);
    return (
      wanted !== undefined &&
      wanted.digests.length === query.digests.length &&
      wanted.digests.every((digest, at) => digest === query.digests[at])
    );
  }

  /**
   * Rates an occurrence of a value: words that a person typed and words of the page are strong; a field of a result is
   * strong only if the page declares this.
   */
  #rate({ origin }: Occurrence): "strong" | "weak" {
    const isStrong =
      origin.which === "person" ||
      isOfPage(origin) ||
      (origin.which === "result" && this.#isStrong(origin.tool, origin.field));
    return isStrong ? "strong" : "weak";
  }
}

/** Whether the words are the page's own, or words that a person chose for the task. */
function isOfPage({ which }: Origin): boolean {
  return which === "page" || which === "parameter";
}

/** Whether the text is from a person or the page, or from a result whose integrity is above the lowest level. */
function isTrusted({ origin }: Occurrence): boolean {
  return origin.which === "person" || isOfPage(origin) || (origin.which === "result" && origin.integrity > 0);
}

const MAX_FIELD_LENGTH = 64;

/**
 * Renders the name of a field, which a stranger may have chosen. A name that is not a plain word is put in quotes, so that it does
 * not look like our own text.
 */
function renderField(name: string): string {
  if (/^[\w.-]+$/.test(name) && name.length <= MAX_FIELD_LENGTH) return name;
  const cut = name.slice(0, MAX_FIELD_LENGTH).toWellFormed();
  return `${JSON.stringify(cut)}${cut.length < name.length ? "…" : ""}`;
}

function describeOrigin({ origin }: Occurrence): string {
  switch (origin.which) {
    case "person":
      return "typed by you";
    case "pasted":
      return "pasted by you";
    case "page":
      return "the page";
    case "parameter":
      return `the task's ${origin.name}`;
    case "result":
    case "argument":
      return origin.field === "" ? `result of ${origin.tool}` : `${renderField(origin.field)} of ${origin.tool}`;
    case "written":
      return `written to ${origin.service}`;
  }
}
