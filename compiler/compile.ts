import { type Diagnostic, inPageOrder, isError } from "../lang/diagnostics/index.ts";
import { bind, type InterfaceDescription } from "./bind/index.ts";
import { check, checkSize } from "./check/index.ts";
import { lint } from "./lint/index.ts";
import { IMAGE_PROVIDERS, lower, type Origins, type Policy, type Providers, resolveSessions } from "./policy/index.ts";
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

/** What a page is compiled against. */
export interface Surroundings {
  /** Interfaces that schemas define. */
  readonly described: readonly InterfaceDescription[];
  readonly provided: Providers;
}

/** Compiles the page at `path`, against the standard interfaces and the providers of the image by default. */
export async function compile(
  host: Host,
  path: string,
  surroundings: Surroundings = { described: reflectStandard(), provided: IMAGE_PROVIDERS },
): Promise<Compiled> {
  const { package: page, diagnostics: unread } = await load(host, path);
  if (page.pages.length === 0) return { diagnostics: inPageOrder(unread) };
  const { model, diagnostics: unbound } = bind(page, surroundings.described);
  const tooLarge = checkSize(model);
  if (tooLarge.length > 0) return { diagnostics: inPageOrder([...unread, ...unbound, ...tooLarge]) };
  const resolution = resolveSessions(model);
  const { provided } = surroundings;
  const whole = { model, resolution, trees: page.pages, provided, today: host.today };
  const diagnostics = inPageOrder([...unread, ...unbound, ...check(whole), ...lint(whole)]);
  if (diagnostics.some(isError)) return { diagnostics };
  return { ...lower(model, resolution, provided), diagnostics };
}
