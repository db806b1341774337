// Imports rules of Codex about commands (`rules/default.rules`): https://developers.openai.com/codex/rules. The strictest rule that
// matches the first words of a command decides.

import { isStricter } from "../../../../engine/lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../../engine/lib/result/result.ts";
import { makeSpan, type SourceText } from "../../../../lang/text/index.ts";
import { findExtraAuthority } from "../commands.ts";
import { FindingList } from "../findings.ts";
import type { ImportedSettings } from "../imported.ts";
import { renderPage } from "../page.ts";
import { type CommandRule, decideMethods, explainLostCommand } from "../programs.ts";
import { refuseAt } from "../reading/located.ts";
import { type Call, type Literal, readCalls } from "../reading/starlark.ts";
import { createStance, type Mode, pickStricter } from "../stance.ts";
import { decideByConfig } from "./policy.ts";

interface PrefixRule {
  readonly mode: Mode;
  /** Words of the pattern, each with its alternatives. */
  readonly pattern: readonly (readonly string[])[];
  /** The first alternative of each word, as one text. */
  readonly text: string;
  readonly call: Call;
}

const DECISIONS: ReadonlyMap<Literal | undefined, Mode> = new Map<Literal | undefined, Mode>([
  [undefined, "auto"],
  ["allow", "auto"],
  ["prompt", "consent"],
  ["forbidden", "forbidden"],
]);

/** Maximum number of rules. It is limited, because each rule is compared with every other rule. */
const MOST_RULES = 1000;

/** Imports a file of rules. The caller has bounded the size of `source`. */
export function importRules(source: SourceText): ImportedSettings {
  const read = readCalls(source);
  if (!read.ok) return refuseAt(source, read.at, read.reason);
  const rules: PrefixRule[] = [];
  for (const call of read.value) {
    if (call.name === "host_executable") continue;
    const rule = readPrefixRule(call);
    if (!rule.ok) return refuseAt(source, call.start, rule.reason);
    rules.push(rule.value);
    if (rules.length > MOST_RULES) return refuseAt(source, call.start, `there are more than ${MOST_RULES} rules`);
  }
  const commands = rules.flatMap(listCommands);
  const methods = decideMethods(commands);
  // The file contains only rules about commands, so all other tools are decided as for an empty configuration.
  const without = decideByConfig({});
  const removal = methods.get("Files.delete");
  const removing = removal?.isNamed === true ? pickStricter("consent", removal.mode) : "forbidden";
  const policy = { ...without, methods, files: { ...without.files, delete: createStance(removing) } };
  const found = new FindingList({ prefix_rule: rules.map(({ text }) => text) }, ([, index]) => {
    const call = typeof index === "number" ? rules[index]?.call : undefined;
    return makeSpan(source, call?.start ?? 0, (call?.start ?? 0) + "prefix_rule".length);
  });
  for (const index of rules.keys()) reportRule(index, rules, commands, found);
  return { ok: true, policy, page: renderPage(policy), findings: found.list() };
}

/** Returns the rule that a call of `prefix_rule` in the file states, or the reason why Codex does not read the file. */
function readPrefixRule({ name, values, ...place }: Call): Result<PrefixRule> {
  if (name !== "prefix_rule") return refuse(`only prefix_rule and host_executable are read, not ${name}`);
  const written = values.get("pattern");
  const mode = DECISIONS.get(values.get("decision"));
  if (mode === undefined) return refuse('decision is "allow", "prompt" or "forbidden"');
  if (!Array.isArray(written) || written.length === 0) return refuse("pattern is a list of words");
  const pattern: string[][] = [];
  for (const element of written as readonly Literal[]) {
    const words = (
      typeof element === "string" ? [element] : Array.isArray(element) ? element : []
    ) as readonly Literal[];
    const texts = words.filter((word): word is string => typeof word === "string");
    if (texts.length === 0 || texts.length !== words.length)
      return refuse("a word of pattern is a text, or a list of texts");
    pattern.push(texts);
  }
  const text = pattern.map(([first]) => first).join(" ");
  return accept({ mode, pattern, text, call: { name, values, ...place } });
}

/** Returns a rule for each program that the first word of a pattern names. */
function listCommands({ mode, pattern }: PrefixRule): readonly CommandRule[] {
  const [programs = [], ...rest] = pattern;
  return programs.map((program) => ({ mode, words: [program, ...rest.map(([first = ""]) => first)], isOpen: true }));
}

function reportRule(
  index: number,
  rules: readonly PrefixRule[],
  commands: readonly CommandRule[],
  found: FindingList,
): void {
  const rule = rules[index];
  if (rule === undefined) return;
  const path = ["prefix_rule", index];
  const { mode, pattern, text } = rule;
  const parted = pattern.flat().find((word) => /\s/.test(word));
  const over = rules.find(
    (other, at) =>
      other !== rule &&
      isCovering(other, rule) &&
      (isStricter(other.mode, mode) || (other.mode === mode && (at < index || !isCovering(rule, other)))),
  );
  if (parted !== undefined)
    found.add(
      "inert",
      path,
      "a word with a space in it matches no word of a command",
      `write ${JSON.stringify(parted.split(/\s+/))}`,
    );
  else if (over !== undefined)
    found.add("inert", path, `the rule about ${over.text} decides whatever this one says`, "take one of the two out");
  else if (mode === "auto") {
    const extra = pattern[0]
      ?.map((program) => findExtraAuthority(`${[program, ...text.split(" ").slice(1)].join(" ")} *`))
      .find((each) => each !== undefined);
    if (extra !== undefined) found.add("dangerous", path, extra.why, extra.instead);
  } else if (mode === "forbidden")
    found.add(
      "passable",
      path,
      "another spelling, path or program does the same",
      "allow only commands that are needed",
    );
  const why = listCommands(rule)
    .map((command) => explainLostCommand(command, commands))
    .find((each) => each !== undefined);
  if (why !== undefined) found.add("unsayable", path, why);
}

/** Returns whether the first rule covers every command of the second rule. */
function isCovering(one: PrefixRule, other: PrefixRule): boolean {
  return one.pattern.every((words, at) => other.pattern[at]?.every((word) => words.includes(word)) === true);
}
