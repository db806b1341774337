// Renders upstream's manifest as text for review: values of CUE as JSON, numbers and bytes in words.

import { createHash } from "node:crypto";
import type { CueValue, SystemManifest } from "../../engine/lib/wire/upstream/generated/upstream.ts";

/** Returns a manifest as text, with programs as their sizes and digests; fields with their default value are left out. */
export function renderManifest({ schemaVersion, binaries, initConfig, kernelParams }: SystemManifest): string {
  const programs = binaries.map(({ name, data }) => `${digest(data)}  ${data.length}  ${name}`);
  const values = {
    schemaVersion,
    initConfig: convertCueToJson(initConfig),
    kernelParams: convertToPlain(kernelParams),
  };
  return `${[...programs, JSON.stringify(values, undefined, 2)].join("\n")}\n`;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function convertCueToJson(value: CueValue): unknown {
  switch (value.which) {
    case "null":
      return null;
    case "boolean":
      return value.boolean;
    case "intValue":
      return Number(value.intValue);
    case "uintValue":
      return `${value.uintValue}`;
    case "text":
      return value.text;
    case "bytes":
      return `hex:${Buffer.from(value.bytes).toString("hex")}`;
    case "list":
      return value.list.map(convertCueToJson);
    case "fields":
      return Object.fromEntries(value.fields.map(({ name, value }) => [name, convertCueToJson(value)]));
  }
}

/** Returns the value in a form for JSON, without fields that have their default value; `undefined` if nothing is left. */
function convertToPlain(value: unknown): unknown {
  if (typeof value === "bigint") return value === 0n ? undefined : `${value}`;
  if (value instanceof Uint8Array) return value.length === 0 ? undefined : Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(convertToPlain);
  if (typeof value !== "object" || value === null)
    return value === 0 || value === "" || value === false ? undefined : value;
  const said = Object.entries(value).flatMap(([name, inner]) => {
    const one = convertToPlain(inner);
    return one === undefined ? [] : [[name, one] as const];
  });
  return said.length === 0 ? undefined : Object.fromEntries(said);
}
