import type { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { parseEvent } from "../replay/index.ts";

interface Place {
  /** Name of the current conversation; `undefined` until a record names it. */
  name: string | undefined;
  /** Task of the current conversation; empty outside of tasks. */
  task: string;
  /** Tasks of the conversations that people left since the start of the machine. */
  readonly left: Map<string, string>;
}

/**
 * Tracks the task of each conversation from the events of its session. A log that begins after the start of the machine
 * does not show the task of a conversation that was already open.
 */
export class TaskTracker {
  readonly #places = new Map<string, Place>();

  /**
   * Returns the task in which the record was written; empty if no task is known. Must be called with each record of the
   * log, in order.
   */
  follow({ entry }: AuditRecord): string {
    switch (entry.which) {
      case "boot":
        this.#places.clear();
        return "";
      case "session":
        return this.#hear(entry.session);
      case "intent":
        return this.#findTask(entry.intent);
      case "outcome":
        return this.#findTask(entry.outcome);
      case "inference":
        return this.#findTask(entry.inference);
      case "seal":
      case "shipped":
      case "checkpoint":
      case "released":
        return "";
    }
  }

  #hear({ name, event, detail }: { readonly name: string; readonly event: string; readonly detail: string }): string {
    const place = this.#getPlace(name);
    const heard = parseEvent(event, detail);
    if (heard?.kind === "step") {
      if (heard.was?.isMade === true) place.task = heard.step.task;
      return heard.step.task;
    }
    if (heard?.kind === "conversation") {
      if (place.name !== undefined) place.left.set(place.name, place.task);
      place.name = heard.name;
      place.task = heard.task;
    }
    return place.task;
  }

  #findTask({ session, conversation }: { readonly session: string; readonly conversation: string }): string {
    const place = this.#getPlace(session);
    place.name ??= conversation;
    return conversation === place.name ? place.task : (place.left.get(conversation) ?? "");
  }

  #getPlace(session: string): Place {
    const place = this.#places.get(session) ?? { name: undefined, task: "", left: new Map<string, string>() };
    this.#places.set(session, place);
    return place;
  }
}
