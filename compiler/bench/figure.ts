/** One line of the bench. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "CPU s";
  /** What it is held against: a peer that does the same, or a floor that nothing can go below. */
  readonly against?: { readonly name: string; readonly value: number };
}

export interface WrittenFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly peer: string;
  readonly ratio: number | null;
}

/** As build/bench.json has them: rounded to hundredths, the ratio from the exact values. */
export function writtenFigures(figures: readonly Figure[]): WrittenFigure[] {
  return figures.map(({ name, value, unit, against }) => ({
    name,
    value: hundredths(value),
    unit,
    peer: against === undefined ? "" : `${against.name}: ${hundredths(against.value)} ${unit}`,
    ratio: against === undefined || against.value === 0 ? null : hundredths(value / against.value),
  }));
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

export function drawFigures(figures: readonly WrittenFigure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const line = ({ name, value, unit, peer, ratio }: WrittenFigure): string => {
    const beside = peer === "" ? "" : `   ${peer}${ratio === null ? "" : `   ×${ratio}`}`;
    return `${name.padEnd(width)}  ${value.toFixed(2).padStart(8)} ${unit}${beside}\n`;
  };
  return figures.map(line).join("");
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
