// Settings beside the rules that open what rules close.

import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import type { Span } from "../../lang/text/index.ts";
import { settingsOpen } from "./rules/settings-open/codes.ts";
import { settingsUnsayable } from "./rules/settings-unsayable/codes.ts";

type Value = unknown;
export type PlaceOf = (path: readonly string[]) => Span;

export function at(value: Value, name: string): Value {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

interface Opening {
  readonly path: readonly string[];
  readonly isOpen: (value: Value) => boolean;
  readonly why: string;
  readonly instead: string;
}

const isTrue = (value: Value): boolean => value === true;
const isFalse = (value: Value): boolean => value === false;
const isThere = (value: Value): boolean =>
  value !== undefined && JSON.stringify(value) !== "[]" && JSON.stringify(value) !== "{}";
const isMode =
  (...modes: readonly string[]) =>
  (value: Value): boolean =>
    typeof value === "string" && modes.includes(value);

const OPENINGS: readonly Opening[] = [
  {
    path: ["permissions", "defaultMode"],
    isOpen: isMode("bypassPermissions"),
    why: "nothing is asked, and no allow rule counts",
    instead: 'write "default", and disableBypassPermissionsMode: "disable"',
  },
  {
    path: ["permissions", "defaultMode"],
    isOpen: isMode("auto"),
    why: "a model decides in place of a person",
    instead: 'write "default"',
  },
  {
    path: ["permissions", "defaultMode"],
    isOpen: isMode("acceptEdits"),
    why: "files are changed and moved unasked",
    instead: 'write "default", and allow Edit(FOLDER/**)',
  },
  {
    path: ["permissions", "additionalDirectories"],
    isOpen: isThere,
    why: "files outside of the project are read unasked",
    instead: "leave it out, or name what is needed alone",
  },
  {
    path: ["hooks"],
    isOpen: isThere,
    why: "commands run at each event, unasked and with all rights of the person",
    instead: "read each of them; in managed settings allowManagedHooksOnly",
  },
  { path: ["apiKeyHelper"], isOpen: isThere, why: "a command runs unasked", instead: "read it" },
  { path: ["statusLine"], isOpen: isThere, why: "a command runs unasked", instead: "read it" },
  {
    path: ["enableAllProjectMcpServers"],
    isOpen: isTrue,
    why: "servers of any project that is opened are started",
    instead: "list them in enabledMcpjsonServers",
  },
  {
    path: ["skipDangerousModePermissionPrompt"],
    isOpen: isTrue,
    why: "nobody is warned before asking is switched off",
    instead: "leave it out",
  },
  {
    path: ["sandbox", "enabled"],
    isOpen: isFalse,
    why: "commands reach all that the person reaches",
    instead: "write true",
  },
  {
    path: ["sandbox", "allowUnsandboxedCommands"],
    isOpen: isTrue,
    why: "a command may ask to run outside of the sandbox",
    instead: "write false",
  },
  {
    path: ["sandbox", "excludedCommands"],
    isOpen: isThere,
    why: "these commands run outside of the sandbox",
    instead: "leave it out",
  },
];

/** Each with its place. */
export function openSettings(settings: Value, placeOf: PlaceOf): readonly Diagnostic[] {
  return OPENINGS.flatMap(({ path, isOpen, why, instead }) => {
    const value = path.reduce(at, settings);
    return isOpen(value) ? [settingsOpen.at(placeOf(path), { rule: path.join("."), why, instead })] : [];
  });
}

const UNSAYABLE: readonly (readonly [string, string])[] = [
  ["hooks", "a page runs nothing beside its tools"],
  ["mcpServers", "a page takes a server as `use mcp` with the list of its tools"],
  ["enabledMcpjsonServers", "a page takes a server as `use mcp` with the list of its tools"],
  ["allowedMcpServers", "a page takes a server as `use mcp` with the list of its tools"],
  ["sandbox", "every process of an image is in a jail, and the page has no say in it"],
  ["env", "processes of an image have no environment of a person"],
];

export function unsayableSettings(settings: Value, placeOf: PlaceOf): readonly Diagnostic[] {
  return UNSAYABLE.flatMap(([name, why]) =>
    isThere(at(settings, name)) ? [settingsUnsayable.at(placeOf([name]), { rule: name, why, instead: "" })] : [],
  );
}
