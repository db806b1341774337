// capc why: why a call is allowed, gated or refused, and what would change that.

import { encodeRange, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import {
  type Change,
  type Explanation,
  explainDecision,
  findLeastChange,
  renderExplanation,
} from "../../queries/why/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, type PageCompiled, requireLawful } from "../page.ts";
import { tellOnly } from "../render-findings.ts";
import { readQuestion } from "../why/question.ts";

/** `capc why FILE QUESTION` */
export const why: Command = {
  name: "why",
  operands: ["FILE", "QUESTION"],
  does: "say why a call is allowed, gated or refused, and what would change that",
  details: `QUESTION is one word for the shell: SESSION[.TASK[.PHASE]] TOOL [ARGUMENTS], the arguments as a JSON object; without
them the least that fits is asked about. The change that is named is compiled and held to every law; nothing is written.`,
  options: [
    { name: "label", value: "LABEL", does: "what the conversation has seen, as in secret:{hr}/untrusted" },
    { name: "values", value: "VALUES", does: "values of the task's parameters, as in '\"ACME GmbH\" 100'" },
    { name: "unattended", does: "nobody is there to be asked" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: explainCall,
};

async function explainCall(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = "", words = ""] = typed.operands;
  const read = readQuestion(words, typed.values.get("label"), typed.switches.has("unattended") ? "absent" : "present");
  if (!read.ok) return refuse(world, 2, read.reason);
  const page = await compilePage(file, world, { purpose: "check" });
  if (page.kind === "unreadable") return refuse(world, 3, page.reason);
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return 1;
  }
  const { policy, origins, model } = requireLawful(page.compiled);
  const values = typed.values.get("values");
  const explained = explainDecision(policy, origins, { ...read.value, ...(values === undefined ? {} : { values }) });
  if (!explained.ok) return refuse(world, 2, explained.reason);
  const { readings, path } = page;
  const change = await findLeastChange(
    { host: readings.host, path, options: { purpose: "check" }, policy, model },
    explained.value,
  );
  tell({ found: explained.value, change, page }, typed.switches.has("json") ? "json" : "text", world);
  return 0;
}

/** An explanation, the least change if there is one, and the page that both are about. */
interface Explained {
  readonly found: Explanation;
  readonly change: Change | undefined;
  readonly page: PageCompiled;
}

function tell({ found, change, page: { view } }: Explained, format: "json" | "text", world: World): void {
  const rule = found.rule === undefined ? undefined : { ...found.rule, span: view.span(found.rule.span) };
  const explanation = { ...found, rule };
  const edits = change?.edits.map((edit) => ({ ...edit, span: view.span(edit.span) })) ?? [];
  const placed = change === undefined ? undefined : { ...change, edits };
  if (format === "json") world.print(`${JSON.stringify(convertToJson(explanation, placed))}\n`);
  else for (const line of renderExplanation(explanation, placed)) world.print(`${escapeInvisible(line)}\n`);
}

function convertToJson(
  { question, answer, reason, checks, rule, masked, arguments: asked }: Explanation,
  change: Change | undefined,
) {
  return {
    question,
    answer,
    reason,
    arguments: asked,
    checks,
    rule: rule === undefined ? null : { id: rule.id, words: rule.words, ...encodeRange(rule.span) },
    masked,
    change:
      change === undefined
        ? null
        : {
            edits: change.edits.map(({ span, replacement }) => ({ ...encodeRange(span), replacement })),
            answer: change.answer,
            opens: change.opens,
          },
  };
}

function refuse(world: World, status: ExitStatus, reason: string): ExitStatus {
  world.report(`capc why: ${escapeInvisible(reason)}\n`);
  return status;
}
