import { type Diagnostic, inPageOrder, isError } from "../lang/diagnostics/index.ts";
import type { FileTree } from "../lang/tree/index.ts";
import { NO_BOOT_FILES, readBootFiles } from "./inputs/boot/boot-files.ts";
import { NO_SECRETS, readSecrets } from "./inputs/secrets/index.ts";
import { NO_HEADS, readHeads } from "./inputs/weights/heads.ts";
import { bind, type InterfaceDescription, type Model, type Naming } from "./phases/bind/index.ts";
import { checkFit, FIT_CODES } from "./phases/fit/index.ts";
import {
  IMAGE_PROVIDERS,
  type Lowered,
  lower,
  type Origins,
  type Policy,
  type Providers,
  resolveSessions,
} from "./phases/policy/index.ts";
import { isForUpstream } from "./phases/policy/upstream/graph.ts";
import { type Proofs, prove } from "./phases/prove/index.ts";
import {
  type KeptReflections,
  keptReflections,
  pinnedImports,
  reflectStandard,
  unfitPrograms,
} from "./phases/reflect/index.ts";
import { type Host, load, Memo, type Package, type ReadPage } from "./phases/source/index.ts";
import {
  check,
  checkSize,
  isFailedProof,
  judge,
  type Linted,
  lint,
  notEnforcedYet,
  type Page,
  type ProvenPage,
  type Silenced,
} from "./rules/index.ts";

// The phases in their order. Each takes the last one's value; findings travel beside it, and a policy is made only
// where none of them is an error.

export interface Compiled {
  /** Absent where a diagnostic is an error. */
  readonly policy?: Policy;
  readonly origins?: Origins;
  /** What the policy was made from; absent with it. */
  readonly model?: Model;
  /** What was proved of it. Of a page with errors of its own nothing is; a proof that fails is an error, and stands here too. */
  readonly proofs?: Proofs;
  /** What breaks a law, what cannot be built yet, and proofs that fail; in page order, each once. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is lawful and probably not meant. A page that is checked or built is not judged by it; whoever asks, is told. */
  readonly advice: readonly Diagnostic[];
  /** Advice that comments on the page silence, each with its reason; laws cannot be silenced. */
  readonly silenced: readonly Silenced[];
  /** What was understood of the page, lawful or not; absent where it could not be read, or is too large. */
  readonly understood?: Understood;
}

/** A page with its names resolved, as far as they could be. */
export interface Understood {
  readonly package: Package;
  readonly model: Model;
  /** Of a page without errors of its own, also where a proof fails. */
  readonly lowered?: Lowered;
}

/** What need not be made again when one page is compiled again and again: of what is the same. */
export interface Kept extends KeptReflections {
  readonly pages: Memo<ReadPage>;
}

export function nothingKept(): Kept {
  return { ...keptReflections(), pages: new Memo() };
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
  /** Whether an image is made: then files that start upstream's kernel are read, too. They are not where it is not said. */
  readonly boots?: boolean;
  /** `given` where it is not said. Whoever tells nobody leaves it: a quarter of a check of ten thousand tools is advice. */
  readonly advice?: "given" | "left";
  /** `demanded` where it is not said. */
  readonly proofs?: ProofDemand;
  /** Assertions beside those of the page; names in them are the page's. */
  readonly asked?: FileTree;
  /** Told what each place of the pages names. */
  readonly named?: (naming: Naming) => void;
  readonly kept?: Kept;
  /** Waited for between phases, so that others may have their turn; what it throws ends the compilation. */
  readonly pause?: () => Promise<void>;
}

/**
 * `demanded`: a proof that fails is an error. `told`: it is a warning, for whoever asks what is proved or builds all the same.
 * `left`: nothing is proved, for whoever asks what a page says, and not what follows from it.
 */
export type ProofDemand = "demanded" | "told" | "left";

