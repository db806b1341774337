// Converts profiles, accounts and keys of a manifest back to sessions and principals. It accepts only the forms that
// capc writes. Source: capos-config 0.1.0, src/validation.rs, validate_manifest_seed_accounts,
// validate_authorized_ssh_key_record.

import type {
  AuthorizedSshKey,
  ManifestSeedAccount,
  SystemConfig,
} from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { compareCodeUnits } from "../../../../lang/text/index.ts";
import {
  createProfile,
  createSshKey,
  derivePrincipalId,
  LIFETIME_KINDS,
  UPSTREAM_MS,
} from "../../../../targets/capos-native/index.ts";
import { KINDS } from "../../../phases/bind/model/sessions.ts";
import { bootOf } from "./boot.ts";
import { findDifferences } from "./differing.ts";
import { checkTwice } from "./duplicate-names.ts";
import type { Findings } from "./findings.ts";
import { isKind, isPageName, PAGE_NAME } from "./names.ts";
import type { Login, People, Principal, Session } from "./sessions.ts";

/**
 * Reports the values of profiles, accounts and SSH keys that differ from the values that capc writes, because no page
 * gives them. It checks every manifest, with or without tables.
 */
export function checkPeople(params: SystemConfig, findings: Findings): void {
  const { resourceProfiles, seedAccounts, authorizedSshKeys } = params;
  const at = "$.kernelParams";
  if (resourceProfiles.length === 0)
    findings.reportUnsayable(
      `${at}.resourceProfiles`,
      "a page has a session, which is a profile",
      "add one, and an account of it",
    );
  checkTwice(params, findings);
  for (const [index, profile] of resourceProfiles.entries()) {
    const path = `${at}.resourceProfiles[${index}]`;
    checkName(`${path}.name`, profile.name, findings);
    for (const { path: place, expected } of findDifferences(path, profile, createProfile(profile.name)))
      findings.reportUnsayable(
        place,
        "no line of a page says what programs of a session may take",
        `write ${expected}`,
      );
  }
  for (const [index, account] of seedAccounts.entries())
    checkAccount(`${at}.seedAccounts[${index}]`, account, params, findings);
  for (const [index, key] of authorizedSshKeys.entries())
    checkKey(`${at}.authorizedSshKeys[${index}]`, key, seedAccounts, findings);
}

function checkName(path: string, name: string, findings: Findings): void {
  if (!isPageName(name)) findings.reportUnsayable(path, "it is no name of a page", PAGE_NAME);
}

function checkAccount(path: string, account: ManifestSeedAccount, params: SystemConfig, findings: Findings): void {
  const { name, kind, credentialRefs, resourceProfile } = account;
  checkName(`${path}.name`, name, findings);
  if (!isKind(kind))
    findings.reportUnsayable(`${path}.kind`, "sessions have no such kind", `write one of ${KINDS.join(", ")}`);
  if (params.resourceProfiles.every((profile) => profile.name !== resourceProfile))
    findings.reportWrong(`${path}.resourceProfile`, "upstream wants the name of a profile here");
  for (const [index, reference] of credentialRefs.entries()) {
    const place = `${path}.credentialRefs[${index}]`;
    if (index > 0) findings.reportUnsayable(place, "a principal has one passphrase at most", "leave it out");
    else if (decodePassphrase(account) === undefined || reference.length === 0)
      findings.reportUnsayable(place, "a passphrase is called by a printable text", "give it a name of letters");
  }
  const written = {
    principalId: derivePrincipalId(name),
    displayName: name,
    policyProfile: "",
    serviceBinary: "",
    directCaps: [],
  };
  for (const [key, expected] of Object.entries(written)) {
    const found = account[key as keyof typeof written];
    for (const { path: place, expected: word } of findDifferences(`${path}.${key}`, found, expected))
      findings.reportUnsayable(place, ACCOUNT[key as keyof typeof written], `write ${word}`);
  }
}

const ACCOUNT = {
  principalId: "what a page's account is known by is a digest of its name",
  displayName: "an account of a page is shown by its name",
  policyProfile: "upstream 0.1.0 refuses it, and what an agent may do is in the page's sessions",
  serviceBinary: "no line gives an account a program of its own",
  directCaps: "upstream 0.1.0 refuses them, and a page grants to services alone",
} as const;

/** Returns the name of the account's credential, or `undefined` if a page cannot express the credential. */
function decodePassphrase({ credentialRefs: [first = new Uint8Array()] }: ManifestSeedAccount): string | undefined {
  const text = Buffer.from(first).toString("utf8");
  return Buffer.from(text).equals(first) && !/[\p{Cc}\p{Cs}]/u.test(text) ? text : undefined;
}

