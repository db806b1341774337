import type { PrincipalNode } from "../../../lang/tree/index.ts";
import type { Package } from "../source/index.ts";
import { wrongKey } from "./codes.ts";
import { type Context, declare, takeOnce } from "./context.ts";
import type { Principal } from "./model/index.ts";
import { readSshKey } from "./ssh-key.ts";

export function bindPrincipals(
  context: Context,
  assets: Package["assets"],
  nodes: readonly PrincipalNode[],
): Map<string, Principal> {
  const first = new Map<string, PrincipalNode>();
  for (const node of nodes) declare(context, { names: first, what: "principal", name: node.name, declared: node });
  return new Map(
    [...first].map(([name, node]) => {
      return [name, { name, keys: readKeys(context, assets, node), passphrase: readPassphrase(context, node), node }];
    }),
  );
}

/** Returns the passphrase of a principal. A principal has at most one, for all sessions. */
function readPassphrase(context: Context, { proofs }: PrincipalNode): Principal["passphrase"] {
  const said = proofs.filter(({ kind }) => kind === "passphrase");
  const proof = takeOnce(context, "`passphrase`", said);
  return proof && { name: proof.value.value, span: proof.span };
}

function readKeys(context: Context, assets: Package["assets"], node: PrincipalNode): Principal["keys"] {
  return node.proofs.flatMap(({ kind, value, span }) => {
    const asset = kind === "ssh" ? assets.get(value) : undefined;
    if (asset === undefined) return [];
    const read = readSshKey(asset.bytes);
    if (read.ok) return [{ key: read.value, span }];
    context.report(wrongKey.at(value.span, { path: value.value, reason: read.reason }));
    return [];
  });
}
