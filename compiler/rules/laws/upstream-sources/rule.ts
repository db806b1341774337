import type { Span } from "../../../../lang/text/index.ts";
import { type KernelSource, UNCONFIGURED } from "../../../../targets/contract/kernel-sources.ts";
import { getUpstream, initCaps, readGrants } from "../../../phases/policy/upstream/graph.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { sourceUnfit } from "./codes.ts";

/**
 * Checks the kernel sources that the page grants. Each source must be meant for production, and must not need settings
 * that a page cannot state. Only one process may hold the terminal.
 */
export const rule = defineLaw({
  reports: [sourceUnfit],
  check: ({ model }, report) => {
    const upstream = getUpstream(model);
    if (upstream === undefined) return;
    const held = initCaps(upstream).caps.flatMap(({ kernel, at }) =>
      at === undefined ? [] : [{ kernel, at: at.span }],
    );
    const granted = model.services
      .flatMap(readGrants)
      .flatMap(({ kernel, grant }) => (kernel === undefined ? [] : [{ kernel, at: grant.node.to.span }]));
    for (const { kernel, at } of [...held, ...granted]) {
      const why = findFault(kernel);
      if (why !== undefined) report(sourceUnfit.at(at, { source: kernel.name, why }));
    }
    // Both init and one process may hold the terminal, because init passes it on to this process. So each list may
    // contain the terminal once.
    checkTerminal(held, report);
    checkTerminal(granted, report);
  },
});

interface Granted {
  readonly kernel: KernelSource;
  readonly at: Span;
}

function findFault({ name, reach }: KernelSource): string | undefined {
  if (reach === "measurement") return "it is only for measurements";
  return UNCONFIGURED.has(name) ? "a page cannot give the settings that it needs" : undefined;
}

const TERMINAL = "terminal_session";

function checkTerminal(caps: readonly Granted[], report: Report): void {
  const [, ...others] = caps.filter(({ kernel }) => kernel.name === TERMINAL);
  for (const { at } of others)
    report(
      sourceUnfit.at(at, {
        source: TERMINAL,
        why: "there is only one terminal, and it is granted already",
      }),
    );
}
