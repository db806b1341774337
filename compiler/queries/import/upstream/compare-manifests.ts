// Decides whether two manifests are equal for upstream's crate. Parts that the crate finds by name are compared by
// name, and all other parts by position. Policy tables are left out, because upstream does not read them, and
// upstream.ts compares their meaning.

import { createHash } from "node:crypto";
import type { NamedBlob, SystemManifest } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { TABLES_BINARY } from "../../../../targets/capos-native/index.ts";
import { findDifferences, type ValueDifference } from "./differing.ts";
import type { Cap, Graph } from "./graph.ts";

/** A manifest with the values that upstream reads. */
export interface UpstreamReading {
  readonly manifest: SystemManifest;
  readonly graph: Graph;
}

/**
 * Returns the values in which `after` differs from `before`. In their paths, an element with a name has this name in
 * place of its index, as in `$.initConfig.services.files.restart`.
 */
export function compareManifests(before: UpstreamReading, after: UpstreamReading): readonly ValueDifference[] {
  return findDifferences("$", normalizeManifest(before), normalizeManifest(after));
}

function normalizeManifest({ manifest, graph }: UpstreamReading): unknown {
  const { schemaVersion, kernelParams, extensionPoints } = manifest;
  const { initBinary, init, services, exits } = graph;
  return {
    schemaVersion,
    binaries: indexByName(manifest.binaries.filter(({ name }) => name !== TABLES_BINARY).map(digestBlob)),
    initConfig: {
      init: { binary: initBinary, caps: init.map(flattenCap) },
      services: indexByName(
        services.map(({ name, binary, caps, exports, restart }) => {
          return { name, binary, caps: caps.map(flattenCap), exports: [...exports].sort(), restart };
        }),
      ),
      exitWhenServiceExits: exits,
    },
    kernelParams: {
      ...kernelParams,
      seedAccounts: indexByName(kernelParams.seedAccounts),
      resourceProfiles: indexByName(kernelParams.resourceProfiles),
      authorizedSshKeys: indexByName(
        kernelParams.authorizedSshKeys.map((key) => ({ ...key, name: Buffer.from(key.keyId).toString("hex") })),
      ),
    },
    extensionPoints,
  };
}

function indexByName<T extends { readonly name: string }>(all: readonly T[]): Readonly<Record<string, T>> {
  return Object.fromEntries(all.map((each) => [each.name, each]));
}

function digestBlob({ name, data }: NamedBlob): { readonly name: string; readonly sha256: string } {
  return { name, sha256: createHash("sha256").update(data).digest("hex") };
}

function flattenCap({ name, source, badge, discloses }: Cap): unknown {
  return {
    name,
    source: source.kind === "kernel" ? source.kernel.name : `${source.service}.${source.export}`,
    badge,
    discloses,
  };
}

/** Returns the paths of lists whose elements have another order in `after`. */
export function findReordered(before: UpstreamReading, after: UpstreamReading): readonly string[] {
  const orders = ({
    manifest: { binaries, kernelParams },
    graph,
  }: UpstreamReading): Readonly<Record<string, readonly string[]>> => ({
    "$.binaries": binaries.map(({ name }) => name).filter((name) => name !== TABLES_BINARY),
    "$.initConfig.services": graph.services.map(({ name }) => name),
    "$.kernelParams.seedAccounts": kernelParams.seedAccounts.map(({ name }) => name),
    "$.kernelParams.resourceProfiles": kernelParams.resourceProfiles.map(({ name }) => name),
    "$.kernelParams.authorizedSshKeys": kernelParams.authorizedSshKeys.map(({ keyId }) =>
      Buffer.from(keyId).toString("hex"),
    ),
  });
  const [old, now] = [orders(before), orders(after)];
  return Object.keys(old).filter((path) => old[path]?.join("\n") !== now[path]?.join("\n"));
}
