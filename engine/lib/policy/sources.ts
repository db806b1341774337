// Interface by which decisions ask for the sources of a conversation's words. engine/lib/provenance implements it.
import type { Source } from "../wire/generated/policy.ts";

/**
 * How well the words of a value are vouched for by the sources that a condition names:
 *
 * - `strong`: a source holds them that nobody but its owner fills.
 * - `weak`: a source holds them that an outsider may have filled. It may refuse and ask; it never lowers a gate to `auto`.
 * - `none`: no source holds them.
 * - `unknown`: it is not known, as what the conversation has heard is lost in part.
 */
export type Standing = "strong" | "weak" | "none" | "unknown";

/** The place in which a value was found, in words for a person. */
export interface Finding {
  /** `you`, `web.get body` */
  readonly words: string;
  readonly standing: Exclude<Standing, "none" | "unknown">;
}

/** Everything that a conversation had heard by one moment. */
export interface Sources {
  /** Returns how well the sources vouch for a value. */
  readonly judge: (value: string | number, sources: readonly Source[]) => Standing;
  /** Returns the best place in which a value stood, of all or of these sources; `undefined` if it stood in none. */
  readonly trace: (value: string | number, among?: readonly Source[]) => Finding | undefined;
}
