// capc import codex: reviews a config.toml of Codex, and converts it to a page. The file is untrusted: the caller
// bounds its size, and the reader bounds its depth and number of values.

import type { SourceText } from "../../../../lang/text/index.ts";
import { FindingList } from "../findings.ts";
import type { ImportedSettings } from "../imported.ts";
import { renderPage } from "../page.ts";
import { refuseWrongList } from "../reading/located.ts";
import { readToml } from "../reading/toml.ts";
import { getProperty, listEntries } from "../value.ts";
import { collectConfigFindings } from "./findings.ts";
import { decideByConfig } from "./policy.ts";
import { importRules } from "./rules.ts";

/** Imports a configuration, or rules if the name of the file ends in `.rules`. The caller has bounded the size of `source`. */
export function importCodex(source: SourceText): ImportedSettings {
  return source.path.endsWith(".rules") ? importRules(source) : importConfig(source);
}

function importConfig(source: SourceText): ImportedSettings {
  const read = readToml(source);
  if (!read.ok) return read;
  const servers = listEntries(getProperty(read.value, "mcp_servers")).map(([name]) => name);
  const lists = ["enabled_tools", "disabled_tools"].flatMap((list) =>
    servers.map((name) => ["mcp_servers", name, list]),
  );
  const refused = refuseWrongList(source, read, lists);
  if (refused !== undefined) return refused;
  const policy = decideByConfig(read.value);
  const found = new FindingList(read.value, read.placeOf);
  collectConfigFindings(read.value, found);
  return { ok: true, policy, page: renderPage(policy), findings: found.list() };
}
