import type { Drawing } from "./boxes.ts";
import type { Graph } from "./graph.ts";
import { createDrawing } from "./layout.ts";
import { createStack } from "./stack.ts";

/** One graph, drawn in layers and as a stack. The page shows the stack where the layers would be too small to read. */
export interface Drawings {
  /** Width in pixels from which on the layers are shown. */
  readonly from: number;
  readonly sheets: readonly (Drawing & { readonly form: "layers" | "stack" })[];
}

/** Smallest scale of the drawing in layers. Its letters have 11 pixels, so they are shown with at least 8. */
const LEAST_SCALE = 0.75;

/** Returns the drawings, or `undefined` if they would be empty or unreadable. */
export function createDrawings(graph: Graph): Drawings | undefined {
  const layers = createDrawing(graph);
  if (layers === undefined) return undefined;
  const stack = createStack(graph);
  const sheets = [{ ...layers, form: "layers" } as const, { ...stack, form: "stack" } as const];
  return { from: Math.ceil(layers.width * LEAST_SCALE), sheets };
}

/** Returns the styles that choose a drawing of the figure about `id` by the width of its place. */
export function renderChoice(id: string, { from }: Drawings): string {
  return `@container drawing (width < ${from}px) { #${id}-drawing .layers { display: none; } #${id}-drawing .stack { display: block; } }`;
}
