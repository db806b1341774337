// Finds settings that allow things which rules forbid; see https://code.claude.com/docs/en/settings-reference.

import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import type { FindingText } from "../finding-text.ts";
import { is, isFalse, isThere, isTrue, type Opening, open } from "../openings.ts";
import { isMachinePlace, normalizeFolder } from "../places.ts";
import { settingsOpen } from "../rules/settings-open/codes.ts";
import { settingsRuleInert } from "../rules/settings-rule-inert/codes.ts";
import { settingsUnsayable } from "../rules/settings-unsayable/codes.ts";
import { collectTexts, getPath, getProperty, isObject, type PlaceOf } from "../value.ts";
import { explainVariable, isSecret } from "../variables.ts";

/** Returns whether a list of rules replaces the default rules, because it lacks the entry `$defaults`. */
const isReplacingDefaults = (value: unknown): boolean => Array.isArray(value) && !value.includes("$defaults");

const openCommand = (path: string): Opening => open(path, isThere, "a command runs unasked", "read it");

const OPENINGS: readonly Opening[] = [
  open(
    "permissions.defaultMode",
    is("bypassPermissions"),
    "nothing is asked but what an ask rule names, and only deny rules refuse",
    'write "default", and disableBypassPermissionsMode: "disable"',
  ),
  open("permissions.defaultMode", is("auto"), "a model decides in place of a person", 'write "default"'),
  open(
    "permissions.defaultMode",
    is("acceptEdits"),
    "files are changed and moved unasked",
    'write "default", and allow Edit(FOLDER/**)',
  ),
  open(
    "permissions.additionalDirectories",
    isThere,
    "files outside of the project are read unasked",
    "leave it out, or name what is needed alone",
  ),
  open(
    "hooks",
    isThere,
    "commands run at each event, unasked and with all rights of the person",
    "read each of them; in managed settings allowManagedHooksOnly",
  ),
  ...[
    "apiKeyHelper",
    "statusLine",
    "subagentStatusLine",
    "fileSuggestion",
    "awsAuthRefresh",
    "awsCredentialExport",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "processWrapper",
    "policyHelper",
    "sandbox.ripgrep",
    "sandbox.bwrapPath",
    "sandbox.socatPath",
  ].map(openCommand),
  open("disableAllHooks", isTrue, "hooks that refuse calls do not run either", "leave it out"),
  open(
    "enableAllProjectMcpServers",
    isTrue,
    "servers of any project that is opened are started",
    "list them in enabledMcpjsonServers",
  ),
  open(
    "allowAllClaudeAiMcps",
    isTrue,
    "servers that the file of managed servers leaves out are loaded",
    "leave it out",
  ),
  open("enabledPlugins", isThere, "plugins bring hooks, servers and commands of their own", "read what they bring"),
  open("extraKnownMarketplaces", isThere, "plugins are offered from there", "leave it out, or read what is offered"),
  open("skipDangerousModePermissionPrompt", isTrue, "nobody is warned before asking is switched off", "leave it out"),
  open("skipAutoPermissionPrompt", isTrue, "nobody is told that a model decides in place of a person", "leave it out"),
  open("skipWebFetchPreflight", isTrue, "addresses are read without being looked up first", "leave it out"),
  open("remoteControlAtStartup", isTrue, "sessions are steered from other machines", "leave it out"),
  open("crossSessionInbound", is("accept"), "messages of other sessions are taken in unasked", 'write "hold"'),
  open("autoMode.allow", isThere, "what is written here runs without being asked about in auto mode", "leave it out"),
  open(
    "autoMode.soft_deny",
    isReplacingDefaults,
    "the rules that are there anyway are replaced",
    'write "$defaults" as the first one',
  ),
  open(
    "autoMode.hard_deny",
    isReplacingDefaults,
    "the rules that are there anyway are replaced",
    'write "$defaults" as the first one',
  ),
  open("sandbox.enabled", isFalse, "commands reach all that the person reaches", "write true"),
  open(
    "sandbox.failIfUnavailable",
    isFalse,
    "where the sandbox cannot start, commands run outside of it",
    "write true",
  ),
  open("sandbox.allowUnsandboxedCommands", isTrue, "a command may ask to run outside of the sandbox", "write false"),
  open("sandbox.excludedCommands", isThere, "these commands run outside of the sandbox", "leave it out"),
  open(
    "sandbox.filesystem.disabled",
    isTrue,
    "commands read and write all files of the person, and denyRead and denyWrite count for nothing",
    "leave it out",
  ),
  open(
    "sandbox.network.allowAllUnixSockets",
    isTrue,
    "commands speak with every service of the machine, those that run commands too",
    "leave it out",
  ),
  ...["sandbox.network.httpProxyPort", "sandbox.network.socksProxyPort"].map((path) =>
    open(path, isThere, "another proxy decides which addresses are reached", "leave it out, or read its rules"),
  ),
  open("sandbox.enableWeakerNestedSandbox", isTrue, "commands see other processes of the machine", "leave it out"),
  open("sandbox.enableWeakerNetworkIsolation", isTrue, "commands send out through a service of macOS", "leave it out"),
  open("sandbox.allowAppleEvents", isTrue, "commands start programs outside of the sandbox", "leave it out"),
  open(
    "sandbox.credentials.allowPlaintextInject",
    isTrue,
    "secrets travel unencrypted to whoever answers",
    "leave it out",
  ),
];

