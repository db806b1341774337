import { isError } from "../../../../lang/diagnostics/index.ts";
import { bind, type InterfaceDescription, type Model } from "../../bind/index.ts";
import { lower, type Policy, resolveSessions } from "../../policy/index.ts";
import { createMemoryHost, load } from "../../source/index.ts";
import { DESCRIBED } from "./interfaces.ts";

export interface CompiledPage {
  readonly model: Model;
  readonly policy: Policy;
}

/** Compiles a page regardless of the laws that it breaks. Fails if a name is unknown or the text does not parse. */
export async function meaningOf(
  text: string,
  described: readonly InterfaceDescription[] = DESCRIBED,
  beside: Readonly<Record<string, string>> = {},
): Promise<CompiledPage> {
  const host = createMemoryHost({ ...beside, "/system.cap": text });
  const { package: page, diagnostics: unread } = await load(host, "/system.cap");
  const { model, diagnostics: unbound } = bind(page, described);
  const errors = [...unread, ...unbound].filter(isError).map(({ code, message }) => `${code}: ${message}`);
  if (errors.length > 0) throw new Error(`${errors.join("\n")}\n${text}`);
  const providers = new Map(described.map(({ name }) => [name, "files" as const]));
  return { policy: lower({ model, resolution: resolveSessions(model), provided: providers }).policy, model };
}
