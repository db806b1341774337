// Examines environment variables in imported settings of other agent programs, such as Codex. Reports variables that
// weaken the protection, or that contain a secret.

import type { FindingText } from "./finding-text.ts";
import type { FindingList } from "./findings.ts";
import type { Path } from "./value.ts";

/** Variables that redirect conversations or programs, or that contain secrets. */
const VARIABLES: readonly (readonly [name: RegExp, said: FindingText])[] = [
  [
    /^(?:https?|all)_proxy$/i,
    { why: "all that is sent goes through this proxy", instead: "leave it out, unless that host is yours" },
  ],
  [
    /^(?:NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|GIT_SSL_NO_VERIFY|PYTHONHTTPSVERIFY|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)$/,
    { why: "who answers is believed without the usual proof", instead: "leave it out" },
  ],
  [
    /^(?:PATH|SHELL|ENV|BASH_ENV|PROMPT_COMMAND|LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_\w+|NODE_OPTIONS|NODE_PATH|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|EXEC_PATH|CONFIG_\w+|PROXY_COMMAND)|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|CLAUDE_CODE_(?:SHELL|SHELL_PREFIX|GIT_BASH_PATH|PROCESS_WRAPPER)|CLAUDE_ENV_FILE)$/,
    { why: "other programs run in place of those that a rule names", instead: "leave it out" },
  ],
];

const SECRET = /(?:^|_)(?:API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|SECRET_ACCESS_KEY|PRIVATE_KEY)$/i;

/** Explains how a variable weakens the protection. Returns `undefined` if it does not. */
export function explainVariable(name: string): FindingText | undefined {
  return VARIABLES.find(([pattern]) => pattern.test(name))?.[1];
}

/**
 * Reports a variable or header that weakens the protection or contains a secret. `secret` is the text of the finding
 * about a secret.
 */
export function reportVariable(path: Path, value: unknown, secret: FindingText, found: FindingList): void {
  const name = String(path.at(-1));
  const said = explainVariable(name) ?? (isSecret(name, value) ? secret : undefined);
  if (said !== undefined) found.add("open", path, said.why, said.instead);
}

/** Returns whether the value of a variable or header is a secret, not a reference to another variable. */
export function isSecret(name: string, value: unknown): boolean {
  const isNamed = SECRET.test(name) || /^authorization$/i.test(name) || SECRET.test(name.replaceAll("-", "_"));
  return isNamed && typeof value === "string" && value !== "" && !/^(?:Bearer )?\$(?:\{\w+\}|\w+)$/.test(value);
}