/** Compiles the page at `path`, against the standard interfaces and the providers of the image by default. */
export async function compile(host: Host, path: string, options: CompileOptions = {}): Promise<Compiled> {
  const { described = reflectStandard(), provided = IMAGE_PROVIDERS, purpose = "build" } = options;
  const { kept = nothingKept(), pause = atOnce, named } = options;
  const { package: page, diagnostics: unread } = await load(host, path, kept.pages);
  if (page.pages.length === 0) return unlooked(unread);
  const imports = await pinnedImports(page, kept);
  await pause();
  const read = [...unread, ...imports.diagnostics];
  const asked = options.asked === undefined ? page : { ...page, pages: [...page.pages, options.asked] };
  const { model, diagnostics: unbound } = bind(asked, described, imports, named);
  const tooLarge = checkSize(model);
  if (tooLarge.length > 0) return unlooked([...read, ...unbound, ...tooLarge]);
  await pause();
  const resolution = resolveSessions(model);
  const whole = { model, resolution, trees: page.pages, provided, today: host.today };
  const advised = (proven?: () => ProvenPage) =>
    adviceOn(options.advice === "left" ? NO_ADVICE : lint(withProofs(whole, proven?.())));
  // What runs on another kernel is judged by a law of its own.
  const programs = isForUpstream(model) ? [] : await unfitPrograms(programsOf(model), kept.programs);
  const { heads, diagnostics: unfit } = purpose === "build" ? await readHeads(host, model) : NO_HEADS;
  const wantsBoot = purpose === "build" && options.boots === true && isForUpstream(model);
  const started = wantsBoot ? await readBootFiles(host, path, model) : NO_BOOT_FILES;
  const sealed = purpose === "build" ? await readSecrets(host, path, model) : NO_SECRETS;
  const found = [
    ...read,
    ...unbound,
    ...programs,
    ...unfit,
    ...started.diagnostics,
    ...sealed.diagnostics,
    ...check(whole),
  ];
  const understood = { package: page, model };
  await pause();
  const broken = forPurpose(purpose, found);
  if (broken.some(isError)) return { understood, diagnostics: broken, ...advised() };
  const tables = lower(model, resolution, provided, heads, sealed.secrets, started.boot);
  const lowered = { ...tables, model, understood: { ...understood, lowered: tables } };
  const unfitting = forPurpose(purpose, checkFit(tables, model));
  const lawful = inPageOrder([...broken, ...unfitting]);
  await pause();
  if (options.proofs === "left")
    return unfitting.some(isError)
      ? { understood: lowered.understood, diagnostics: lawful, ...advised() }
      : { ...lowered, diagnostics: lawful, ...advised() };
  const proofs = prove(lowered.policy, model);
  const judged = judge({ ...lowered, proofs });
  await pause();
  const failed = options.proofs === "told" ? judged.map(onlyTold) : judged;
  const { policy, origins } = lowered;
  const advice = advised(() => ({
    tables: policy.tables,
    rules: origins.rules,
    dead: proofs.dead,
    idleWaivers: proofs.idleWaivers,
  }));
  const told = {
    understood: lowered.understood,
    proofs,
    diagnostics: inPageOrder([...lawful, ...failed]),
    ...advice,
  };
  return told.diagnostics.some(isError) ? told : { ...lowered, ...told };
}

async function atOnce(): Promise<void> {}

/** A proof that fails, for somebody who wants to be told and to go on. */
function onlyTold(diagnostic: Diagnostic): Diagnostic {
  return isFailedProof(diagnostic) ? { ...diagnostic, severity: "warning" } : diagnostic;
}

function withProofs(page: Page, proven: ProvenPage | undefined): Page {
  return proven === undefined ? page : { ...page, proven };
}

function adviceOn({ found, silenced }: Linted): Pick<Compiled, "advice" | "silenced"> {
  return { advice: inPageOrder(found), silenced };
}

const NO_ADVICE: Linted = { found: [], silenced: [] };

function programsOf({ services }: Model) {
  return services.flatMap(({ exec, interface: face }) => {
    const isListed = face.description.toolList !== undefined;
    return exec?.asset === undefined ? [] : [{ path: exec.path, asset: exec.asset, isListed }];
  });
}

/** Of what could not be read, or is too large, nothing more is asked. */
function unlooked(found: readonly Diagnostic[]): Compiled {
  return { diagnostics: inPageOrder(found), advice: [], silenced: [] };
}

const STOPS_A_BUILD: ReadonlySet<string> = new Set([notEnforcedYet.code, ...FIT_CODES]);

/** Returns findings in page order. Of a page that is not built now, those that stop a build alone are warnings. */
function forPurpose(purpose: Purpose, found: readonly Diagnostic[]): Diagnostic[] {
  return inPageOrder(purpose === "build" ? found : found.map(onlyBuildRefuses));
}

/** Returns a finding that stops a build alone as a warning that says so, and any other as it is. */
function onlyBuildRefuses(diagnostic: Diagnostic): Diagnostic {
  if (!STOPS_A_BUILD.has(diagnostic.code)) return diagnostic;
  return { ...diagnostic, severity: "warning", message: `${diagnostic.message}: \`capc build\` refuses it` };
}
