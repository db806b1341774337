// Derives claims about action plans: a session submits a plan, and another session calls the tools of the plan. So a
// claim about the submitting session must also hold for the calls of its plans. Data in a plan may reach the services
// that the plan uses.

import {
  admit,
  findToolOfMethod,
  type IndexedTables,
  isSameLabel,
  openConversation,
} from "../../../engine/lib/policy/index.ts";
import { Files } from "../../../engine/lib/wire/generated/tools.ts";
import type { Model, Service } from "../bind/index.ts";
import { findReachableServices, getSessionOfPlans, indexServices } from "../policy/index.ts";

/** A service that executes plans. Tools are indexes into the tables' tools. */
interface Planned {
  readonly service: string;
  /** Index into the tables' rows: the row of the session that executes the plans. */
  readonly row: number;
  /** Tools whose calls submit a plan. A person who approves such a call reads the whole plan. */
  readonly submit: readonly number[];
  /**
   * Tools whose services can submit plans themselves, because they have a grant of the plan service, directly or
   * indirectly. No person reads these plans.
   */
  readonly through: readonly number[];
  /** Tools that plans may call in the session that executes them. */
  readonly acts: readonly number[];
}

/** Methods that the gate accepts in a plan (engine/processes/gate/plans.ts). */
const METHODS = ["read", "write"] as const;

/** Returns every service of the page that executes plans, in the page's order. */
export function collectPlanExecutors(tables: IndexedTables, model: Model): readonly Planned[] {
  const holders = model.services.filter((service) => getSessionOfPlans(service) !== undefined);
  if (holders.length === 0) return [];
  const services = indexServices(model);
  const toolsOf = Map.groupBy(tables.tools.keys(), (index) => tables.tools[index]?.provider ?? "");
  return holders.flatMap((holder): Planned[] => {
    const session = getSessionOfPlans(holder) ?? "";
    const begun = openConversation(tables, session);
    if (begun === undefined) return [];
    const canReach = (service: Service) => findReachableServices(service, services).includes(holder);
    return [
      {
        service: holder.name,
        row: begun.row,
        submit: toolsOf.get(holder.name) ?? [],
        through: model.services.filter(canReach).flatMap(({ name }) => toolsOf.get(name) ?? []),
        acts: METHODS.flatMap((method) => actOf(tables, begun, method)),
      },
    ];
  });
}

type Begun = NonNullable<ReturnType<typeof openConversation>>;

/**
 * Returns the tool that a read or write action of a plan calls. Returns none if the gate refuses the action: if not
 * exactly one tool matches, or if the result would raise the label of the conversation.
 */
function actOf(tables: IndexedTables, begun: Begun, method: (typeof METHODS)[number]): number[] {
  const named = findToolOfMethod(tables, begun, [Files.id, method], method);
  const tool = named.ok ? tables.toolIndex.get(named.value) : undefined;
  if (tool === undefined) return [];
  const { conversation, withheld } = admit(tables, begun, tool);
  return withheld || !isSameLabel(conversation.label, begun.label) ? [] : [tool];
}

/**
 * Returns pairs of services. Data of the first service may reach the second service in an action plan, or because the
 * agent reads the result of a plan.
 */
export function derivePlanExchanges(
  tables: IndexedTables,
  { service, acts }: Planned,
): readonly (readonly [string, string])[] {
  return acts.flatMap((act) => {
    const tool = tables.tools[act];
    if (tool === undefined) return [];
    const { provider, readOnly } = tool;
    // Data that a plan reads returns to the submitter of the plan. A read action is assumed to disclose no data,
    // although the service receives its path.
    return [readOnly ? ([provider, service] as const) : ([service, provider] as const)];
  });
}
