// Lists the processes of the image that would be built from a page, for a report.

import * as capos from "../../../engine/lib/wire/generated/capos.ts";
import * as conversations from "../../../engine/lib/wire/generated/conversations.ts";
import * as egress from "../../../engine/lib/wire/generated/egress.ts";
import type { Process } from "../../../engine/lib/wire/generated/manifest.ts";
import * as tools from "../../../engine/lib/wire/generated/tools.ts";
import * as wire from "../../../engine/lib/wire/generated/wire.ts";
import type { InterfaceLayout } from "../../../engine/lib/wire/index.ts";
import { planProcesses } from "../../../targets/manifest/processes.ts";
import { describeFile } from "../../artefacts/inspect/manifest.ts";
import type { ProcessFacts } from "../../queries/report/index.ts";
import type { CheckedPage } from "../page.ts";

/** Returns the processes in start order. */
export function processFacts({ policy, origins }: CheckedPage): readonly ProcessFacts[] {
  const names = collectInterfaceNames(policy.tables.tools);
  return planProcesses(policy, origins).map(
    ({ name, role, uid, memoryMaxBytes, stateMaxBytes, restart, grants, files }) => ({
      name,
      role,
      uid,
      memoryBytes: memoryMaxBytes,
      diskBytes: stateMaxBytes,
      restart: restartText(restart),
      holds: grants.map(({ interfaceId, provider, origin }) => {
        const interfaceName = names.get(interfaceId) ?? `0x${interfaceId.toString(16)}`;
        return { interfaceName, provider, origin };
      }),
      handed: files.map((file) => `${file.name}: ${describeFile(file)}`),
    }),
  );
}

/** Returns the names of interfaces by their ids: interfaces of the runtime, and those of the page's tools. */
function collectInterfaceNames(own: CheckedPage["policy"]["tables"]["tools"]): ReadonlyMap<bigint, string> {
  const known = [capos, conversations, egress, tools, wire].flatMap((schema) =>
    Object.values(schema).filter(isInterface),
  );
  return new Map([
    ...known.map(({ id, name }) => [id, name] as const),
    ...own.map(({ interfaceId, interfaceName }) => [interfaceId, interfaceName] as const),
  ]);
}

function isInterface(value: unknown): value is InterfaceLayout {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "interfaceLayout";
}

function restartText({ most, withinSeconds }: Process["restart"]): string {
  return most === 0 ? "stays dead" : `is started again, ${most} times in ${withinSeconds} s at most`;
}
