import type { Span } from "../../../lang/text/index.ts";
import { createSourceText, makeSpan } from "../../../lang/text/index.ts";
import type { Interface, Naming } from "../../phases/bind/index.ts";
import type { Snapshot } from "./snapshot.ts";

const METHOD = "method of ";

/**
 * Returns the interface to which a name refers; if the name refers to a method, the interface of this method; otherwise
 * `undefined`.
 */
export function findInterface({ model }: Snapshot, { what, id }: Pick<Naming, "what" | "id">): Interface | undefined {
  const name = what === "interface" ? id : what.startsWith(METHOD) ? what.slice(METHOD.length) : undefined;
  return model?.interfaces.find((face) => face.name === name);
}

/**
 * Returns where the imported schema or list declares an interface or a method; `undefined` if nothing is imported. If the text does not
 * contain the method, returns the place of the interface; if it contains neither, returns the start of the file.
 */
export function findSchemaPlace(snapshot: Snapshot, naming: Naming): Span | undefined {
  const face = findInterface(snapshot, naming);
  const found = snapshot.imports.find(({ alias }) => alias.text === face?.alias);
  const text = found?.files.get(found.path);
  if (face === undefined || found === undefined || text === undefined) return undefined;
  const source = createSourceText(found.path, text);
  const bare = face.description.name.split(".").at(-1) ?? "";
  const from = Math.max(0, text.indexOf(`interface ${bare}`));
  if (naming.what === "interface") return makeSpan(source, from, from);
  const words = [`${naming.id} @`, JSON.stringify(naming.id)];
  const start = words.map((each) => text.indexOf(each, from)).find((at) => at >= 0) ?? from;
  return makeSpan(source, start, start);
}
