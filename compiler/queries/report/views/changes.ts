import type { ChangeKind } from "../../diff/index.ts";
import type { Changes } from "../subject.ts";
import type { PlaceView, Sources } from "./sources.ts";

interface ChangesView {
  readonly before: string;
  readonly counts: string;
  readonly told: readonly ChangeView[];
  /** Number of changes that are not listed. */
  readonly more: number;
  readonly notCompared: readonly string[];
}

interface ChangeView {
  readonly kind: ChangeKind;
  readonly unreasoned: boolean;
  readonly where: readonly string[];
  readonly before: string;
  readonly after: string;
  readonly details: readonly string[];
  readonly shownBy: readonly string[];
  readonly lines: readonly { readonly words: string; readonly place: PlaceView }[];
  readonly because: readonly string[];
}

const MOST = 400;

export function buildChangesView({ before, counts, told, notCompared }: Changes, sources: Sources): ChangesView {
  return {
    before,
    counts,
    told: told.slice(0, MOST).map(({ lines, widens, ...change }) => ({
      ...change,
      unreasoned: widens && change.because.length === 0,
      lines: lines.map(({ words, place }) => ({ words, place: sources.place(place) })),
    })),
    more: Math.max(0, told.length - MOST),
    notCompared,
  };
}
