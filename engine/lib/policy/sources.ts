// Interface by which decisions ask for the sources of an argument. engine/lib/provenance implements it.
import type { Source } from "../wire/generated/policy.ts";

/**
 * How well the sources that a condition names vouch for a value:
 *
 * - `strong`: the value stands in a source that only its owner fills.
 * - `weak`: the value stands in a source that an outsider may have filled. It may refuse and ask; it never lowers a gate to `auto`.
 * - `none`: the value stands in no source.
 * - `unknown`: this cannot be told, because part of what the conversation has read is lost.
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
  /** Returns how well the sources vouch for a value. */
  readonly judge: (value: string | number, sources: readonly Source[]) => Standing;
  /** Returns the best place in which a value stood, among all or among these sources; `undefined` if it stood in none. */
  readonly trace: (value: string | number, among?: readonly Source[]) => Finding | undefined;
}
