// Measures `capc try` from its start to its end, while a person types nothing: loading, compiling, and starting all processes of
// a page.

import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Figure, limit } from "./figure.ts";
import { measureCpuSeconds } from "./measure.ts";

/** Maximum CPU seconds of `capc try`, run from the checkout and from a package. */
const [MOST_FROM_CHECKOUT, MOST_PACKED] = [0.7, 0.25];

export async function measureTrying(bench: Bench): Promise<Figure[]> {
  const page = join(bench.checkout, "examples/mail-desk/system.cap");
  const measureSeconds = (launcher: string): number =>
    measureCpuSeconds(bench.runs, bench.checkout, [process.execPath, launcher, "try", page]);
  const packed = await bench.packed();
  return [
    { name: "capc try", value: measureSeconds(packed), unit: "CPU s", against: limit(MOST_PACKED) },
    {
      name: "capc try, from the checkout",
      value: measureSeconds(bench.launcher),
      unit: "CPU s",
      against: limit(MOST_FROM_CHECKOUT),
    },
  ];
}
