// capc why explains why a call is allowed, gated or refused, and which change would allow it.

import { accept, type Result } from "../../../engine/lib/result/result.ts";
import { encodeRange, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import {
  type Edit,
  type Explanation,
  explainDecision,
  findAskedTools,
  findLeastChange,
  listPassedOver,
  type PassedLine,
  type ProposedChange,
  type Question,
  renderExplanation,
} from "../../queries/why/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, type PageCompiled, requireLawful } from "../page.ts";
import { tellOnly } from "../render-findings.ts";
import { readQuestion } from "../why/question.ts";
import { suggestQuoting } from "../why/quoting.ts";
import { wrapLine } from "../wrapping.ts";

/** `capc why FILE QUESTION` */
export const why: Command = {
  name: "why",
  operands: ["FILE", "QUESTION"],
  does: "explain why a call is allowed, gated or refused, and name the smallest change of the page that would alter this decision",
  details: `Write QUESTION in quotes for the shell: 'SESSION[.TASK[.PHASE]] TOOL [ARGUMENTS]'. TOOL is a tool of
a service, or a method of an interface. The arguments are a JSON object, or { name: value } as in
tests of a page. Without arguments the command chooses the smallest arguments that are valid. If the
arguments have a path, and a rule about only this path would change the decision, the command proposes
such a rule. A release of data covers all calls of its tool. So if a call needs a release and its
arguments have a path, the command proposes the release together with a rule that forbids the tool for
other paths. It also lists the decisions that this rule makes stricter. If a rule about the tool
already has a condition, the command proposes only the release. The command compiles the page with
the proposed change and checks every law, but does not write the change.
The exit status is 0 for every decision.`,
  options: [
    { name: "label", value: "LABEL", does: "label of the conversation, such as secret:{hr}/untrusted" },
    { name: "typed", value: "TEXT", does: "text that the person has typed, for conditions with `from`" },
    { name: "pasted", value: "TEXT", does: "text that the person has pasted" },
    {
      name: "result",
      value: "RESULT",
      does: 'a result that the conversation has read, such as: contacts.find {"address": "a@b.example"}',
    },
    { name: "values", value: "VALUES", does: "values of the task's parameters, such as '\"ACME GmbH\" 100'" },
    { name: "unattended", does: "assume that no person is at the console" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  suggestOperands: suggestQuoting,
  run: explainCall,
};

async function explainCall(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = "", words = ""] = typed.operands;
  const read = await readQuestion(words, {
    label: typed.values.get("label"),
    presence: typed.switches.has("unattended") ? "absent" : "present",
    typed: typed.values.get("typed"),
    pasted: typed.values.get("pasted"),
    result: typed.values.get("result"),
  });
  if (!read.ok) return refuse(world, 2, read.reason);
  const page = await compilePage(file, world, { purpose: "check" });
  if (page.kind === "unreadable") return refuse(world, 3, page.reason);
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return 1;
  }
  const { model } = requireLawful(page.compiled);
  const tools = findAskedTools(model, read.value.tool);
  const isJson = typed.switches.has("json");
  if (isJson && tools.length > 1)
    return refuse(world, 2, `${read.value.tool} is ${tools.join(", ")} here: name one of them`);
  const values = typed.values.get("values");
  for (const [index, tool] of tools.entries()) {
    const question = { ...read.value, tool, ...(values === undefined ? {} : { values }) };
    const explained = await explainOne(page, question);
    if (!explained.ok) return refuse(world, 2, explained.reason);
    if (index > 0) world.print("\n");
    tell(explained.value, isJson ? "json" : "text", world);
  }
  return 0;
}

/**
 * The explanation of one decision, with the proposed change, the lines that have no effect on the call, and the page.
 */
interface Explained {
  readonly found: Explanation;
  readonly proposed: ProposedChange;
  readonly passed: readonly PassedLine[];
  readonly page: PageCompiled;
}

async function explainOne(page: PageCompiled, question: Question): Promise<Result<Explained>> {
  const { policy, origins, model } = requireLawful(page.compiled);
  const found = explainDecision(policy, origins, question);
  if (!found.ok) return found;
  const { readings, path } = page;
  const read = { host: readings.host, path, options: { purpose: "check" }, policy, model } as const;
  const proposed = await findLeastChange(read, found.value);
  return accept({ found: found.value, proposed, passed: listPassedOver(model, found.value), page });
}

function tell({ found, proposed, passed, page: { view } }: Explained, format: "json" | "text", world: World): void {
  const rule = found.rule === undefined ? undefined : { ...found.rule, span: view.span(found.rule.span) };
  const explanation = { ...found, rule };
  const place = <T extends { readonly edits: readonly Edit[] }>(changed: T): T => ({
    ...changed,
    edits: changed.edits.map((edit) => ({ ...edit, span: view.span(edit.span) })),
  });
  const change = proposed.change && place(proposed.change);
  const refused = proposed.refused && {
    ...place(proposed.refused),
    error: view.diagnostic(proposed.refused.error),
  };
  const lines = passed.map((line) => ({ ...line, span: view.span(line.span) }));
  if (format === "json") world.print(`${JSON.stringify(convertToJson(explanation, { change, refused }, lines))}\n`);
  else
    for (const line of renderExplanation(explanation, { change, refused }, lines))
      for (const row of wrapLine(escapeInvisible(line), world.outputColumns)) world.print(`${row}\n`);
}

function convertToJson(
  { question, answer, reason, labelText, checks, rule, masked, arguments: asked }: Explanation,
  { change, refused }: ProposedChange,
  passed: readonly PassedLine[],
) {
  return {
    question,
    answer,
    reason,
    arguments: asked,
    label: labelText,
    checks,
    rule: rule === undefined ? null : { id: rule.id, words: rule.words, ...encodeRange(rule.span) },
    passedOver: passed.map(({ words, span, by, why }) => ({ words, by, why, ...encodeRange(span) })),
    masked,
    change:
      change === undefined
        ? null
        : {
            edits: change.edits.map(encodeEdit),
            answer: change.answer,
            opens: change.opens,
            narrows: change.narrows,
            flowsSkipped: change.flowsSkipped ?? null,
          },
    refusedChange:
      refused === undefined
        ? null
        : { edits: refused.edits.map(encodeEdit), code: refused.error.code, message: refused.error.message },
  };
}

function encodeEdit({ span, replacement }: Edit): object {
  return { ...encodeRange(span), replacement };
}

function refuse(world: World, status: ExitStatus, reason: string): ExitStatus {
  world.report(`capc why: ${escapeInvisible(reason)}\n`);
  return status;
}
