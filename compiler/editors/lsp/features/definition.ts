import { dirname, resolve } from "node:path";
import type { Location } from "vscode-languageserver/node";
import { startOf } from "../../../../lang/text/index.ts";
import type { Naming } from "../../../phases/bind/index.ts";
import { collectUses } from "../../../phases/source/index.ts";
import { findSchemaPlace } from "../interfaces.ts";
import { convertToLocation, convertToRange, type Names } from "../places.ts";
import type { PositionContext } from "../position-context.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * Returns the declaration of the name at the position. It may be on a page, in the standard library, or in the schema
 * that defines the name. If the position is on the file of a `use` line, returns this file. Otherwise returns nothing.
 */
export function findDefinitions(asked: PositionContext, names: Names): Location[] {
  const { snapshot, tree, offset } = asked;
  const naming = snapshot.namings.at(tree.source.path, offset);
  if (naming === undefined) return findUsedFile(asked, names);
  const declared = snapshot.namings.of(naming).filter(({ declares }) => declares);
  if (declared.length > 0) return declared.map(({ span }) => convertToLocation(span, snapshot, names));
  const place = findSchemaPlace(snapshot, naming);
  return place === undefined ? [] : [convertToLocation(place, snapshot, names)];
}

/** Returns all places with a name that refers to the same thing as the name at the position. */
export function findReferences(asked: PositionContext, names: Names, declarations: "included" | "left"): Location[] {
  const { snapshot } = asked;
  const found = findNamings(asked).filter(({ declares }) => declarations === "included" || !declares);
  return found.map(({ span }) => convertToLocation(span, snapshot, names));
}

/** Returns the places of this page with a name that refers to the same thing as the name at the position. */
export function findHighlights(asked: PositionContext): readonly ReturnType<typeof convertToRange>[] {
  const here = findNamings(asked).filter(({ span }) => span.source === asked.tree.source);
  return here.map(({ span }) => convertToRange(span));
}

function findNamings({ snapshot, tree, offset }: PositionContext): readonly Naming[] {
  const naming = snapshot.namings.at(tree.source.path, offset);
  return naming === undefined ? [] : snapshot.namings.of(naming);
}

/** Returns the file that the text after `use` names, or the module for `std.tools`. */
function findUsedFile({ snapshot, tree, offset }: PositionContext, { uriOf }: Names): Location[] {
  const use = collectUses(tree.items).find(({ span }) => span.start <= offset && offset <= span.end);
  if (use === undefined) return [];
  const file =
    use.what === "module" ? findModuleFile(snapshot, use.module.text) : resolveBeside(snapshot, tree, use.path.value);
  return file === undefined ? [] : [{ uri: uriOf(file), range: convertToRange(startOf(file)) }];
}

function findModuleFile({ trees, fileOf }: Snapshot, module: string): string | undefined {
  return [...trees.values()]
    .map(({ source }) => source)
    .filter(({ path }) => path === `std/${module}.cap`)
    .map(fileOf)[0];
}

function resolveBeside({ fileOf }: Snapshot, { source }: PositionContext["tree"], path: string): string {
  return resolve(dirname(fileOf(source)), path);
}
