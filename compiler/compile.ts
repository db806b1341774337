import { type Diagnostic, inPageOrder, isError } from "../lang/diagnostics/index.ts";
import { bind, type InterfaceDescription } from "./bind/index.ts";
import { lower, type Origins, type Policy, resolveSessions } from "./policy/index.ts";
import { reflectStandard } from "./reflect/index.ts";
import { type Host, load } from "./source/index.ts";

// The phases in their order. Each takes the last one's value; findings travel beside it, and a policy is made only
// where none of them is an error.

export interface Compiled {
  /** Absent where a diagnostic is an error. */
  readonly policy?: Policy;
  readonly origins?: Origins;
  /** In page order, each once. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compiles the page at `path`. `described` are the interfaces that schemas define; the standard ones by default. */
export async function compile(
  host: Host,
  path: string,
  described: readonly InterfaceDescription[] = reflectStandard(),
): Promise<Compiled> {
  const loaded = await load(host, path);
  if (loaded.package.pages.length === 0) return { diagnostics: inPageOrder(loaded.diagnostics) };
  const { model, diagnostics } = bind(loaded.package, described);
  const resolution = resolveSessions(model);
  const all = inPageOrder([...loaded.diagnostics, ...diagnostics]);
  if (all.some(isError)) return { diagnostics: all };
  return { ...lower(model, resolution), diagnostics: all };
}
