import type { Implementation } from "./policy.ts";

/** The interfaces that the runtime image answers itself, and by which provider. */
const PROVIDED: ReadonlyMap<string, Implementation> = new Map([["Files", "files"]]);

export function implementationOf(interfaceName: string): Implementation | undefined {
  return PROVIDED.get(interfaceName);
}

export function providedInterfaces(): string[] {
  return [...PROVIDED.keys()];
}
