// What the compiler answers about a draft. It is the compiler that `capc` runs, on a world of texts; what it reaches for that a
// browser does not have is left out by name, and never made up.

import { type Diagnostic, visible } from "../../../lang/diagnostics/index.ts";
import { formatFile } from "../../../lang/format/index.ts";
import { placeOf, type Span, sourceText } from "../../../lang/text/index.ts";
import { compile } from "../../compile.ts";
import { indexedTables } from "../../phases/policy/index.ts";
import { memoryHost } from "../../phases/source/index.ts";
import { explainDecision, explanationLines, leastChange } from "../../queries/why/index.ts";
import { matrixOf } from "./matrix.ts";
import type { Draft, Finding, Range, Reply, Request } from "./protocol.ts";

const FOLDER = "/page";
const PAGE = "system.cap";
const PATH = `${FOLDER}/${PAGE}`;

export async function answer(request: Request): Promise<Reply> {
  switch (request.kind) {
    case "look":
      return look(request.draft);
    case "why":
      return why(request);
    case "format": {
      const formed = await formatFile(sourceText(PAGE, request.text));
      return { kind: "formatted", text: formed.ok ? formed.value : undefined };
    }
  }
}

function hostOf({ text, beside, today }: Draft) {
  const files = beside.map(({ path, bytes }): [string, Uint8Array] => [`${FOLDER}/${path}`, bytes]);
  return memoryHost({ ...Object.fromEntries(files), [PATH]: text }, today);
}

async function look(draft: Draft): Promise<Reply> {
  const { policy, model, diagnostics, advice } = await compile(hostOf(draft), PATH, { purpose: "check" });
  const findings = [...diagnostics, ...advice].map(findingOf);
  const unlooked = model?.services.flatMap(({ exec }) => (exec === undefined ? [] : visible(exec.path.value))) ?? [];
  return { kind: "looked", findings, matrix: policy && matrixOf(indexedTables(policy)), unlooked };
}

async function why({ draft, question }: Extract<Request, { kind: "why" }>): Promise<Reply> {
  const host = hostOf(draft);
  const options = { purpose: "check", advice: "left" } as const;
  const { policy, origins, model } = await compile(host, PATH, options);
  const lost = (line: string): Reply => ({ kind: "explained", lines: [visible(line)], rule: undefined });
  if (policy === undefined || origins === undefined || model === undefined) return lost("the page has errors");
  const explained = explainDecision(policy, origins, question);
  if (!explained.ok) return lost(explained.reason);
  const { explanation } = explained;
  const change = await leastChange({ host, path: PATH, options, policy, model }, explanation);
  const lines = explanationLines(explanation, change).map(visible);
  return { kind: "explained", lines, rule: explanation.rule && rangeHere(explanation.rule.span) };
}

function findingOf({ severity, code, message, because, help, span, fix }: Diagnostic): Finding {
  const range = fix && rangeHere(fix.span);
  return {
    severity,
    code,
    message: visible(message),
    because: visible(because),
    help: help === undefined ? undefined : visible(help),
    place: visible(placeOf(span)),
    range: rangeHere(span),
    fix: range && fix && { ...range, insert: fix.replacement },
  };
}

function rangeHere({ source, start, end }: Span): Range | undefined {
  return source.path === PAGE ? { from: start, to: end } : undefined;
}
