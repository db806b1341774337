import type { Principal } from "../../../phases/bind/index.ts";
import { defineLaw } from "../../support/law.ts";
import { keyShared, principalWithoutKey } from "./codes.ts";

/**
 * Checks that each key and each passphrase belongs to only one principal, and that every principal has a key or a
 * passphrase.
 */
export const rule = defineLaw({
  reports: [keyShared, principalWithoutKey],
  check: ({ model }, report) => {
    const owners = new Map<string, Principal>();
    for (const principal of model.principals) {
      const { name, node, passphrase } = principal;
      const isNameless = node.proofs.some(({ value }) => value.value === "");
      if ((isNameless || node.proofs.length === 0) && !node.damaged) {
        report(principalWithoutKey.at(node.name.span, { principal: name, isNameless }));
      }
      const named = passphrase === undefined ? [] : [{ key: `passphrase ${passphrase.name}`, span: passphrase.span }];
      for (const { key, span } of [...principal.keys, ...named]) {
        const owner = owners.get(key);
        if (owner === undefined) owners.set(key, principal);
        else if (owner !== principal) report(keyShared.at(span, { principal: name, other: owner.name }));
      }
    }
  },
});
