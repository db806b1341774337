import { type Diagnostic, isError, sortDiagnostics } from "../lang/diagnostics/index.ts";
import type { FileTree } from "../lang/tree/index.ts";
import { type BootFiles, NO_BOOT_FILES, readBootFiles } from "./inputs/boot/boot-files.ts";
import { NO_SECRETS, readSecrets, type Secrets } from "./inputs/secrets/index.ts";
import { type Heads, NO_HEADS, readHeads } from "./inputs/weights/heads.ts";
import { bind, type InterfaceDescription, type Model, type Naming } from "./phases/bind/index.ts";
import { checkFit, FIT_CODES } from "./phases/fit/index.ts";
import {
  IMAGE_PROVIDERS,
  type LoweredPolicy,
  lower,
  type Origins,
  type Policy,
  type Providers,
  resolveSessions,
} from "./phases/policy/index.ts";
import { isForUpstream } from "./phases/policy/upstream/graph.ts";
import { listTrivialAssertions, type Proofs, prove } from "./phases/prove/index.ts";
import {
  checkPinnedImports,
  checkPrograms,
  createKeptReflections,
  type Imports,
  type KeptReflections,
  reflectStandard,
} from "./phases/reflect/index.ts";
import { type Host, load, Memo, type Package, type ReadPage } from "./phases/source/index.ts";
import {
  check,
  checkSize,
  isFailedProof,
  judge,
  lint,
  notEnforcedYet,
  type Page,
  type SilencedFinding,
  silenceImports,
} from "./rules/index.ts";

// A page is compiled in these phases, in this order: read, bind, check, lower, prove. Each phase takes the result of
// the previous one, and the types enforce the order: only a checked page is lowered, and only a lowered one is proved.
// Findings accompany the value, and a policy is returned only if none of them is an error.

export interface Compiled {
  /** Policy of the page; absent if a diagnostic is an error. */
  readonly policy?: Policy;
  readonly origins?: Origins;
  /** Model from which the policy was made; absent without a policy. */
  readonly model?: Model;
  /**
   * Proofs of the page's assertions. A page with errors has no proofs; a failed proof is an error too, but such a page
   * still has its proofs.
   */
  readonly proofs?: Proofs;
  /** Violations of laws, constructs that cannot be built yet, and failed proofs; in page order, each once. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Valid but probably unintended parts of the page. Advice never fails a check or a build. The list is empty if the option `advice` is
   * `left`.
   */
  readonly advice: readonly Diagnostic[];
  /**
   * Silenced advice, and silenced warnings about imports, each with the reason in the comment that silences it; laws
   * cannot be silenced.
   */
  readonly silenced: readonly SilencedFinding[];
  /** Parts of the page that could be resolved, valid or not; absent if the page could not be read or is too large. */
  readonly understood?: Understood;
}

/** A page with its names resolved as far as possible. */
interface Understood {
  readonly package: Package;
  readonly model: Model;
  /** Lowered policy of a page without errors; it is present even if a proof fails. */
  readonly lowered?: LoweredPolicy;
}

/** Results to reuse when one page is compiled repeatedly and its parts are unchanged. */
export interface CompileCache extends KeptReflections {
  readonly pages: Memo<ReadPage>;
}

export function createKept(): CompileCache {
  return { ...createKeptReflections(), pages: new Memo() };
}

/** Interfaces and providers for the compilation of a page. */
export interface CompileContext {
  /** Interfaces that the image's schemas define. */
  readonly described: readonly InterfaceDescription[];
  readonly provided: Providers;
}

/**
 * Purpose for which a page is compiled. A page with features that the image does not support yet can be checked and
 * tested, but not built.
 */
export type Purpose = "build" | "check";

export interface CompileOptions extends Partial<CompileContext> {
  /**
   * Purpose of the compilation. The default is `build`, which refuses more pages than `check`: a caller that forgets
   * this option never accepts a page that cannot be built.
   */
  readonly purpose?: Purpose;
  /**
   * Whether an image is made. If so, and if the page is for upstream's kernel, a compilation for a build also reads the
   * files that start this kernel. The default is false.
   */
  readonly boots?: boolean;
  /**
   * Whether advice is computed; `given` by default. A caller that shows no advice uses `left`, which saves a quarter of the time of a check
   * of ten thousand tools.
   */
  readonly advice?: "given" | "left";
  /** How failed proofs are treated; `demanded` by default. */
  readonly proofs?: ProofDemand;
  /** Assertions to prove in addition to those of the page; they may refer to names of the page. */
  readonly asked?: FileTree;
  /** Called for each name on the pages, with the thing that the name refers to. */
  readonly named?: (naming: Naming) => void;
  readonly kept?: CompileCache;
  /** Awaited between phases, so that other tasks may run; an exception from it ends the compilation. */
  readonly pause?: () => Promise<void>;
}