function checkKey(
  path: string,
  key: AuthorizedSshKey,
  accounts: readonly ManifestSeedAccount[],
  findings: Findings,
): void {
  const account = accounts.find(({ principalId }) => Buffer.compare(principalId, key.principalId) === 0);
  if (account === undefined) {
    findings.reportWrong(`${path}.principalId`, "upstream wants that of an account here");
    return;
  }
  if (key.algorithm !== ALGORITHM || key.publicKey.length !== POINT_BYTES) {
    findings.reportWrong(`${path}.publicKey`, `upstream knows keys of ${ALGORITHM} alone, of ${POINT_BYTES} bytes`);
    return;
  }
  const written = createSshKey(encodeKeyBlob(key.publicKey), account);
  if (written === undefined)
    findings.reportUnsayable(path, `no key opens an account of kind ${account.kind} on a page`, "leave it out");
  else
    for (const { path: place, expected } of findDifferences(path, key, written))
      findings.reportUnsayable(
        place,
        "a page names the file of a key, and capc writes the rest of it",
        `write ${expected}`,
      );
}

const ALGORITHM = "ssh-ed25519";
const POINT_BYTES = 32;

/** Encodes a key as OpenSSH does (RFC 8709, 4): two byte strings, each preceded by its length. */
function encodeKeyBlob(point: Uint8Array): Buffer {
  return Buffer.concat([encodeString(Buffer.from(ALGORITHM)), encodeString(point)]);
}

