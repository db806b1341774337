import { bug } from "../../../lib/result/bug.ts";
import type { CallOptions, Reply } from "../../../lib/wire/index.ts";
import type { Provider } from "../ports.ts";
import type { Recorded } from "./recorded.ts";

/** The services of a session. The services receive only calls that are approved and recorded. */
export class Services {
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #revoked = new Set<string>();

  /** `providers`: connections by the name of the service. */
  constructor(providers: ReadonlyMap<string, Provider>) {
    this.#providers = providers;
  }

  get names(): Iterable<string> {
    return this.#providers.keys();
  }

  isGranted(name: string): boolean {
    return this.#providers.has(name);
  }

  isRevoked(name: string): boolean {
    return this.#revoked.has(name);
  }

  /** Revokes a service: from now on no call uses it. */
  revoke(name: string): void {
    this.#revoked.add(name);
  }

  /** Sends a call, with the arguments that were decided, shown, signed and recorded. */
  call({ approved }: Recorded, options: CallOptions): Promise<Reply<string>> {
    const { tool, decision } = approved.reserved.answerable.recordable.judged;
    const provider = this.#providers.get(tool.provider) ?? bug(`${tool.provider} was granted, and is gone`);
    return provider.callTool(tool.interfaceId, tool.method, decision.arguments, options);
  }
}
