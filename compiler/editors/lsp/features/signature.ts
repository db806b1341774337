// Shows the arguments of the call that a person is writing. It may be a call of a tool in a test, of a task, of a
// function, or of a method that is a source.

import { MarkupKind, type SignatureHelp, type SignatureInformation } from "vscode-languageserver/node";
import { renderParameter } from "../../../../engine/lib/policy/index.ts";
import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import { findExpectedAt } from "../../../../lang/grammar/index.ts";
import { VALUE_MEANINGS } from "../../../../lang/spec/words.ts";
import type { Method, Model } from "../../../phases/bind/index.ts";
import { renderParagraphs } from "../../../queries/reference/index.ts";
import type { ReadText } from "../asking.ts";
import type { Snapshot } from "../snapshot.ts";
import { findMethod, renderParam } from "./completion/fields.ts";
import { createSite, listOpenValues, readReference, type Site, skipBrackets, type Word } from "./completion/site.ts";
import { findSubjectTask } from "./completion/tasks-around.ts";

/** Returns the signature of the innermost call around an offset, or `undefined` outside of calls. */
export async function computeSignature(
  { scanned }: ReadText,
  offset: number,
  snapshot: Snapshot | undefined,
): Promise<SignatureHelp | undefined> {
  const model = snapshot?.model;
  if (model === undefined) return undefined;
  const expected = await findExpectedAt(scanned, offset);
  // The cursor may be inside several nested calls. The innermost call, which begins last, is described; if it has
  // no description, the next outer call is described.
  const calls = expected.flatMap((one) =>
    one.rules.flatMap((rule, at) =>
      isCall(rule, one.rules[at - 1]) ? [{ one, rule, at, begin: one.begins[at] ?? 0 }] : [],
    ),
  );
  for (const { one, rule, at } of calls.toSorted((left, right) => right.begin - left.begin)) {
    const signature = describeCall(rule, createSite(scanned, one, offset, []), at, model);
    if (signature !== undefined) return signature;
  }
  return undefined;
}

function isCall(rule: string, outer: string | undefined): boolean {
  if (rule === "record") return outer === "callStep";
  return rule === "givenList" || rule === "related" || rule === "term";
}

function describeCall(rule: string, site: Site, at: number, model: Model): SignatureHelp | undefined {
  const words = site.wordsAt(at);
  switch (rule) {
    case "record": {
      const call = readReference(site.wordsOf("callStep").slice(1));
      const method = findMethod(model, call);
      // Several nested braces may be open at the cursor. The outermost pair contains the arguments of the call.
      const fields = listOpenValues(words)[0]?.fields;
      return method && fields && drawMethod(call.join("."), method, ["{ ", " }"], { words, given: fields });
    }
    case "related": {
      const call = readReference(skipBrackets(site.wordsOf("origin")));
      const method = findMethod(model, call.slice(0, 2));
      const given = words.filter((_, index) => index === 0 || words[index - 1]?.kind === "and").map(({ text }) => text);
      return method && drawMethod(call.join("."), method, ["(", ")"], { words, given });
    }
    case "givenList": {
      const names = readReference(site.wordsOf("asStep").slice(1));
      const task = findSubjectTask(model, names);
      if (task === undefined || task.parameters.length === 0) return undefined;
      const given = words.filter((_, index) => words[index + 1]?.kind === ":").map(({ text }) => text);
      const parameters = task.parameters.map((parameter) => ({
        name: parameter.name,
        label: renderParameter(parameter),
      }));
      return draw({ head: `${names.join(".")}(`, tail: ")", parameters, text: task.node.doc }, { words, given });
    }
    default:
      return describeFunction(words);
  }
}

function describeFunction(words: readonly Word[]): SignatureHelp | undefined {
  const [name, bracket] = words;
  if (name === undefined || bracket?.kind !== "(" || !Object.hasOwn(VALUE_MEANINGS.functions, name.text))
    return undefined;
  const text = VALUE_MEANINGS.functions[name.text as keyof typeof VALUE_MEANINGS.functions];
  const parameters = [{ name: "argument", label: "argument" }];
  return draw({ head: `${name.text}(`, tail: ")", parameters, text }, { words, given: [] });
}

/** Words of a call up to the place, and the names of its arguments in their order. */
interface Written {
  readonly words: readonly Word[];
  readonly given: readonly string[];
}

function drawMethod(
  name: string,
  { description, words: text }: Method,
  [open, close]: readonly [string, string],
  written: Written,
): SignatureHelp {
  const parameters = description.params.map((param) => ({ name: param.name, label: renderParam(param) }));
  const head = open === "(" ? `${name}${open}` : `${name} ${open}`;
  return draw({ head, tail: close, parameters, text }, written);
}

interface Drawn {
  readonly head: string;
  readonly tail: string;
  readonly parameters: readonly { readonly name: string; readonly label: string }[];
  readonly text: string;
}

function draw({ head, tail, parameters, text }: Drawn, written: Written): SignatureHelp {
  const signature: SignatureInformation = {
    label: escapeInvisible(`${head}${parameters.map(({ label }) => label).join(", ")}${tail}`),
    parameters: parameters.map(({ label }) => ({ label: escapeInvisible(label) })),
    documentation: { kind: MarkupKind.Markdown, value: renderParagraphs(text).map(escapeInvisible).join("\n\n") },
  };
  const active = findActive(
    parameters.map(({ name }) => name),
    written,
  );
  return { signatures: [signature], activeSignature: 0, ...(active === undefined ? {} : { activeParameter: active }) };
}

/**
 * Returns the index of the argument whose value is being written, or of the first one without a value; `undefined` if
 * all have values.
 */
function findActive(names: readonly string[], { words, given }: Written): number | undefined {
  const last = words.at(-1)?.kind;
  const isNew = last === "," || last === "{" || last === "(" || last === "and";
  const current = isNew ? -1 : names.indexOf(given.at(-1) ?? "");
  const index = current >= 0 ? current : names.findIndex((name) => !given.includes(name));
  return index < 0 ? undefined : index;
}
