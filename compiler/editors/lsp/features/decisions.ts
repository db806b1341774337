import type { Span } from "../../../../lang/text/index.ts";
import { isWithin, type Model, type Naming, type Tool } from "../../../phases/bind/index.ts";
import { enumeratePlaces, listBases, type Place } from "../../../phases/policy/index.ts";
import { type Explanation, explainIn } from "../../../queries/why/index.ts";
import type { PositionContext } from "../position-context.ts";
import type { IndexedPolicy, Snapshot } from "../snapshot.ts";

// Lists the decisions about the tools at a position, in each session, task or phase that this position concerns. The
// listed decisions are the decisions of `capc why`; this module decides nothing.

/** Returns the name of a possible place of a conversation, such as `operator` or `operator.triage.look`. */
export function placeName({ session, task, phase }: Place): string {
  return [session.id, ...(task === undefined ? [] : [task.name]), ...(phase === undefined ? [] : [phase.name])].join(
    ".",
  );
}

/**
 * Returns the places that an offset concerns. Within a session, returns this session and the sessions that extend it.
 * Within a task or a phase, returns only that task or phase. Anywhere else, returns all sessions. Workers are left out,
 * because `capc why` cannot answer about a worker.
 */
export function findPlaces(model: Model, { tree, offset }: Pick<PositionContext, "tree" | "offset">): readonly Place[] {
  const isAround = ({ span }: { readonly span: Span }): boolean =>
    span.source === tree.source && span.start <= offset && offset <= span.end;
  const all = enumeratePlaces(model).filter(({ worker }) => worker === undefined);
  const task = model.tasks.find(({ node }) => isAround(node));
  const phase = task?.phases.find(({ node }) => isAround(node));
  if (task !== undefined) return all.filter((at) => at.task === task && (phase === undefined || at.phase === phase));
  const sessions = all.filter((at) => at.task === undefined);
  const session = model.sessions.find(({ node }) => isAround(node));
  return session === undefined ? sessions : sessions.filter((at) => listBases(at.session).includes(session));
}

/** Returns the tools of a name: `notes.write` names one tool; `Files.write`, `notes`, `Files` and `readOnly` may name several. */
export function findTools({ model, namings }: Snapshot, naming: Naming): readonly Tool[] {
  const { what, id, span } = naming;
  const tools = model?.tools ?? [];
  switch (what) {
    case "service":
      return tools.filter(({ service }) => service.name === id);
    case "interface":
      return tools.filter(({ service }) => service.interface.name === id);
    case "category":
      return tools.filter(({ method }) => isWithin(method.category, id));
    default: {
      if (!what.startsWith("method of ")) return [];
      const before = namings.at(span.source.path, span.start - 1);
      const service = before?.what === "service" && before.span.end === span.start - 1 ? before.id : undefined;
      const alike = tools.filter(
        ({ service: of, method }) => what === `method of ${of.interface.name}` && method.name === id,
      );
      return service === undefined ? alike : alike.filter(({ service: of }) => of.name === service);
    }
  }
}

/** Returns the explanation that `capc why` gives, or `undefined` if no conversation can be in the place. */
export function explainToolDecision(
  { tables, origins }: IndexedPolicy,
  place: Place,
  tool: string,
): Explanation | undefined {
  const { session, task, phase } = place;
  const within = {
    ...(task === undefined ? {} : { task: task.name }),
    ...(phase === undefined ? {} : { phase: phase.name }),
  };
  const explained = explainIn(tables, origins, { session: session.id, tool, ...within });
  return explained.ok ? explained.value : undefined;
}

/** Returns the mode if the mode alone decided the call, for example if a rule forbids it; otherwise the answer of `capc why`. */
export function getMode({ answer, strictness, checks }: Explanation): string {
  return checks.some(({ name, verdict }) => name === "mode" && verdict === "decides") ? strictness : answer;
}
