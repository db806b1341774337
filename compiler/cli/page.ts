// Compiles the page that a person named, and tells the findings. Shared by the commands that take a page.

import { relative, resolve } from "node:path";
import { drawDiagnostics, isError, reportOf } from "../../lang/diagnostics/index.ts";
import { type Compiled, compile } from "../compile.ts";
import { diskHost } from "../source/index.ts";
import { readBytes } from "./files.ts";
import type { World } from "./world.ts";

export type PageResult =
  | { readonly kind: "compiled"; readonly compiled: Compiled }
  | { readonly kind: "unreadable"; readonly reason: string };

/** `file` is as it was typed. A page that cannot be opened is the machine's fault, not a finding about the page. */
export async function compilePage(file: string, world: World): Promise<PageResult> {
  const path = resolve(world.folder, file);
  const there = readBytes(path, 0);
  if (!there.ok) return { kind: "unreadable", reason: there.reason };
  return { kind: "compiled", compiled: await compile(diskHost(), path) };
}

/** Draws the findings, errors and warnings alike, where diagnostics belong. */
export function tellFindings(compiled: Compiled, world: World): void {
  if (compiled.diagnostics.length === 0) return;
  const { NO_COLOR } = world.environment;
  const colour = world.errorIsTerminal && NO_COLOR === undefined;
  world.report(drawDiagnostics(compiled.diagnostics, { colour }));
}

export function hasErrors(compiled: Compiled): boolean {
  return compiled.policy === undefined || compiled.diagnostics.some(isError);
}

export function findingsAsJson(compiled: Compiled): object {
  return reportOf(compiled.diagnostics);
}

/** The name of a system's output: that of the folder its page lies in. */
export function nameOfSystem(file: string, world: World): string {
  const parts = resolve(world.folder, file).split("/");
  return parts.at(-2) || "system";
}

/** A path as short as it can be said from where the person is. */
export function spoken(path: string, world: World): string {
  const short = relative(world.folder, path);
  return short === "" ? "." : short.startsWith("../../") ? path : short;
}
