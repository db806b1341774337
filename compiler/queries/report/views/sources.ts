// Builds the view of the page's own text. Deciding lines are marked, and other parts of the report link to them.

import { compareCodeUnits, placeOf, type Span } from "../../../../lang/text/index.ts";
import { isStandard } from "../../../phases/source/index.ts";
import type { Subject } from "../subject.ts";

/** A `file:line:column`, and the link to it in the report. The link is null if the report does not show the line. */
export interface PlaceView {
  readonly text: string;
  readonly href: string | null;
}

interface SourceView {
  readonly path: string;
  readonly lines: readonly LineView[];
}

interface LineView {
  readonly id: string;
  readonly number: number;
  /** Number of omitted lines before this line. */
  readonly skipped: number;
  readonly parts: readonly { readonly text: string; readonly marked: boolean }[];
}

export interface Sources {
  readonly files: readonly SourceView[];
  /** Returns a `file:line:column` with its link in the report. */
  readonly place: (text: string) => PlaceView;
  readonly of: (span: Span) => PlaceView;
}

/**
 * Maximum number of lines of a file that is shown as a whole. Of longer files, and of all files of the library, only
 * parts around deciding lines are shown.
 */
const MOST_LINES = 3000;
const AROUND = 2;
/** Maximum number of characters to show of one line. */
const LONGEST = 400;

export function collectSources({ origins, model, proofs, processes }: Subject): Sources {
  const spans = [
    ...origins.rules,
    ...[origins.sessions, origins.services, origins.backends, origins.principals].flatMap((map) => [...map.values()]),
    ...model.assertions.map(({ node }) => node.span),
  ];
  const texts = new Map(spans.map((span) => [span.source.path, span.source]));
  const named = [
    ...processes.flatMap(({ holds }) => holds.map(({ origin }) => origin)),
    ...collectPlaces(proofs.assertions),
  ];
  const paths = [...texts.keys()].sort((one, other) => rank(one) - rank(other) || compareCodeUnits(one, other));
  const files = paths.map((path, index) => {
    const within = spans.filter(({ source }) => source.path === path);
    const lines = [
      ...within.map((span) => getLineNumber(span)),
      ...named.flatMap((place) => parseLine(place, path) ?? []),
    ];
    return buildFileView({
      id: `L${index}`,
      text: texts.get(path)?.text ?? "",
      path,
      spans: within,
      wanted: new Set(lines),
    });
  });
  const known = new Set(files.flatMap(({ lines }) => lines.map(({ id }) => id)));
  const place = (text: string): PlaceView => {
    const index = paths.findIndex((path) => text.startsWith(`${path}:`));
    const id = `L${index}-${parseLine(text, paths[index] ?? "") ?? 0}`;
    return { text, href: known.has(id) ? `#${id}` : null };
  };
  return { files, place, of: (span) => place(placeOf(span)) };
}

function collectPlaces(assertions: Subject["proofs"]["assertions"]): readonly string[] {
  return assertions.flatMap(({ at }) => at ?? []);
}

/** Returns the rank of a file: files of this system come before the library. */
function rank(path: string): number {
  return isStandard(path) ? 1 : 0;
}

function getLineNumber({ source, start }: Span): number {
  return source.position(start).line;
}

function parseLine(place: string, path: string): number | undefined {
  if (!place.startsWith(`${path}:`)) return undefined;
  const line = /^(\d+):\d+$/.exec(place.slice(path.length + 1))?.[1];
  return line === undefined ? undefined : Number(line);
}

/** A file, with the spans to mark in it and the lines to show. */
interface FileParts {
  readonly id: string;
  readonly text: string;
  readonly path: string;
  readonly spans: readonly Span[];
  readonly wanted: ReadonlySet<number>;
}

function buildFileView({ id, text, path, spans, wanted }: FileParts): SourceView {
  const all = text.split(/\r?\n/);
  if (all.at(-1) === "") all.pop();
  const whole = !isStandard(path) && all.length <= MOST_LINES;
  const marks = groupMarks(spans);
  const lines: LineView[] = [];
  let last = 0;
  for (const [index, line] of all.entries()) {
    const number = index + 1;
    if (!whole && !isNear(number, wanted)) continue;
    lines.push({
      id: `${id}-${number}`,
      number,
      skipped: number - last - 1,
      parts: splitLine(line, marks.get(number)),
    });
    last = number;
  }
  return { path, lines };
}

function isNear(number: number, wanted: ReadonlySet<number>): boolean {
  for (let at = number - AROUND; at <= number + AROUND; at++) if (wanted.has(at)) return true;
  return false;
}

/** A marked part of a line, from the column `from` to before the column `to`. Columns are counted from 0. */
interface Mark {
  readonly from: number;
  readonly to: number;
}

/** Returns the marks of each line, by line number. A span over several lines is marked in its first line. */
function groupMarks(spans: readonly Span[]): ReadonlyMap<number, readonly Mark[]> {
  const marks = new Map<number, Mark[]>();
  for (const { source, start, end } of spans) {
    const { line, column } = source.position(start);
    const mark = { from: column - 1, to: column - 1 + (end - start) };
    marks.set(line, [...(marks.get(line) ?? []), mark]);
  }
  return marks;
}

function splitLine(line: string, marks: readonly Mark[] = []): LineView["parts"] {
  const text = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  const parts: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const { from, to } of [...marks].sort((one, other) => one.from - other.from || other.to - one.to)) {
    if (to <= at) continue;
    parts.push({ text: text.slice(at, Math.max(at, from)), marked: false });
    parts.push({ text: text.slice(Math.max(at, from), to), marked: true });
    at = to;
  }
  const all = [...parts, { text: text.slice(at), marked: false }].filter((part) => part.text !== "");
  return all.map((part) => ({ ...part, text: part.text.replaceAll("\t", "  ") }));
}
