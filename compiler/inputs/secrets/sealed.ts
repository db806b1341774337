// Reads sealed credentials for a build, from the files `secrets/NAME.sealed` beside the page. capc cannot open them, and
// their recipients are in plain text.

import { dirname, join } from "node:path";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { Secret } from "../../../engine/lib/wire/generated/egress.ts";
import { formatOrigin, MOST_SEALED_BYTES, readSecret } from "../../../engine/processes/egress/sealing.ts";
import { type Diagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Host } from "../../phases/source/index.ts";
import { secretUnfit, secretUnsealed } from "./codes.ts";
import { collectSecretUses, type SecretUse } from "./uses.ts";

export interface Secrets {
  /** Secrets in code-unit order of names. */
  readonly secrets: readonly Secret[];
  readonly diagnostics: readonly Diagnostic[];
}

export const NO_SECRETS: Secrets = { secrets: [], diagnostics: [] };

/**
 * Reads the secrets that the page's endpoints name. A missing secret is only a warning, because the machine's key
 * exists only after its first start.
 */
export async function readSecrets(host: Host, page: string, model: Model): Promise<Secrets> {
  const secrets = new Map<string, Secret>();
  const diagnostics: Diagnostic[] = [];
  for (const use of collectSecretUses(model)) {
    const [place] = use.places;
    if (use.secret === undefined || place === undefined) continue;
    const path = `secrets/${use.secret}.sealed`;
    const real = await host.realPath(join(dirname(page), path));
    const read = real === undefined ? undefined : await readSecretFile(host, real);
    const wanted = { secret: use.secret, origin: formatOrigin(place) };
    if (read === undefined) diagnostics.push(secretUnsealed.at(use.at, wanted));
    else if (!read.ok) diagnostics.push(reportUnfit(use, path, wanted, read.reason));
    else if (read.value.name !== wanted.secret || read.value.origin !== wanted.origin) {
      const { name, origin } = read.value;
      const reason = `it holds ${escapeInvisible(name)}, sealed for ${escapeInvisible(origin)}`;
      diagnostics.push(reportUnfit(use, path, wanted, reason));
    } else secrets.set(read.value.name, read.value);
  }
  return { secrets: [...secrets.values()].sort((one, other) => compareCodeUnits(one.name, other.name)), diagnostics };
}

function reportUnfit(
  { at }: SecretUse,
  path: string,
  wanted: { secret: string; origin: string },
  reason: string,
): Diagnostic {
  const instead = `seal it again, \`capc secret seal ${wanted.secret} --for ${wanted.origin}\`, or ask whom it was sealed for`;
  return secretUnfit.at(at, { path, reason, instead });
}

async function readSecretFile(host: Host, real: string): Promise<Result<Secret>> {
  const read = await host.readFile(real, MOST_SEALED_BYTES);
  if (!read.ok) return refuse(escapeInvisible(read.reason));
  const secret = readSecret(read.value);
  return secret.ok ? accept(secret.value) : refuse(secret.reason);
}
