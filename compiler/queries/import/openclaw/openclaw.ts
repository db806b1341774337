// capc import openclaw: reviews an openclaw.json, and converts it to a page. The file is untrusted: the caller bounds
// its size, and the reader bounds its depth and number of values.

import type { SourceText } from "../../../../lang/text/index.ts";
import { FindingList } from "../findings.ts";
import type { ImportedSettings } from "../imported.ts";
import { renderPage } from "../page.ts";
import { readJson5 } from "../reading/json5.ts";
import { refuseAt, refuseWrongList } from "../reading/located.ts";
import { isObject, listEntries, type Path } from "../value.ts";
import { collectConfigFindings } from "./findings.ts";
import { collectScopes, decideByConfig } from "./policy.ts";

/** Imports a configuration of OpenClaw. The caller has bounded the size of `source`. */
export function importOpenclaw(source: SourceText): ImportedSettings {
  const read = readJson5(source);
  if (!read.ok) return read;
  const { value, placeOf } = read;
  if (!isObject(value)) return refuseAt(source, 0, "settings are one object");
  const unreadable = findUnreadable(value, []);
  if (unreadable !== undefined) return refuseAt(source, placeOf(unreadable.path).start, unreadable.reason);
  const lists = collectScopes(value).flatMap(({ path }) =>
    ["allow", "alsoAllow", "deny"].map((list) => [...path, list]),
  );
  const refused = refuseWrongList(source, read, lists);
  if (refused !== undefined) return refused;
  const policy = decideByConfig(value);
  const found = new FindingList(value, placeOf);
  collectConfigFindings(value, found);
  return { ok: true, policy, page: renderPage(policy), findings: found.list() };
}

/**
 * Maximum number of entries of a list. It is limited, because each entry is compared with every other entry and with
 * all names of tools.
 */
const MOST_ENTRIES = 500;

/**
 * Finds a setting that makes a review of the file impossible: a list that is too long, a list of tools that depends on
 * a variable, or a reference to another file. The other file could deny tools.
 */
function findUnreadable(value: unknown, path: Path): { readonly path: Path; readonly reason: string } | undefined {
  const parts: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((each: unknown, index) => [index, each])
    : listEntries(value);
  for (const [name, part] of parts) {
    const here = [...path, name];
    if (name === "$include")
      return { path: here, reason: "a part of the settings is in another file; write it here, and import the result" };
    if (typeof part === "string" && here.includes("tools") && /\$\{\w+\}/.test(part))
      return { path: here, reason: "a list of tools depends on a variable; write its value" };
    if (Array.isArray(part) && part.length > MOST_ENTRIES)
      return { path: here, reason: `there are more than ${MOST_ENTRIES} entries in one list` };
    const found = typeof part === "object" ? findUnreadable(part, here) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
