import { renderParameter } from "../../../engine/lib/policy/index.ts";
import { isWithin, type Model, type Naming } from "../../phases/bind/index.ts";
import { renderCode, renderParagraphs } from "../../queries/reference/index.ts";
import { findInterface } from "./interfaces.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Returns the documentation of a named thing as blocks of Markdown: one line with its kind, its name and, for example,
 * its interface or category; then its doc comment.
 */
export function renderDocumentation(snapshot: Snapshot, naming: Pick<Naming, "what" | "id">): readonly string[] {
  const { what, id } = naming;
  const written = snapshot.model === undefined ? undefined : findWritten(snapshot, snapshot.model, naming);
  return [`${what} ${renderCode(id)}${written?.facts ?? ""}`, ...renderParagraphs(written?.doc ?? "")];
}

interface Written {
  readonly doc: string;
  /** Words that follow the name in the first line of the documentation, such as the base of a session. */
  readonly facts?: string;
}

function findWritten(snapshot: Snapshot, model: Model, { what, id }: Pick<Naming, "what" | "id">): Written | undefined {
  switch (what) {
    case "session": {
      const found = model.sessions.find((session) => session.id === id);
      const base = found?.base === undefined ? "" : ` ${found.relation} ${renderCode(found.base.id)}`;
      return found && { doc: found.node.doc, facts: base };
    }
    case "task":
      return model.tasks.find((task) => task.id === id)?.node;
    case "service": {
      const found = model.services.find(({ name }) => name === id);
      return (
        found && {
          doc: found.node.doc || found.interface.description.doc,
          facts: ` : ${renderCode(found.interface.name)}`,
        }
      );
    }
    case "category": {
      const found = model.categories.find(({ name }) => name === id);
      const tools = model.tools.filter(({ method }) => isWithin(method.category, id)).length;
      const parent = found?.parent === undefined ? "" : ` : ${renderCode(found.parent.name)}`;
      return found && { doc: found.doc, facts: `${parent}, ${tools} tools` };
    }
    case "principal":
      return model.principals.find(({ name }) => name === id)?.node;
    case "set":
      return model.sets.find(({ name }) => name === id)?.node;
    case "backend":
      return model.backends.find(({ name }) => name === id)?.node;
    case "model":
      return model.weights.find(({ name }) => name === id)?.node;
    case "worker":
      return model.workers.find(({ name }) => name === id)?.node;
    case "ingress":
      return model.ingresses.find(({ name }) => name === id)?.node;
    case "redaction":
      return model.redactions.find(({ name }) => name === id)?.node;
    default:
      if (what.startsWith("parameter of ")) return findParameter(model, what, id);
      return what.startsWith("phase of ") ? findPhase(model, what, id) : describeInterface(snapshot, what, id);
  }
}

function findPhase(model: Model, what: string, id: string): Written | undefined {
  const task = model.tasks.find((one) => what === `phase of ${one.id}`);
  return task?.phases.find(({ name }) => name === id)?.node;
}

function findParameter(model: Model, what: string, id: string): Written | undefined {
  const task = model.tasks.find((one) => what === `parameter of ${one.id}`);
  const parameter = task?.parameters.find(({ name }) => name === id);
  return parameter && { doc: "", facts: `, chosen by a person: ${renderCode(renderParameter(parameter))}` };
}

function describeInterface(snapshot: Snapshot, what: string, id: string): Written | undefined {
  const face = findInterface(snapshot, { what, id });
  if (face === undefined || what === "interface") return face && { doc: face.description.doc };
  const described = face.description.methods.find(({ name }) => name === id);
  const method = face.methods.get(id);
  const facts = method === undefined ? ", not classified" : ` : ${renderCode(method.category.name)}`;
  return described && { doc: described.doc, facts };
}
