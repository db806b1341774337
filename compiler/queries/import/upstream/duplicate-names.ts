// Reports names that two entries of a manifest have, such as two accounts. `compare-manifests.ts` compares entries by
// name with the manifest of the imported page. It would overlook the first of two entries with one name. Policy tables
// contain each name only once, so they are not checked. Source: capos-config 0.1.0, src/validation.rs ("is already
// declared by").

import type { SystemConfig } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import type { Findings } from "./findings.ts";

export function checkTwice(
  { seedAccounts, resourceProfiles, authorizedSshKeys }: SystemConfig,
  findings: Findings,
): void {
  const getName = ({ name }: { readonly name: string }) => name;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["seedAccounts[].name", seedAccounts.map(getName)],
    ["resourceProfiles[].name", resourceProfiles.map(getName)],
    ["authorizedSshKeys[].publicKey", authorizedSshKeys.map((key) => Buffer.from(key.publicKey).toString("hex"))],
  ];
  for (const [place, all] of lists) {
    const seen = new Set<string>();
    for (const [index, each] of all.entries()) {
      const path = `$.kernelParams.${place.replace("[]", `[${index}]`)}`;
      if (seen.has(each)) findings.reportWrong(path, "upstream refuses what stands there twice");
      seen.add(each);
    }
  }
}