/**
 * Settings that are lists. `judge` returns how an entry of the list weakens the protection, or `undefined` if it does
 * not.
 */
const ENTRIES: readonly (readonly [path: string, judge: (text: string) => FindingText | undefined])[] = [
  ["sandbox.filesystem.allowWrite", judgeWritable],
  ["sandbox.filesystem.allowRead", judgeReadable],
  ["sandbox.network.allowUnixSockets", judgeSocket],
  ["sandbox.network.allowedDomains", judgeReachable],
  ["sandbox.network.allowMachLookup", (text) => (text === "*" ? service : undefined)],
  ["allowedHttpHookUrls", (text) => (/^(?:\*|https?:\/\/\*)/.test(text) ? anywhere : undefined)],
];

const service: FindingText = { why: "commands speak with every service of macOS", instead: "name the services" };
const anywhere: FindingText = { why: "hooks send to every address", instead: "name the host" };

function judgeWritable(text: string): FindingText | undefined {
  return isMachinePlace(normalizeFolder(text))
    ? {
        why: "commands in the sandbox change what other programs run and read",
        instead: "name a folder of the project",
      }
    : undefined;
}

function judgeReadable(text: string): FindingText | undefined {
  return /^(?:\/|~|\/(?:home|Users|root)(?:\/[^/]+)?)$/.test(normalizeFolder(text))
    ? { why: "what denyRead closes is open again", instead: "name what is needed alone" }
    : undefined;
}

function judgeSocket(text: string): FindingText {
  return /docker|podman|containerd|crio|libvirt|systemd|dbus/i.test(text)
    ? { why: "who speaks with it runs programs outside of the sandbox, with all rights", instead: "leave it out" }
    : { why: "commands in the sandbox speak with what answers there", instead: "leave it out, or read what answers" };
}

function judgeReachable(text: string): FindingText | undefined {
  return /^\*(?:\.[a-z]+)?(?::\d+)?$/i.test(text)
    ? { why: "commands in the sandbox send to every address", instead: "name the hosts" }
    : undefined;
}

const SECRET: FindingText = {
  why: "a secret stands in the file, and every command that is run reads it",
  instead: "leave it out, and use apiKeyHelper or the shell's own environment",
};

/** Explains how a variable weakens the protection. Returns `undefined` if it does not. */
function explainOpenVariable(name: string, value: unknown): FindingText | undefined {
  const own = VARIABLES.find(([pattern]) => pattern.test(name))?.[1];
  return own ?? explainVariable(name) ?? (isSecret(name, value) ? SECRET : undefined);
}

/** Variables of Claude Code that send the conversation, or data about it, to another address. */
const VARIABLES: readonly (readonly [name: RegExp, said: FindingText])[] = [
  [
    /^ANTHROPIC_(?:\w+_)?BASE_URL$/,
    { why: "conversations and credentials go to this address", instead: "leave it out, unless that host is yours" },
  ],
  [
    /^(?:ANTHROPIC_CUSTOM_HEADERS|OTEL_EXPORTER_OTLP_(?:\w+_)?(?:ENDPOINT|HEADERS)|OTEL_LOG_\w+)$/,
    { why: "what is done in a session is told to others", instead: "leave it out, unless that host is yours" },
  ],
];

