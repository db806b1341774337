// Checks a caller's request against the page's endpoint; it resolves no name and sends nothing.

import { isUnder, parsePathSegments } from "../policy/index.ts";
import { accept, type Result, refuse } from "../result/result.ts";
import type { Endpoint, Place } from "../wire/generated/egress.ts";
import { parseAddress } from "./address.ts";
import { isHostName } from "./host-name.ts";

/** Request target that the page allows. */
export interface Target {
  readonly place: Place;
  /** Path and query, as they go into the request line. */
  readonly path: string;
}

/**
 * Returns whether an endpoint is a syslog collector. Collectors receive only syslog messages, and no other endpoint
 * receives such messages.
 */
export function isSyslog({ scheme }: Pick<Place, "scheme">): boolean {
  return scheme === "syslog" || scheme === "syslog+tls";
}

/** Host of an endpoint that allows every host name, but no address. The address of each name is checked as usual. */
export const ANY = "*";

/** Most characters of a path: many servers refuse longer ones, and nobody writes them by hand. */
const MOST_PATH_CHARACTERS = 4096;

/** Resolves a path on the one server of an HttpEndpoint. Fails if the page does not allow this path. */
export function resolveServerTarget({ places }: Pick<Endpoint, "places">, path: string): Result<Target> {
  const [place] = places;
  const misfit = checkPath(path);
  if (misfit !== undefined) return refuse(misfit);
  if (place === undefined || !isBelow(place, path)) {
    return refuse(explainOutside(places));
  }
  return accept({ place, path });
}

/**
 * Resolves a URL of Fetch. The text is read as the gate reads it for `origin(url)`, so that gate and egress find the same server.
 */
export function resolveUrlTarget({ places }: Pick<Endpoint, "places">, url: string): Result<Target> {
  if (url.length > MOST_PATH_CHARACTERS || !URL.canParse(url)) return refuse("this is no address of the web");
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url);
  if (username !== "" || password !== "") return refuse("an address may not hold a user name");
  const path = `${pathname}${search}`;
  const misfit = checkPath(path);
  if (misfit !== undefined) return refuse(misfit);
  const place = places.find(
    (one) =>
      `${one.scheme}:` === protocol &&
      isHostOf(one, hostname) &&
      one.port === parsePort(one.scheme, port) &&
      isBelow(one, path),
  );
  if (place === undefined) return refuse(explainOutside(places));
  return accept({ place: { ...place, host: hostname }, path });
}

/** Returns `https://status.example.net`, with the port if it is not the usual one of the scheme. */
export function renderServer({ scheme, host, port }: Pick<Place, "scheme" | "host" | "port">): string {
  return `${scheme}://${host}${port === getDefaultPort(scheme) ? "" : `:${port}`}`;
}

/** Returns the URL of a target, such as `https://status.example.net/api?n=1`. The URL has only printable ASCII. */
export function renderTarget({ place, path }: Target): string {
  return `${renderServer(place)}${path}`;
}

/** Most servers and paths that a refusal lists; of all others it states only the number. */
const MOST_LISTED = 4;

function explainOutside(places: readonly Place[]): string {
  const listed = places.slice(0, MOST_LISTED).map((place) => `${renderServer(place)}${place.path}`);
  const more = places.length > MOST_LISTED ? [`${places.length - MOST_LISTED} more`] : [];
  return `outside the page's grant, which covers ${[...listed, ...more].join(", ")}`;
}

function isHostOf({ host }: Place, name: string): boolean {
  return host === name || (host === ANY && isHostName(name) && parseAddress(name) === undefined);
}

function parsePort(scheme: string, port: string): number {
  return port === "" ? getDefaultPort(scheme) : Number(port);
}

export function getDefaultPort(scheme: string): number {
  return scheme === "https" ? 443 : 80;
}

/** A path and query of the characters that RFC 3986 allows; this excludes blanks, line breaks and all beyond ASCII. */
const PATH = /^\/[\w\-.~!$&'()*+,;=:@%/]*(\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/;
/** Encoded slash, backslash, dot and zero are refused, because servers disagree on their meaning. */
const DISGUISED = /%(2f|5c|2e|00)/i;

function checkPath(path: string): string | undefined {
  if (path.length > MOST_PATH_CHARACTERS) return `a path has at most ${MOST_PATH_CHARACTERS} characters`;
  if (!PATH.test(path)) return "a path begins with a slash and holds what a URL may hold; the rest is written as %XX";
  const [names = ""] = path.split("?", 1);
  const segments = names.split("/").slice(1, -1);
  if (
    DISGUISED.test(names) ||
    names.split("/").some((name) => name === "." || name === "..") ||
    segments.includes("")
  ) {
    return "a path that servers may read in two ways is not sent";
  }
  return /%(?![0-9a-f]{2})/i.test(path) ? "a % in a path is followed by two hexadecimal digits" : undefined;
}

/** Returns whether a path is below the path of the endpoint, compared by whole segments. */
function isBelow(place: Place, path: string): boolean {
  const [asked, folder] = [path.split("?", 1)[0] ?? "", place.path].map((text) => parsePathSegments(text));
  return asked !== undefined && folder !== undefined && isUnder(asked, folder);
}
