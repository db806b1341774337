// Parses annotations, which have the syntax of facts on a page: the same parser, nodes and laws apply to them. The form
// of each text is checked before the text is parsed, so that an annotation can state one fact and cannot add lines.

import { decodeSource, parse } from "../../../lang/grammar/index.ts";
import type { MethodNode } from "../../../lang/tree/index.ts";
import type { MethodAnnotations } from "./annotations.ts";

/** The facts about a method in its schema, in the form of facts on a page. */
export interface SaidMethod {
  readonly node: MethodNode;
  /** Whether the schema names a category; if it does not, the category in `node` is a placeholder. */
  readonly classified: boolean;
}

/** Text of an annotation that is not valid on a page. */
interface Unsayable {
  readonly what: "category" | "label" | "meaning";
  readonly said: string;
}

const NAME = "[A-Za-z_]\\w*(?:-\\w+)*";
const LABEL = `${NAME}(?: *: *\\{ *${NAME}(?: *, *${NAME})* *\\})?(?: */ *${NAME})?`;
const FORMS = {
  category: new RegExp(`^${NAME}$`),
  label: new RegExp(`^${LABEL}(?: *\\.\\. *${LABEL})?$`),
  meaning: /^(?:path|url|text|program|money [A-Z]{3})$/,
} as const;
/** Placeholder category for a schema that names none, because the grammar requires a category. */
const NONE = "readOnly";

/** Returns the facts of one method, or `undefined` if its schema states none. `path` is the path of the schema. */
export async function parseSaidMethod(
  path: string,
  method: string,
  said: MethodAnnotations,
): Promise<SaidMethod | Unsayable | undefined> {
  const { category, label, truncate, redact, meanings } = said;
  const wrong =
    findUnsayable("category", category) ??
    findUnsayable("label", label) ??
    meanings.map(([, meaning]) => findUnsayable("meaning", meaning)).find((found) => found !== undefined);
  if (wrong !== undefined) return wrong;
  const facts = [
    ...meanings.map(([argument, meaning]) => `arg ${argument} is ${meaning}`),
    ...(label === undefined ? [] : [`returns ${label}`]),
    ...(redact.length === 0 ? [] : [`redact ${redact.map((field) => JSON.stringify(field)).join(", ")}`]),
    ...(truncate === undefined ? [] : [`truncate ${truncate} B`]),
  ];
  if (category === undefined && facts.length === 0) return undefined;
  const text = `interface Said { method ${JSON.stringify(method)} : ${category ?? NONE} ${facts.join(" ")} }`;
  const node = await parseMethodNode(path, text);
  return node === undefined ? { what: "meaning", said: facts.join(" ") } : { node, classified: category !== undefined };
}

function findUnsayable<What extends Unsayable["what"]>(what: What, said: string | undefined): Unsayable | undefined {
  return said === undefined || FORMS[what].test(said) ? undefined : { what, said };
}

/** Returns the parsed method, or `undefined` if an argument has a name that the grammar reserves. */
async function parseMethodNode(path: string, text: string): Promise<MethodNode | undefined> {
  const bounded = decodeSource(`${path} (annotations)`, new TextEncoder().encode(text));
  if (!bounded.ok) return undefined;
  const { tree, diagnostics } = await parse(bounded.source);
  const [face] = tree.items;
  return diagnostics.length === 0 && face?.kind === "interface" ? face.methods[0] : undefined;
}
