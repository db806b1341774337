import type { Span } from "../../../lang/text/index.ts";
import type { Service } from "../../phases/bind/index.ts";
import type { Page } from "./law.ts";

/** Returns whether a service contacts other machines. If it does, the words of its grant name these machines. */
export function canReachNetwork({ provided }: Pick<Page, "provided">, { exec, interface: face }: Service): boolean {
  return exec === undefined && provided.get(face.name) === "egress";
}

/**
 * Returns the words of the page that name other machines: the scopes of network services, and the address of the
 * collector.
 */
export function listScopeWords(page: Pick<Page, "provided" | "model">): readonly { text: string; span: Span }[] {
  const { services, network } = page.model;
  const granted = services
    .filter((service) => canReachNetwork(page, service))
    .flatMap(({ grants }) => grants.flatMap(({ scopes }) => scopes))
    .map(({ value, span }) => ({ text: value, span }));
  return [...granted, ...(network?.collector ?? [])];
}
