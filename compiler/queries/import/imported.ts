// The result of an import of settings.

import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { HostPolicy } from "./host-policy.ts";

export type ImportedSettings =
  | {
      readonly ok: true;
      readonly policy: HostPolicy;
      /** A new page, not yet in the form of `capc fmt`. */
      readonly page: string;
      readonly findings: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };
