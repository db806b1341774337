import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import type { Model } from "../bind/index.ts";
import { notProved } from "./codes.ts";

// Assertions are bound and typed, and nothing decides them yet: whoever reads the page must not think otherwise.

/** Once for a page, at the first place. */
export function checkProved({ assertions, waivers }: Model): Diagnostic[] {
  const at = assertions[0]?.node.span ?? waivers[0]?.node.span;
  return at === undefined ? [] : [notProved.at(at, { assertions: assertions.length, waivers: waivers.length })];
}
