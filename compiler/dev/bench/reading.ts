import { readFileSync } from "node:fs";
import { parse } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { computeMedian, type Figure } from "./figure.ts";

const BYTES = 10_000_000;
const PAGE = new URL("../../../lang/spec/whole-page.cap", import.meta.url);

/** Promised CPU seconds for lexing and parsing ten megabytes. */
const MOST = 1;

/** Measures lexing and parsing ten megabytes: the page with every construct, repeated. */
export async function measureReading(runs: number): Promise<Figure> {
  const page = `${readFileSync(PAGE, "utf8")}\n`;
  const source = createSourceText("bench.cap", page.repeat(Math.ceil(BYTES / page.length)));
  // The first run also compiles the code of the reader, so it is not measured.
  await measureReadSeconds(source);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await measureReadSeconds(source));
  const promised = { kind: "limit", name: "what is promised", value: MOST } as const;
  return { name: "lexing and parsing 10 MB", value: computeMedian(times), unit: "CPU s", against: promised };
}

async function measureReadSeconds(source: Parameters<typeof parse>[0]): Promise<number> {
  const before = process.cpuUsage();
  const { tree, diagnostics } = await parse(source);
  const { user, system } = process.cpuUsage(before);
  // A page with errors would be parsed a second time, by the parser that recovers from errors. This is not measured.
  if (diagnostics.length > 0 || tree.items.length === 0) throw new Error("the page of the bench is not read");
  return (user + system) / 1e6;
}
