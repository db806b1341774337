import { getText } from "../../../../lang/text/index.ts";
import type { BoundPattern, Narrowings, Tool } from "../../../phases/bind/index.ts";
import { defineLaw, type Page, type Report } from "../../support/law.ts";
import { collectLayers, findAnswersAround, type OwnLayer } from "../../support/own-layers.ts";
import { onlyRemovesNothing, suppressRemovesNothing } from "./codes.ts";

/** Checks ruling 18 for `only` and `suppress`: each must remove a tool that would otherwise exist. */
export const rule = defineLaw({
  reports: [onlyRemovesNothing, suppressRemovesNothing],
  check: (page, report) => {
    if (page.model.damaged || page.model.tools.length === 0) return;
    for (const layer of collectLayers(page.model)) {
      const { said, name } = layer;
      if (layer.damaged || layer.session.damaged || said.only.length + said.suppress.length === 0) continue;
      const tools = findToolsAround(page, layer);
      // A phase states with `only` which tools of its task it has, so it may also name all of them.
      if (layer.kind !== "phase") checkOnly(name, said, tools, report);
      const left = tools.filter((tool) => said.only.every((patterns) => patterns.some((one) => isCovering(one, tool))));
      checkSuppress(name, said, new Set(left), report);
    }
  },
});

/** Returns the tools that would exist in the layer if it had no `only` and no `suppress`. */
function findToolsAround(page: Page, layer: OwnLayer): readonly Tool[] {
  const answers = findAnswersAround(page, layer);
  return page.model.tools.filter((_, index) => answers?.[index]?.suppressed !== true);
}

const covered = new WeakMap<BoundPattern, ReadonlySet<Tool>>();

function isCovering(pattern: BoundPattern, tool: Tool): boolean {
  const known = covered.get(pattern) ?? new Set(pattern.tools);
  covered.set(pattern, known);
  return known.has(tool);
}

function checkOnly(layer: string, { only }: Narrowings, tools: readonly Tool[], report: Report): void {
  for (const patterns of only) {
    const [first] = patterns;
    if (first === undefined || !tools.every((tool) => patterns.some((pattern) => isCovering(pattern, tool)))) continue;
    report(onlyRemovesNothing.at(first.span, { layer }));
  }
}

/**
 * Reports patterns of `suppress` that remove no tool, or only tools that other patterns remove too. If two patterns
 * suppress the same tools, the later one is reported.
 */
function checkSuppress(layer: string, { suppress }: Narrowings, there: ReadonlySet<Tool>, report: Report): void {
  const times = new Map<Tool, number>();
  for (const tool of suppress.flatMap(({ tools }) => tools)) times.set(tool, (times.get(tool) ?? 0) + 1);
  for (const { tools, span } of [...suppress].reverse()) {
    const dead = tools.length > 0 && tools.every((tool) => !there.has(tool) || (times.get(tool) ?? 0) > 1);
    if (!dead) continue;
    for (const tool of tools) times.set(tool, (times.get(tool) ?? 0) - 1);
    report(suppressRemovesNothing.at(span, { pattern: getText(span), layer }));
  }
}
