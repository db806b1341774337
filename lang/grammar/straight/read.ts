import type { FileTree, Item } from "../../tree/index.ts";
import { collectDocs, findStrayDocs } from "../docs.ts";
import type { ScanResult } from "../scanner.ts";
import { Cursor, NOT_STRAIGHT } from "./cursor.ts";
import { parseItem } from "./items.ts";

// Parses a page without errors. If the page has an error, this parser stops without a message. This parser has the same
// rules as the full grammar (../rules), as plain functions; `straight.test.ts` checks that both give equal trees.

const NOTHING_LOST: ReadonlySet<string> = new Set();

/** Returns the tree of a page without errors, or `undefined` for any other page. */
export function readStraight(scanned: ScanResult): FileTree | undefined {
  if (scanned.unknown.length > 0 || scanned.tooDeep !== undefined) return undefined;
  const at = new Cursor(scanned, collectDocs(scanned));
  const items: Item[] = [];
  try {
    while (at.kind !== "End") items.push(parseItem(at));
  } catch (thrown) {
    if (thrown !== NOT_STRAIGHT) throw thrown;
    return undefined;
  }
  return { source: scanned.source, items, strayDocs: findStrayDocs(scanned, at.documented), lost: NOTHING_LOST };
}
