/** One line of the benchmark. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "CPU s" | "CPU µs" | "MiB" | "times";
  readonly against?: Against;
}

/** A `peer` is another program for the same work; a `floor` is a lower bound for any implementation; a `limit` is a promised maximum. */
interface Against {
  readonly kind: "peer" | "floor" | "limit";
  readonly name: string;
  readonly value: number;
}

/** A figure as in build/bench.json: values are rounded to hundredths, the ratio is computed from the exact values. */
interface WrittenFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** At most one of `peer`, `floor` and `limit` is present. */
  readonly peer?: Beside;
  readonly floor?: Beside;
  readonly limit?: Beside;
  readonly ratio: number | null;
}

/** Other value with which a figure is compared. */
interface Beside {
  readonly name: string;
  readonly value: number;
}

/** Returns the figures in the form of build/bench.json. */
export function convertFigures(figures: readonly Figure[]): WrittenFigure[] {
  return figures.map(({ name, value, unit, against }) => ({
    name,
    value: roundToHundredths(value),
    unit,
    ...(against === undefined
      ? {}
      : { [against.kind]: { name: against.name, value: roundToHundredths(against.value) } }),
    ratio: against === undefined || against.value === 0 ? null : roundToHundredths(value / against.value),
  }));
}

function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

const KINDS = ["peer", "floor", "limit"] as const;

/** Returns a line for each figure. */
export function drawFigures(figures: readonly WrittenFigure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const formatFigure = (figure: WrittenFigure): string => {
    const kind = KINDS.find((each) => figure[each] !== undefined);
    const beside = kind === undefined ? undefined : figure[kind];
    const ratio = figure.ratio === null ? "" : `   ×${figure.ratio}`;
    const words = beside === undefined ? "" : `   ${kind} ${beside.name}: ${beside.value} ${figure.unit}${ratio}`;
    return `${figure.name.padEnd(width)}  ${figure.value.toFixed(2).padStart(8)} ${figure.unit}${words}\n`;
  };
  return figures.map(formatFigure).join("");
}

/** Returns one line for each figure above its limit. Values are compared before rounding, because rounding could hide an excess. */
export function findBrokenPromises(figures: readonly Figure[]): readonly string[] {
  return figures.flatMap(({ name, value, unit, against }) =>
    against?.kind !== "limit" || value <= against.value
      ? []
      : [
          `${name}: ${roundForReport(value)} ${unit} are more than ${against.name}, ${roundForReport(against.value)} ${unit}\n`,
        ],
  );
}

function roundForReport(value: number): number {
  return Number(value.toPrecision(4));
}

/** Returns the limit of a figure that must not exceed `value`. */
export function limit(value: number, name = "what is promised"): Against {
  return { kind: "limit", name, value };
}

/** Returns the middle value. If the number of values is even, returns the larger of the two middle values. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
