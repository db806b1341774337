// Imports settings of another agent to an existing page. The new session extends a session of the page, and narrows it
// to the calls that the settings allow. So the session allows no call that the page or the settings forbid, and every
// assertion of the page still holds.

import { computeLoosestMode, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Decision, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { type Diagnostic, isError } from "../../../lang/diagnostics/index.ts";
import { type Compiled, compile } from "../../compile.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import type { Host } from "../../phases/source/index.ts";
import { collectRowCells } from "../export/index.ts";
import { applyEdits, type Edit, insertAtEnd, overlayEdits } from "../why/index.ts";
import { SERVER_LOST } from "./finding-text.ts";
import type { HostPolicy, ServerDecision } from "./host-policy.ts";
import { ADDRESSES, FILES, type PlaceForm, reduceStance, renderLines } from "./lines.ts";
import { createStance, type Mode, pickStricter, type Stance, tightenStance } from "./stance.ts";

/** A page on the disk, or in memory. */
interface NarrowedPage {
  readonly host: Host;
  /** Absolute path. */
  readonly path: string;
  readonly compiled: Compiled;
  /** Session to narrow; if `undefined`, the session that boots. */
  readonly session: string | undefined;
}

type Narrowed =
  | { readonly ok: true; readonly text: string; readonly findings: readonly Diagnostic[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Returns the text of the page with a new session that the settings narrow, and the findings about rules of the
 * settings that this session lacks.
 */
export async function narrowPage(
  page: NarrowedPage,
  policy: HostPolicy,
  findings: readonly Diagnostic[],
): Promise<Narrowed> {
  const { model, policy: tablesRead, diagnostics, understood } = page.compiled;
  if (tablesRead === undefined || model === undefined || diagnostics.some(isError))
    return { ok: false, reason: "the page has errors" };
  const base = page.session ?? model.image?.boot?.id;
  const session = model.sessions.find(({ id, own }) => own && id === base);
  if (base === undefined || session === undefined)
    return {
      ok: false,
      reason:
        base === undefined ? "the page boots no session; name one with --session" : `the page has no session ${base}`,
    };
  const tables = indexPolicyTables(tablesRead);
  const row = tables.rows.find((each) => each.session === base && each.task === "" && each.worker === "");
  const cells = row === undefined ? [] : collectRowCells(tables, row);
  const rules = cells.flatMap(({ tool, list }) => narrowTool(tool, list, policy));
  const system = understood?.package.pages.flatMap(({ items }) => items).find((item) => item.kind === "system");
  if (system === undefined) return { ok: false, reason: "the page declares no system" };
  const name = findFreeName(new Set(model.sessions.map(({ id }) => id)));
  const permit = rules.length === 0 ? "" : ` permit {\n${rules.map((rule) => `${rule}\n`).join("")}} `;
  // A session that does not boot needs a login if it has principals.
  for (const login of ["", " login key ", " login passphrase "]) {
    const edit = insertAtEnd(system.span, `\nsession ${name} extends ${base} {${login}${permit}}`);
    const made = await compileWith(page, edit);
    if (made !== undefined)
      return {
        ok: true,
        text: made,
        findings: findings.filter(
          (found) =>
            !isCarried(
              found,
              cells.map(({ tool }) => tool),
            ),
        ),
      };
  }
  return { ok: false, reason: `no session can extend ${base}: name another one with --session` };
}

/** Returns the text of the page's own file with the edit, or `undefined` if the page then has errors. */
async function compileWith(page: NarrowedPage, edit: Edit): Promise<string | undefined> {
  const host = await overlayEdits(page, [edit]);
  const made = await compile(host, page.path, { purpose: "check", advice: "left" });
  if (made.diagnostics.some(isError)) return undefined;
  return applyEdits(edit.span.source.text, [edit]);
}

function findFreeName(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? "imported" : `imported_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Returns the rules that make a tool as strict as the settings; empty if the page is already as strict. */
function narrowTool(tool: Tool, { clauses }: Decision, policy: HostPolicy): readonly string[] {
  const modes = clauses.flatMap(({ conditions, met, otherwise }) =>
    conditions.length === 0 ? [met] : [met, otherwise],
  );
  const strictest = modes.reduce(pickStricter);
  const loosest = computeLoosestMode(clauses);
  const method = `${tool.interfaceName}.${tool.methodName}`;
  const named = decideNamed(tool, policy);
  if (!named.isNamed && method === "Fetch.get" && policy.web !== undefined)
    return narrowTo(tool, policy.web, { strictest, loosest, form: ADDRESSES });
  const files = named.isNamed || tool.interfaceName !== "Files" ? undefined : findFiles(policy, tool.methodName);
  if (files !== undefined) return narrowTo(tool, files, { strictest, loosest, form: FILES });
  const decided = named.isNamed ? named : (policy.methods.get(method) ?? named);
  return narrowTo(tool, createStance(decided.mode), { strictest, loosest, form: FILES });
}

function findFiles({ files }: HostPolicy, method: string): HostPolicy["files"]["read"] | undefined {
  return method === "read" || method === "list" || method === "write" || method === "delete"
    ? files[method]
    : undefined;
}

/**
 * Returns the decision about a tool. A rule may name the tool's server in two ways: by the service's name, or by the
 * name of the tool list from which the service's interface comes.
 */
function decideNamed(tool: Tool, policy: HostPolicy): ServerDecision {
  const method = getMethod(tool);
  const alias = tool.interfaceName.includes(".") ? [tool.interfaceName.replace(/\..*$/, "")] : [];
  const decisions = [tool.provider, ...alias].map((server) => policy.decideServerTool(server, method));
  const naming = decisions.filter(({ isNamed }) => isNamed);
  const mode = (naming.length > 0 ? naming : decisions).map((each) => each.mode).reduce(pickStricter);
  return { mode, isNamed: naming.length > 0 };
}

const getMethod = ({ name, provider }: Tool): string => name.slice(provider.length + 1);

interface Inherited<Place> {
  readonly strictest: PermissionMode;
  readonly loosest: PermissionMode;
  readonly form: PlaceForm<Place>;
}

function narrowTo<Place>(
  tool: Tool,
  stance: Stance<Place>,
  { strictest, loosest, form }: Inherited<Place>,
): readonly string[] {
  const tightened = stance.lines.reduce<Mode>((mode, line) => pickStricter(mode, line.mode), stance.base);
  if (pickStricter(loosest, tightened) === loosest) return [];
  // If rules of the page have conditions, conditions of the settings cannot be added to them. So the whole tool gets
  // the strictest mode that the page or the settings have for it.
  if (strictest !== loosest) return [`${pickStricter(strictest, tightened)} ${tool.name}`];
  // A `stepUp` of the page is treated as `consent`, because the page requires the signature in any case.
  const floor: Mode = strictest === "stepUp" ? "consent" : strictest;
  const narrowed = reduceStance(tightenStance(stance, floor), form);
  if (narrowed.lines.length === 0 && narrowed.base === floor) return [];
  const write = (mode: Mode): PermissionMode => (mode === "consent" ? pickStricter(strictest, mode) : mode);
  return renderLines(tool.name, narrowed, form, write);
}

/**
 * Returns whether a finding must be left out because it is wrong for this page. Such a finding states that a page cannot
 * contain a rule about a server, but this page has the server or tool of the rule.
 */
function isCarried({ message }: Diagnostic, tools: readonly Tool[]): boolean {
  if (!message.endsWith(SERVER_LOST)) return false;
  const rule = message.slice(0, -SERVER_LOST.length);
  const [, server, method] = /mcp__(\w+?)__(\w+)/.exec(rule) ?? [];
  return tools.some((tool) => {
    const names = [tool.provider, tool.interfaceName.replace(/\..*$/, "")];
    if (server !== undefined) return names.includes(server) && getMethod(tool) === method;
    return names.some((name) => new RegExp(`(?:^|[.\\s"]|_)${name}(?:$|[:.\\s"]|__)`).test(rule));
  });
}
