// Answers requests about a draft with capc's own compiler, on a host of texts. Functions that a browser does not have are reported by
// name, never imitated.

import { type Diagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { formatFile } from "../../../lang/format/index.ts";
import { createSourceText, placeOf, type Span } from "../../../lang/text/index.ts";
import { compile } from "../../compile.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { explainDecision, findLeastChange, renderExplanation } from "../../queries/why/index.ts";
import { createMatrix } from "./matrix.ts";
import type { Draft, Finding, Range, Reply, Request } from "./protocol.ts";

const FOLDER = "/page";
const PAGE = "system.cap";
const PATH = `${FOLDER}/${PAGE}`;

export async function answer(request: Request): Promise<Reply> {
  switch (request.kind) {
    case "look":
      return look(request.draft);
    case "why":
      return explainQuestion(request);
    case "format": {
      const formed = await formatFile(createSourceText(PAGE, request.text));
      return { kind: "formatted", text: formed.ok ? formed.value : undefined };
    }
  }
}

function createHost({ text, beside, today }: Draft) {
  const files = beside.map(({ path, bytes }): [string, Uint8Array] => [`${FOLDER}/${path}`, bytes]);
  return createMemoryHost({ ...Object.fromEntries(files), [PATH]: text }, today);
}

async function look(draft: Draft): Promise<Reply> {
  const { policy, model, diagnostics, advice } = await compile(createHost(draft), PATH, { purpose: "check" });
  const findings = [...diagnostics, ...advice].map(createFinding);
  const unlooked =
    model?.services.flatMap(({ exec }) => (exec === undefined ? [] : escapeInvisible(exec.path.value))) ?? [];
  return { kind: "looked", findings, matrix: policy && createMatrix(indexPolicyTables(policy)), unlooked };
}

async function explainQuestion({ draft, question }: Extract<Request, { kind: "why" }>): Promise<Reply> {
  const host = createHost(draft);
  const options = { purpose: "check", advice: "left" } as const;
  const { policy, origins, model } = await compile(host, PATH, options);
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
  return { kind: "explained", lines, rule: explanation.rule && findRangeHere(explanation.rule.span) };
}

function createFinding({ severity, code, message, because, help, span, fix }: Diagnostic): Finding {
  const range = fix && findRangeHere(fix.span);
  return {
    severity,
    code,
    message: escapeInvisible(message),
    because: escapeInvisible(because),
    help: help === undefined ? undefined : escapeInvisible(help),
    place: escapeInvisible(placeOf(span)),
    range: findRangeHere(span),
    fix: range && fix && { ...range, insert: fix.replacement },
  };
}

function findRangeHere({ source, start, end }: Span): Range | undefined {
  return source.path === PAGE ? { from: start, to: end } : undefined;
}
