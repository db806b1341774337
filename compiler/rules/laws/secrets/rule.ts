import { collectSecretUses, type SecretUse } from "../../../inputs/secrets/uses.ts";
import { isAddress } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { secretExposed, secretWithoutStorage } from "./codes.ts";

/** Checks that a credential goes to one server only, that it is encrypted on the way, and that the machine can decrypt it. */
export const rule = defineLaw({
  reports: [secretExposed, secretWithoutStorage],
  check: ({ model }, report) => {
    for (const use of collectSecretUses(model)) {
      const { holder, at } = use;
      const exposure = findExposure(use);
      if (exposure !== undefined) report(secretExposed.at(at, { holder, ...exposure }));
      if (model.storage === undefined && !model.damaged) report(secretWithoutStorage.at(at, { holder }));
    }
  },
});

interface Exposure {
  readonly what: string;
  readonly instead: string;
}

function findExposure({ secret, places, isInTheClear }: SecretUse): Exposure | undefined {
  if (secret === undefined) return { what: "is not named", instead: "write `token vault.NAME`" };
  const [place, ...others] = places;
  // A scope that cannot be parsed was already reported.
  if (place === undefined) return undefined;
  if (others.length > 0 || place.host === "*") {
    const instead = "declare an `HttpEndpoint` service for the one server that needs the credential";
    return { what: "would go to more than one server", instead };
  }
  const isTls = place.scheme === "https";
  if (isTls && isInTheClear) {
    return { what: "is sent over TLS, but the page has `in the clear`", instead: "leave `in the clear` out" };
  }
  if (isTls || (isInTheClear && isOfOnesOwn(place.host))) return undefined;
  const instead = isOfOnesOwn(place.host)
    ? "write `https://`; for a test server of your own, `token vault.NAME in the clear`"
    : "write `https://`";
  return { what: "would be sent without encryption", instead };
}

/** Returns whether the host is a numeric address of a private network (RFC 1918), or a loopback address. */
function isOfOnesOwn(host: string): boolean {
  return isAddress(host) && /^(10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host);
}
