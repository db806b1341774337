import type { Drawing } from "./boxes.ts";
import type { Graph } from "./graph.ts";
import { createDrawing } from "./layout.ts";
import { createStack } from "./stack.ts";

/**
 * One graph, drawn twice: in layers from left to right, and as a stack, with one box below the other. The report shows
 * the stack if the layers would be too small to read.
 */
export interface Drawings {
  /** Minimum width in pixels at which the report shows the layers. */
  readonly from: number;
  readonly sheets: readonly (Drawing & { readonly form: "layers" | "stack" })[];
}

/** Smallest scale of the drawing in layers. The letters have 11 pixels, so at this scale they still have 8. */
const LEAST_SCALE = 0.75;

/** Returns the drawings, or `undefined` if they would be empty or unreadable. */
export function createDrawings(graph: Graph): Drawings | undefined {
  const layers = createDrawing(graph);
  if (layers === undefined) return undefined;
  const stack = createStack(graph);
  const sheets = [{ ...layers, form: "layers" } as const, { ...stack, form: "stack" } as const];
  return { from: Math.ceil(layers.width * LEAST_SCALE), sheets };
}

/** Returns the styles that show one of the two drawings of the figure `id`, depending on the available width. */
export function renderChoice(id: string, { from }: Drawings): string {
  return `@container drawing (width < ${from}px) { #${id}-drawing .layers { display: none; } #${id}-drawing .stack { display: block; } }`;
}
