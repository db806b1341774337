import { type Diagnostic, inPageOrder, isError } from "../lang/diagnostics/index.ts";
import { bind, type InterfaceDescription, type Model } from "./bind/index.ts";
import { check, checkProved, checkSize, notEnforcedYet } from "./check/index.ts";
import { type Linted, lint, type Silenced } from "./lint/index.ts";
import { IMAGE_PROVIDERS, lower, type Origins, type Policy, type Providers, resolveSessions } from "./policy/index.ts";
import { pinnedImports, reflectStandard, unfitPrograms } from "./reflect/index.ts";
import { type Host, load } from "./source/index.ts";

// The phases in their order. Each takes the last one's value; findings travel beside it, and a policy is made only
// where none of them is an error.

export interface Compiled {
  /** Absent where a diagnostic is an error. */
  readonly policy?: Policy;
  readonly origins?: Origins;
  /** What the policy was made from; absent with it. */
  readonly model?: Model;
  /** What breaks a law, and what cannot be built or proved yet; in page order, each once. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is lawful and probably not meant. A page that is checked or built is not judged by it; whoever asks, is told. */
  readonly advice: readonly Diagnostic[];
  /** Advice that comments on the page silence, each with its reason; laws cannot be silenced. */
  readonly silenced: readonly Silenced[];
}

/** What a page is compiled against. */
export interface Surroundings {
  /** Interfaces that schemas define. */
  readonly described: readonly InterfaceDescription[];
  readonly provided: Providers;
}

/**
 * What the result is for. A page may be written, checked and tested before the image can do all that it says; nothing is
 * built from it until then.
 */
export type Purpose = "build" | "check";

export interface CompileOptions extends Partial<Surroundings> {
  /** `build` where it is not said: whoever forgets to say it refuses too much. */
  readonly purpose?: Purpose;
  /** `given` where it is not said. Whoever tells nobody leaves it: a quarter of a check of ten thousand tools is advice. */
  readonly advice?: "given" | "left";
}

/** Compiles the page at `path`, against the standard interfaces and the providers of the image by default. */
export async function compile(host: Host, path: string, options: CompileOptions = {}): Promise<Compiled> {
  const { described = reflectStandard(), provided = IMAGE_PROVIDERS, purpose = "build" } = options;
  const { package: page, diagnostics: unread } = await load(host, path);
  if (page.pages.length === 0) return unlooked(unread);
  const imports = await pinnedImports(page);
  const read = [...unread, ...imports.diagnostics];
  const { model, diagnostics: unbound } = bind(page, described, imports);
  const tooLarge = checkSize(model);
  if (tooLarge.length > 0) return unlooked([...read, ...unbound, ...tooLarge]);
  const resolution = resolveSessions(model);
  const whole = { model, resolution, trees: page.pages, provided, today: host.today };
  const { found: advised, silenced } = options.advice === "left" ? NO_ADVICE : lint(whole);
  const advice = inPageOrder(advised);
  const programs = await unfitPrograms(programsOf(model));
  const found = [...read, ...unbound, ...programs, ...check(whole), ...checkProved(model)];
  const diagnostics = inPageOrder(purpose === "build" ? found : found.map(withoutHaste));
  if (diagnostics.some(isError)) return { diagnostics, advice, silenced };
  return { ...lower(model, resolution, provided), model, diagnostics, advice, silenced };
}

const NO_ADVICE: Linted = { found: [], silenced: [] };

function programsOf({ services }: Model) {
  return services.flatMap(({ exec }) => (exec?.asset === undefined ? [] : [{ path: exec.path, asset: exec.asset }]));
}

/** Of what could not be read, or is too large, nothing more is asked. */
function unlooked(found: readonly Diagnostic[]): Compiled {
  return { diagnostics: inPageOrder(found), advice: [], silenced: [] };
}

/** What the image cannot enforce stops a build, and is worth a word before. */
function withoutHaste(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.code === notEnforcedYet.code ? { ...diagnostic, severity: "warning" } : diagnostic;
}
