// Answers the playground's requests about a draft with capc's own compiler, which reads texts in memory instead of
// files. If a feature needs functions that a browser does not have, the answer names this feature.

import { posix } from "node:path";
import { type Diagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { formatFile } from "../../../lang/format/index.ts";
import { createSourceText, placeOf, type Span } from "../../../lang/text/index.ts";
import { type Compiled, compile } from "../../compile.ts";
import type { Naming } from "../../phases/bind/index.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { updateLock } from "../../phases/reflect/index.ts";
import { createMemoryHost, type Host } from "../../phases/source/index.ts";
import { findCertainFixes } from "../../queries/fixes/index.ts";
import { explainDecision, findLeastChange, renderExplanation } from "../../queries/why/index.ts";
import { createMemoryLister } from "../lsp/features/completion/paths.ts";
import { createSnapshot } from "../lsp/snapshot.ts";
import { completeText, hoverOver, type LastDraft, type OpenFile } from "./assist.ts";
import { isMakeable, isProjectPath } from "./files.ts";
import { createMatrix } from "./matrix.ts";
import { type Draft, type Finding, type Range, type Reply, type Request, ROOT } from "./protocol.ts";

const FOLDER = "/page";
/** Codes of findings about cap.lock. */
const PINNING: ReadonlySet<string> = new Set(["import-not-pinned", "import-changed", "lock-unreadable"]);
const PATH = `${FOLDER}/${ROOT}`;

/** Result of the last compilation of the edited project; it answers all requests until the project changes. */
interface Latest extends LastDraft {
  readonly revision: number;
  readonly host: Host;
  readonly compiled: Compiled;
  /** Paths of the files that exist and that the compiler looked for. */
  readonly read: ReadonlySet<string>;
}

/**
 * Returns a function that answers requests, one after the other. It keeps the result of the last compilation.
 */
export function createAnswerer(): (request: Request) => Promise<Reply> {
  let latest: Latest | undefined;
  const compileDraft = async (draft: Draft): Promise<Latest> => {
    const { revision, beside } = draft;
    const read = new Set<string>();
    const host = recordReads(createHost(draft), read);
    const named: Naming[] = [];
    const compiled = await compile(host, PATH, { purpose: "check", named: (naming) => named.push(naming) });
    const snapshot = createSnapshot(PATH, compiled, named, () => findCertainFixes(host, PATH));
    const listFolder = createMemoryLister([PATH, ...beside.map(({ path }) => `${FOLDER}/${path}`)]);
    latest = { revision, snapshot, listFolder, host, compiled, read };
    return latest;
  };
  const takeDraft = async (draft: Draft): Promise<Latest> =>
    latest?.revision === draft.revision ? latest : compileDraft(draft);
  return async (request) => {
    switch (request.kind) {
      case "look": {
        const { compiled, read } = await compileDraft(request.draft);
        return renderLooked(request.draft, compiled, read);
      }
      case "why":
        return explainQuestion(request, await takeDraft(request.draft));
      case "format": {
        const formed = await formatFile(createSourceText(request.file, request.text));
        return { kind: "formatted", text: formed.ok ? formed.value : undefined };
      }
      case "pin": {
        const { text, changes } = await updateLock(createHost(request.draft), PATH);
        return { kind: "pinned", text, changes: changes.map(escapeInvisible) };
      }
      case "complete": {
        const { file, text, offset } = request;
        return completeText({ path: `${FOLDER}/${file}`, text }, offset, latest);
      }
      case "hover": {
        const { draft, file, offset } = request;
        const open = findOpenFile(draft, file);
        if (open === undefined) return { kind: "hovered", hover: undefined };
        const { snapshot } = await takeDraft(draft);
        return { kind: "hovered", hover: await hoverOver(open, offset, snapshot) };
      }
    }
  };
}

function createHost({ text, beside, today }: Draft): Host {
  const files = beside.map(({ path, bytes }): [string, Uint8Array] => [`${FOLDER}/${path}`, bytes]);
  return createMemoryHost({ ...Object.fromEntries(files), [PATH]: text }, today);
}

/**
 * Returns a host that works like `host`. If the compiler asks for an existing file, the host also adds the path of the
 * file to `read`.
 */
function recordReads(host: Host, read: Set<string>): Host {
  return {
    ...host,
    realPath: async (path) => {
      const real = await host.realPath(path);
      if (real !== undefined) read.add(real);
      return real;
    },
  };
}

/** Returns a file of the edited project with its text, or `undefined` if the project has no such file. */
function findOpenFile({ text, beside }: Draft, file: string): OpenFile | undefined {
  const path = `${FOLDER}/${file}`;
  if (file === ROOT) return { path, file, text };
  const found = beside.find((one) => one.path === file);
  return found && { path, file, text: new TextDecoder().decode(found.bytes) };
}

function renderLooked(draft: Draft, compiled: Compiled, read: ReadonlySet<string>): Reply {
  const { policy, model, diagnostics, advice } = compiled;
  const files = new Set([ROOT, ...draft.beside.map(({ path }) => path)]);
  const findings = [...diagnostics, ...advice].map((found) => createFinding(found, files));
  const unlooked =
    model?.services.flatMap(({ exec }) => (exec === undefined ? [] : escapeInvisible(exec.path.value))) ?? [];
  const named = draft.beside.map(({ path }) => path).filter((path) => read.has(`${FOLDER}/${path}`));
  return { kind: "looked", findings, matrix: policy && createMatrix(indexPolicyTables(policy)), named, unlooked };
}

async function explainQuestion(
  { draft, question }: Extract<Request, { kind: "why" }>,
  { host, compiled }: Latest,
): Promise<Reply> {
  const files = new Set([ROOT, ...draft.beside.map(({ path }) => path)]);
  const options = { purpose: "check", advice: "left" } as const;
  const { policy, origins, model } = compiled;
  const createLostReply = (line: string): Reply => ({
    kind: "explained",
    lines: [escapeInvisible(line)],
    rule: undefined,
  });
  if (policy === undefined || origins === undefined || model === undefined)
    return createLostReply("the page has errors");
  const explained = explainDecision(policy, origins, question);
  if (!explained.ok) return createLostReply(explained.reason);
  const { value: explanation } = explained;
  const proposed = await findLeastChange({ host, path: PATH, options, policy, model }, explanation);
  const lines = renderExplanation(explanation, proposed).map(escapeInvisible);
  return { kind: "explained", lines, rule: explanation.rule && findRange(explanation.rule.span, files) };
}

function createFinding(found: Diagnostic, files: ReadonlySet<string>): Finding {
  const { severity, code, message, because, help, span, fix } = found;
  const range = fix && findRange(fix.span, files);
  return {
    severity,
    code,
    message: escapeInvisible(message),
    because: escapeInvisible(because),
    help: help === undefined ? undefined : escapeInvisible(help),
    place: escapeInvisible(placeOf(span)),
    range: findRange(span, files),
    fix: range && fix && { ...range, insert: fix.replacement },
    missing: code === "file-unreadable" ? findMissing(span, files) : undefined,
    isPinning: PINNING.has(code),
  };
}

/**
 * Converts a text that names a missing file, relative to its page, to a path of the project; `undefined` if the
 * playground cannot make the file.
 */
function findMissing({ source, start, end }: Span, files: ReadonlySet<string>): string | undefined {
  const [, named] = /^"([^"\\]*)"$/.exec(source.text.slice(start, end)) ?? [];
  if (named === undefined) return undefined;
  const path = posix.join(posix.dirname(source.path), named);
  return isProjectPath(path) && isMakeable(path) && !files.has(path) ? path : undefined;
}

function findRange({ source, start, end }: Span, files: ReadonlySet<string>): Range | undefined {
  return files.has(source.path) ? { file: source.path, from: start, to: end } : undefined;
}