function encodeString(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Derives people and sessions from accounts and profiles, because no other part of the manifest describes them. */
export function readPeople(params: SystemConfig, findings: Findings): People {
  const principals = params.seedAccounts.flatMap(
    (account, index) => readPrincipal(account, index, params, findings) ?? [],
  );
  const somebody = pickPrincipal(params, principals);
  const sessions = params.resourceProfiles.map(({ name }, index) => {
    const path = `$.kernelParams.resourceProfiles[${index}]`;
    return readSession({ name, path }, { params, principals, somebody }, findings);
  });
  const timed = assignLifetimes(params, sessions);
  checkLifetimes(params, timed, findings);
  return { principals: principals.map(ensureProof), sessions: openSessions(params, timed, findings) };
}

/**
 * Returns the principal of an account, or `undefined` if it is a session's own account, which does not represent a
 * person.
 */
function readPrincipal(
  account: ManifestSeedAccount,
  index: number,
  { authorizedSshKeys }: SystemConfig,
  findings: Findings,
): Principal | undefined {
  const keys = authorizedSshKeys
    .filter(({ principalId }) => Buffer.compare(principalId, account.principalId) === 0)
    .map(({ publicKey }) => `${ALGORITHM} ${encodeKeyBlob(publicKey).toString("base64")}`);
  const passphrase = decodePassphrase(account) ?? "";
  const isOpened = keys.length > 0 || passphrase !== "";
  if (!isOpened && account.name === account.resourceProfile) return undefined;
  if (!isOpened)
    findings.reportDifference(
      `$.kernelParams.seedAccounts[${index}]`,
      "nothing opens this account; a principal has something, and the page says a passphrase that opens nothing",
    );
  return { name: account.name, keys, passphrase };
}

/**
 * Returns the principal with a key or a passphrase, because a page requires one of them. A principal that has neither
 * gets a passphrase that is never used.
 */
function ensureProof(principal: Principal): Principal {
  return classifyLogin(principal) === "none" ? { ...principal, passphrase: principal.name } : principal;
}

/** The accounts of a manifest, and the principals of the page for these accounts. */
interface AccountsRead {
  readonly params: SystemConfig;
  readonly principals: readonly Principal[];
  readonly somebody: Principal | undefined;
}

function readSession(
  { name, path }: { readonly name: string; readonly path: string },
  { params: { seedAccounts, sessionLifetimes }, principals, somebody }: AccountsRead,
  findings: Findings,
): Session {
  const accounts = seedAccounts.filter(({ resourceProfile }) => resourceProfile === name);
  const [first] = accounts;
  if (first === undefined) return createSharedSession(name, path, somebody, findings);
  const { kind } = first;
  const people = accounts.flatMap((account) => principals.filter((each) => each.name === account.name));
  if (accounts.some((account) => account.kind !== kind))
    findings.reportUnsayable(
      path,
      "accounts of several kinds have it, and a session has one kind",
      "give each kind a profile",
    );
  if (people.length > 0 && people.length < accounts.length)
    findings.reportUnsayable(
      path,
      "somebody and anybody have it, and a session is one or the other's",
      "give each a profile",
    );
  const logins = new Set(people.map(classifyLogin));
  if (logins.size > 1 || logins.has("both"))
    findings.reportUnsayable(
      path,
      "its accounts are opened in several ways, and a session is opened by keys, by passphrases or by nothing",
      "give all of them keys, and nothing else",
    );
  const [login = "none"] = logins;
  const loginMs = isTimed(kind) ? sessionLifetimes[`${kind}Ms`] : 0n;
  const isSaid = isTimed(kind) && loginMs !== BigInt(UPSTREAM_MS[kind]);
  return {
    name,
    kind,
    principals: people.map((each) => each.name),
    login: login === "both" ? "key" : login,
    loginMs: isSaid ? loginMs : 0n,
  };
}

/**
 * Returns the principal of all sessions that have no accounts. It is chosen once for a manifest, so that many such
 * sessions take no more time than one.
 */
function pickPrincipal({ seedAccounts }: SystemConfig, principals: readonly Principal[]): Principal | undefined {
  const profiles = new Map(seedAccounts.map(({ name, resourceProfile }) => [name, resourceProfile]));
  // The first principal in this order is the result. Principals without a login come first, because they are in the
  // session that boots. Within each group, principals are sorted by the names of their profiles.
  const rank = (each: Principal) => `${classifyLogin(each) === "none" ? 0 : 1} ${profiles.get(each.name) ?? ""}`;
  const able = principals.filter((each) => classifyLogin(each) !== "both");
  return able.sort((one, other) => compareCodeUnits(rank(one), rank(other)))[0];
}

/**
 * Returns a session for a profile that no account has. Only accounts show which people may use a session, so this
 * session gets the person `somebody`.
 */
function createSharedSession(name: string, path: string, somebody: Principal | undefined, findings: Findings): Session {
  // The kind and the lifetime are unknown, because the session has no account.
  const session = { name, kind: "service", login: "none", principals: [], loginMs: 0n } as const;
  if (somebody === undefined) {
    findings.reportUnsayable(
      path,
      "nobody has this profile, and a session is somebody's",
      "leave it out, or give it an account",
    );
    return session;
  }
  findings.reportDifference(path, `nobody has this profile; the page lets ${somebody.name} in, who has another one`);
  return { ...session, principals: [somebody.name], login: classifyLogin(somebody) === "key" ? "key" : "passphrase" };
}

function classifyLogin({ keys, passphrase }: Principal): Login | "both" {
  if (keys.length > 0) return passphrase === "" ? "key" : "both";
  return passphrase === "" ? "none" : "passphrase";
}

function isTimed(kind: string): kind is keyof typeof UPSTREAM_MS {
  return LIFETIME_KINDS.has(kind);
}

/**
 * Assigns the login lifetimes to the sessions. Each lifetime is for one kind of account. If no account has this kind,
 * the lifetime belongs to a session without accounts.
 */
function assignLifetimes(
  { seedAccounts, sessionLifetimes }: SystemConfig,
  sessions: readonly Session[],
): readonly Session[] {
  const had = new Set(seedAccounts.map(({ resourceProfile }) => resourceProfile));
  const kinds = Object.keys(UPSTREAM_MS)
    .filter(isTimed)
    .filter((kind) => sessionLifetimes[`${kind}Ms`] !== BigInt(UPSTREAM_MS[kind]))
    .filter((kind) => sessions.every((session) => session.kind !== kind));
  return sessions.map((session) => {
    const kind = had.has(session.name) ? undefined : kinds.shift();
    return kind === undefined ? session : { ...session, kind, loginMs: sessionLifetimes[`${kind}Ms`] };
  });
}

/**
 * Returns the sessions, and removes the people whom a page cannot let in. Only the session that boots may have people
 * without a login. Other sessions with such people are reported, and get no people.
 */
function openSessions(params: SystemConfig, sessions: readonly Session[], findings: Findings): readonly Session[] {
  const boot = bootOf(sessions, params);
  return sessions.map((session) => {
    const { name, login, principals } = session;
    if (name === boot || login !== "none" || principals.length === 0) return session;
    const index = params.resourceProfiles.findIndex((profile) => profile.name === name);
    findings.reportUnsayable(
      `$.kernelParams.resourceProfiles[${index}]`,
      "nothing opens its accounts, and of a page only the session that boots may have such people",
      "give them keys, or leave them out",
    );
    return { ...session, principals: [] };
  });
}

function checkLifetimes({ sessionLifetimes }: SystemConfig, sessions: readonly Session[], findings: Findings): void {
  for (const kind of Object.keys(UPSTREAM_MS).filter(isTimed)) {
    const isSaid = sessionLifetimes[`${kind}Ms`] !== BigInt(UPSTREAM_MS[kind]);
    if (isSaid && sessions.every((session) => session.kind !== kind))
      findings.reportUnsayable(
        `$.kernelParams.sessionLifetimes.${kind}Ms`,
        `it is of sessions of kind ${kind}, and there are none`,
        `write ${UPSTREAM_MS[kind]}, which is upstream's own`,
      );
  }
}