/**
 * How failed proofs are treated. `demanded`: a failed proof is an error. `told`: a failed proof is a warning, for
 * callers that report proofs or build nevertheless. `left`: nothing is proved, for callers that need only the page
 * itself.
 */
type ProofDemand = "demanded" | "told" | "left";

/** Options of one compilation, with defaults filled in. */
interface Job extends CompileContext {
  readonly host: Host;
  readonly path: string;
  readonly purpose: Purpose;
  readonly boots: boolean;
  readonly advice: "given" | "left";
  readonly proofs: ProofDemand;
  readonly asked: FileTree | undefined;
  readonly named: ((naming: Naming) => void) | undefined;
  readonly kept: CompileCache;
  readonly pause: () => Promise<void>;
}

/** The page and all pages and imports that it uses. */
interface Read {
  readonly package: Package;
  readonly imports: Imports;
  /** Warnings about imports, if comments of the page silence these warnings; they are not among the diagnostics. */
  readonly silenced: readonly SilencedFinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A page whose names are resolved as far as possible, and which is within the size limits. */
interface Bound extends Read {
  readonly model: Model;
}

/**
 * A page that breaks no law, with the files for a build. Only `checkPage` creates values of this type. The diagnostics
 * are in page order, and adapted to the purpose.
 */
interface Checked extends Bound {
  readonly page: Page;
  readonly heads: Heads["heads"];
  readonly secrets: Secrets["secrets"];
  readonly boot: BootFiles["boot"];
}

/** A page without errors, with tables: only `lowerPage` makes one. */
interface LoweredPage extends Checked, LoweredPolicy {}

/** A lowered page whose assertions were proved or refuted: only `provePage` makes one. */
interface Proven extends LoweredPage {
  /** Proofs of the assertions; absent if none were requested. */
  readonly proofs: Proofs | undefined;
}

/** Result of a phase: the input of the next one, or the end of the compilation. */
type Phase<Next> = { readonly next: Next } | { readonly end: Compiled };

/** Compiles the page at `path`. By default, the standard interfaces and the providers of the image are used. */
export async function compile(host: Host, path: string, options: CompileOptions = {}): Promise<Compiled> {
  const job = createJob(host, path, options);
  const read = await readPages(job);
  if ("end" in read) return read.end;
  await job.pause();
  const bound = bindPages(job, read.next);
  if ("end" in bound) return bound.end;
  await job.pause();
  const checked = await checkPage(job, bound.next);
  if ("end" in checked) return checked.end;
  const lowered = lowerPage(job, checked.next);
  await job.pause();
  const proven = await provePage(job, lowered);
  return endProven(job, proven);
}

function createJob(host: Host, path: string, options: CompileOptions): Job {
  return {
    host,
    path,
    described: options.described ?? reflectStandard(),
    provided: options.provided ?? IMAGE_PROVIDERS,
    purpose: options.purpose ?? "build",
    boots: options.boots === true,
    advice: options.advice ?? "given",
    proofs: options.proofs ?? "demanded",
    asked: options.asked,
    named: options.named,
    kept: options.kept ?? createKept(),
    pause: options.pause ?? (async () => {}),
  };
}

/** Reads the page and its imports. Ends the compilation if the page itself cannot be read. */
async function readPages({ host, path, kept }: Job): Promise<Phase<Read>> {
  const { package: page, diagnostics } = await load(host, path, kept.pages);
  if (page.pages.length === 0) return { end: endUnread(diagnostics) };
  const imports = await checkPinnedImports(page, kept);
  const { open, silenced } = silenceImports(page.pages, imports.diagnostics);
  return { next: { package: page, imports, silenced, diagnostics: [...diagnostics, ...open] } };
}

/** Resolves the names of the pages. Ends the compilation if the page exceeds the size limits. */
export function bindPages({ described, asked, named }: Job, read: Read): Phase<Bound> {
  const whole = asked === undefined ? read.package : { ...read.package, pages: [...read.package.pages, asked] };
  const { model, diagnostics: unbound } = bind(whole, described, read.imports, named);
  const diagnostics = [...read.diagnostics, ...unbound];
  const tooLarge = checkSize(model);
  if (tooLarge.length > 0) return { end: endUnread([...diagnostics, ...tooLarge]) };
  return { next: { ...read, model, diagnostics } };
}

/** Runs every law, and reads the files for a build. Ends the compilation if any finding is an error. */
export async function checkPage(job: Job, bound: Bound): Promise<Phase<Checked>> {
  const { host, path, purpose, kept, provided } = job;
  const { model } = bound;
  const resolution = resolveSessions(model);
  const page = { model, resolution, trees: bound.package.pages, provided, today: host.today };
  // Programs for upstream's kernel are checked by a law, not here.
  const programs = isForUpstream(model) ? [] : await checkPrograms(collectPrograms(model), kept.programs);
  const { heads, diagnostics: unfit } = purpose === "build" ? await readHeads(host, model) : NO_HEADS;
  const wantsBoot = purpose === "build" && job.boots && isForUpstream(model);
  const { boot, diagnostics: unbootable } = wantsBoot ? await readBootFiles(host, path, model) : NO_BOOT_FILES;
  const { secrets, diagnostics: unsealed } = purpose === "build" ? await readSecrets(host, path, model) : NO_SECRETS;
  const found = [...bound.diagnostics, ...programs, ...unfit, ...unbootable, ...unsealed, ...check(page)];
  const diagnostics = adaptToPurpose(purpose, found);
  await job.pause();
  const checked = { ...bound, page, heads, secrets, boot, diagnostics };
  return diagnostics.some(isError) ? { end: endUnlawful(job, checked) } : { next: checked };
}

/** Returns the page with the tables of its policy. */
export function lowerPage({ provided }: Job, checked: Checked): LoweredPage {
  const { model, page, heads, secrets, boot } = checked;
  return { ...checked, ...lower({ model, resolution: page.resolution, provided, heads, secrets, boot }) };
}

/**
 * Proves the page's assertions, unless proofs are left out. The function also reports an image that would not start:
 * its files are too large for their readers, or its processes need more than the machine has.
 */
export async function provePage(job: Job, lowered: LoweredPage): Promise<Proven> {
  const { model, policy, origins, page } = lowered;
  const tables = { policy, origins };
  const lawful = sortDiagnostics([...lowered.diagnostics, ...adaptToPurpose(job.purpose, checkFit(tables, model))]);
  if (job.proofs === "left") return { ...lowered, proofs: undefined, diagnostics: lawful };
  const proofs = prove(policy, model);
  const judged = judge({ ...tables, model, proofs });
  await job.pause();
  const failed = job.proofs === "told" ? judged.map(convertToWarning) : judged;
  const { dead, idleWaivers } = proofs;
  const trivial = listTrivialAssertions(proofs);
  const proven = { tables: policy.tables, rules: origins.rules, dead, idleWaivers, trivial };
  return { ...lowered, page: { ...page, proven }, proofs, diagnostics: sortDiagnostics([...lawful, ...failed]) };
}

/**
 * Returns the result for a page that passed all phases. The result has a policy, unless `provePage` reported an error:
 * a proof failed, or the image would not start.
 */
function endProven(job: Job, proven: Proven): Compiled {
  const { package: pages, model, policy, origins, proofs, diagnostics } = proven;
  const lowered = { policy, origins };
  const built = diagnostics.some(isError) ? {} : { ...lowered, model };
  const understood = { package: pages, model, lowered };
  return { ...built, understood, ...(proofs && { proofs }), diagnostics, ...advise(job, proven) };
}

/** Returns a failed proof as a warning, for a caller that reports it and continues. */
function convertToWarning(diagnostic: Diagnostic): Diagnostic {
  return isFailedProof(diagnostic) ? { ...diagnostic, severity: "warning" } : diagnostic;
}

/** Returns the advice on a page, unless the option omits it. */
function advise({ advice }: Job, { page, silenced }: Pick<Checked, "page" | "silenced">): Advised {
  if (advice === "left") return { advice: [], silenced };
  const linted = lint(page, silenced);
  return { advice: sortDiagnostics(linted.found), silenced: linted.silenced };
}

type Advised = Pick<Compiled, "advice" | "silenced">;

function collectPrograms({ services }: Model) {
  return services.flatMap(({ exec, interface: face }) => {
    const isListed = face.description.toolList !== undefined;
    return exec?.asset === undefined ? [] : [{ path: exec.path, asset: exec.asset, isListed }];
  });
}

/** Returns the result for a page that could not be read or is too large: no further phase runs. */
function endUnread(found: readonly Diagnostic[]): Compiled {
  return { diagnostics: sortDiagnostics(found), advice: [], silenced: [] };
}

/** Returns the result for a page with an error: its names are resolved, but it has no policy. */
function endUnlawful(job: Job, checked: Checked): Compiled {
  const { package: pages, model, diagnostics } = checked;
  return { understood: { package: pages, model }, diagnostics, ...advise(job, checked) };
}

const STOPS_A_BUILD: ReadonlySet<string> = new Set([notEnforcedYet.code, ...FIT_CODES]);

/** Returns findings in page order. If the page is not built now, findings that stop only a build are warnings. */
function adaptToPurpose(purpose: Purpose, found: readonly Diagnostic[]): Diagnostic[] {
  return sortDiagnostics(purpose === "build" ? found : found.map(relaxBuildOnly));
}

/** Converts a finding that prevents only a build into a warning that states this; returns any other finding unchanged. */
function relaxBuildOnly(diagnostic: Diagnostic): Diagnostic {
  if (!STOPS_A_BUILD.has(diagnostic.code)) return diagnostic;
  return { ...diagnostic, severity: "warning", message: `${diagnostic.message}: \`capc build\` refuses it` };
}
