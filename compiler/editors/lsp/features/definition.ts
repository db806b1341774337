import { dirname, resolve } from "node:path";
import type { Location } from "vscode-languageserver/node";
import { startOf } from "../../../../lang/text/index.ts";
import type { Naming } from "../../../phases/bind/index.ts";
import { usesOf } from "../../../phases/source/index.ts";
import type { Asked } from "../asked.ts";
import { schemaPlace } from "../interfaces.ts";
import { locationOf, type Names, rangeOf } from "../places.ts";
import type { Snapshot } from "../snapshot.ts";

/** Where a thing is declared: on pages, in the standard library, or in the schema that defines it. */
export function definitionsOf(asked: Asked, names: Names): Location[] {
  const { snapshot, tree, offset } = asked;
  const naming = snapshot.namings.at(tree.source.path, offset);
  if (naming === undefined) return usedFile(asked, names);
  const declared = snapshot.namings.of(naming).filter(({ declares }) => declares);
  if (declared.length > 0) return declared.map(({ span }) => locationOf(span, snapshot, names));
  const place = schemaPlace(snapshot, naming);
  return place === undefined ? [] : [locationOf(place, snapshot, names)];
}

/** The places that name what is named here. */
export function referencesOf(asked: Asked, names: Names, withDeclaration: boolean): Location[] {
  const { snapshot } = asked;
  const found = namingsHere(asked).filter(({ declares }) => withDeclaration || !declares);
  return found.map(({ span }) => locationOf(span, snapshot, names));
}

/** The places of this page that name what is named here. */
export function highlightsOf(asked: Asked): readonly ReturnType<typeof rangeOf>[] {
  const here = namingsHere(asked).filter(({ span }) => span.source === asked.tree.source);
  return here.map(({ span }) => rangeOf(span));
}

function namingsHere({ snapshot, tree, offset }: Asked): readonly Naming[] {
  const naming = snapshot.namings.at(tree.source.path, offset);
  return naming === undefined ? [] : snapshot.namings.of(naming);
}

/** The text behind `use` names a file, and `std.tools` a module. */
function usedFile({ snapshot, tree, offset }: Asked, { uriOf }: Names): Location[] {
  const use = usesOf(tree.items).find(({ span }) => span.start <= offset && offset <= span.end);
  if (use === undefined) return [];
  const file = use.what === "module" ? moduleFile(snapshot, use.module.text) : besides(snapshot, tree, use.path.value);
  return file === undefined ? [] : [{ uri: uriOf(file), range: rangeOf(startOf(file)) }];
}

function moduleFile({ trees, fileOf }: Snapshot, module: string): string | undefined {
  return [...trees.values()]
    .map(({ source }) => source)
    .filter(({ path }) => path === `std/${module}.cap`)
    .map(fileOf)[0];
}

function besides({ fileOf }: Snapshot, { source }: Asked["tree"], path: string): string {
  return resolve(dirname(fileOf(source)), path);
}