/** Returns findings about the settings that weaken the protection, each at the position of the setting. */
export function openSettings(settings: unknown, placeOf: PlaceOf): readonly Diagnostic[] {
  const tell = (path: readonly (string | number)[], said: FindingText, more = ""): Diagnostic =>
    settingsOpen.at(placeOf(path), {
      rule: `${path.filter((step) => typeof step === "string").join(".")}${more}`,
      why: said.why,
      instead: said.instead,
    });
  const isBypassed = getPath(settings, ["permissions", "disableBypassPermissionsMode"]) === "disable";
  const wholes = OPENINGS.flatMap((opening) => {
    const path = opening.path.split(".");
    const value = getPath(settings, path);
    return opening.isOpen(value) && !(value === "bypassPermissions" && isBypassed) ? [tell(path, opening)] : [];
  });
  const entries = ENTRIES.flatMap(([name, judge]) => {
    const path = name.split(".");
    return collectTexts(getPath(settings, path)).flatMap(([index, text]) => {
      const said = judge(text);
      return said === undefined ? [] : [tell([...path, index], said, ` ${JSON.stringify(text)}`)];
    });
  });
  return [...wholes, ...entries, ...openVariables(settings, tell)];
}

function openVariables(
  settings: unknown,
  tell: (path: readonly (string | number)[], said: FindingText) => Diagnostic,
): readonly Diagnostic[] {
  const env = getProperty(settings, "env");
  if (!isObject(env)) return [];
  return Object.entries(env).flatMap(([name, value]) => {
    // Claude Code treats an empty environment variable as not set, so it weakens no protection. The exception is
    // `CLAUDE_CODE_SUBPROCESS_ENV_SCRUB`, because an empty value leaves this protection off.
    const said = value === "" ? undefined : explainOpenVariable(name, value);
    const isScrubOff = name === "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB" && /^(?:0|false)?$/.test(String(value));
    if (isScrubOff) return [tell(["env", name], SCRUB)];
    return said === undefined ? [] : [tell(["env", name], said)];
  });
}

const SCRUB: FindingText = { why: "commands that are run read the credentials of the session", instead: 'write "1"' };

/** Settings that list paths. On Linux, Claude Code ignores an entry of these lists with a wildcard before its end. */
const CONCRETE = ["sandbox.filesystem.allowWrite", "sandbox.filesystem.denyWrite"];

/** Returns findings about the entries of the lists in `CONCRETE` that have no effect on Linux. */
export function findInertEntries(settings: unknown, placeOf: PlaceOf): readonly Diagnostic[] {
  return CONCRETE.flatMap((name) => {
    const path = name.split(".");
    return collectTexts(getPath(settings, path)).flatMap(([index, text]) =>
      /[*?[]/.test(text.replace(/\/\*\*$/, ""))
        ? [
            settingsRuleInert.at(placeOf([...path, index]), {
              rule: `${name} ${JSON.stringify(text)}`,
              why: "on Linux an entry with a wildcard before its end is skipped",
              instead: "name the folder",
            }),
          ]
        : [],
    );
  });
}

const UNSAYABLE: readonly (readonly [string, string])[] = [
  ["hooks", "a page runs nothing beside its tools"],
  ["enabledMcpjsonServers", "a page takes a server as `use mcp` with the list of its tools"],
  ["allowedMcpServers", "a page takes a server as `use mcp` with the list of its tools"],
  ["sandbox", "every process of an image is in a jail, and the page has no say in it"],
  ["env", "processes of an image have no environment of a person"],
];

export function findUnsayableSettings(settings: unknown, placeOf: PlaceOf): readonly Diagnostic[] {
  return UNSAYABLE.flatMap(([name, why]) =>
    isThere(getProperty(settings, name))
      ? [settingsUnsayable.at(placeOf([name]), { rule: name, why, instead: "" })]
      : [],
  );
}
