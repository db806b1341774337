import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { type Diagnostic, drawDiagnostics, inPageOrder } from "../../lang/diagnostics/index.ts";
import { compile, type Purpose } from "../compile.ts";
import { diskHost, type Host, memoryHost } from "../source/index.ts";
import type { Files } from "./facts.ts";
import { testSurroundings } from "./surroundings.ts";

// A folder that explains a diagnostic holds pages that keep the law (good*.cap) and pages that break it (bad*.cap; or
// bad*.ts, which makes one that is too large or too odd to lie in a checkout).

/** The day on which examples are compiled. */
const TODAY = "2026-01-01";

export interface Example {
  /** Name of its folder. */
  readonly folder: string;
  /** Name of its file. */
  readonly name: string;
  readonly url: URL;
}

export function foldersIn(room: URL): string[] {
  const entries = readdirSync(room, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.map(({ name }) => name).sort();
}

export function examplesIn(room: URL, verdict: "good" | "bad"): Example[] {
  return foldersIn(room).flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, room))
      .filter((name) => name.startsWith(verdict) && /\.(cap|ts)$/.test(name))
      .sort()
      .map((name) => ({ folder, name, url: new URL(`${folder}/${name}`, room) })),
  );
}

/** What is found in it: `codes` chooses, nothing chooses all. */
export async function findingsOf(example: Example, codes?: readonly string[]): Promise<readonly Diagnostic[]> {
  const diagnostics = await foundIn(example);
  return codes === undefined ? diagnostics : diagnostics.filter(({ code }) => codes.includes(code));
}

/** By address. Tests of one example ask for different things of the same compilation. */
const compilations = new Map<string, Promise<readonly Diagnostic[]>>();

function foundIn(example: Example): Promise<readonly Diagnostic[]> {
  const known = compilations.get(example.url.href) ?? compiled(example);
  compilations.set(example.url.href, known);
  return known;
}

const ABOUT_BUILDING = new Set([
  "image-too-large",
  "machine-limit",
  "machine-too-small",
  "not-enforced-yet",
  "secret-unfit",
  "secret-unsealed",
  "weights-unfit",
]);

async function compiled({ folder, name, url }: Example): Promise<readonly Diagnostic[]> {
  // What the image cannot do yet concerns one law alone: the others may speak of it.
  const purpose = ABOUT_BUILDING.has(folder) ? "build" : "check";
  if (name.endsWith(".cap")) return diagnosticsOf(diskHost(TODAY), url.pathname, purpose);
  const made: { readonly files?: Files; readonly findings?: () => Diagnostic[] | Promise<Diagnostic[]> } = await import(
    url.pathname
  );
  return (await made.findings?.()) ?? diagnosticsOf(memoryHost(made.files ?? {}, TODAY), "/system.cap", purpose);
}

async function diagnosticsOf(host: Host, path: string, purpose: Purpose): Promise<readonly Diagnostic[]> {
  const { diagnostics, advice } = await compile(host, path, { ...testSurroundings, purpose });
  return inPageOrder([...diagnostics, ...advice]);
}

/**
 * What is said must be what lies beside the example as bad*.txt: words, place, underlined text, reason and help. A text
 * that is not there fails; it is accepted by name (`vitest run FOLDER -t EXAMPLE -u`) after reading it.
 */
export async function saysWhatIsWritten(example: Example, findings: readonly Diagnostic[]): Promise<void> {
  const written = example.url.pathname.replace(/\.(cap|ts)$/, ".txt");
  await expect(drawDiagnostics(findings, { colour: false })).toMatchFileSnapshot(written);
}
