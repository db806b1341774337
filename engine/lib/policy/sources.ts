// Defines the interface through which decisions request the sources of an argument. engine/lib/provenance implements
// it.
import type { Source } from "../wire/generated/policy.ts";

/**
 * How far the sources that a condition names support a value:
 *
 * - `strong`: the value occurs in a source that only its owner fills.
 * - `weak`: the value occurs in a source that an outsider may have filled. A condition may then refuse or ask, but never
 *   lowers a gate to `auto`.
 * - `none`: the value occurs in no source.
 * - `unknown`: this cannot be determined, because a part of the texts that the conversation has read is lost.
 */
export type Standing = "strong" | "weak" | "none" | "unknown";

/** The place in which a value was found, described for a person. */
export interface Finding {
  /** The place in words, for example `you` or `web.get body`. */
  readonly words: string;
  readonly standing: Exclude<Standing, "none" | "unknown">;
}

/** The sources of everything that a conversation had read until one moment. */
export interface Sources {
  /** Returns how far the sources support a value. */
  readonly judge: (value: string | number, sources: readonly Source[]) => Standing;
  /**
   * Returns the most trusted place in which a value occurred: in all sources, or only in those of `among`. Returns `undefined` if it
   * occurred in none of them.
   */
  readonly trace: (value: string | number, among?: readonly Source[]) => Finding | undefined;
}
