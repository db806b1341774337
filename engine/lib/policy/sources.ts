// Interface through which decisions look up the sources of an argument. engine/lib/provenance implements it.
import type { Source } from "../wire/generated/policy.ts";

/**
 * How trustworthy the origin of a value is, among the sources that a condition names:
 *
 * - `strong`: the value occurs in a source that only its owner fills.
 * - `weak`: the value occurs only in a source that an outsider may have filled. A condition that holds by it never lowers a gate to `auto`.
 * - `none`: the value occurs in none of the sources.
 * - `unknown`: part of the text that the conversation has read is lost, so the origin cannot be determined.
 */
export type Standing = "strong" | "weak" | "none" | "unknown";

/** The place in which a value was found, described for a person. */
export interface Finding {
  /** `you`, `web.get body` */
  readonly words: string;
  readonly standing: Exclude<Standing, "none" | "unknown">;
}

/** The sources of everything that a conversation had read at one moment. */
export interface Sources {
  /** Returns the standing of a value among these sources. */
  readonly judge: (value: string | number, sources: readonly Source[]) => Standing;
  /** Returns the most trustworthy place of a value, in all sources or in `among`; `undefined` if it occurs in none. */
  readonly trace: (value: string | number, among?: readonly Source[]) => Finding | undefined;
}
