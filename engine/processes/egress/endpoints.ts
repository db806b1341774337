// Finds the endpoint of a grant in the manifest, by its badge. The manifest is signed, but checked nevertheless: this process must not
// depend on a compiler without faults.

import { parsePathSegments } from "../../lib/policy/index.ts";
import { parseAddress } from "../../lib/reach/address.ts";
import { isHostName } from "../../lib/reach/host-name.ts";
import { ANY, isSyslog } from "../../lib/reach/place.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { Egress, type Endpoint, type Place } from "../../lib/wire/generated/egress.ts";
import { decodeMessage } from "../../lib/wire/index.ts";
import { isPrivate } from "./vault.ts";

/** The schema version of the table of endpoints, as the compiler writes it. */
const EGRESS_SCHEMA_VERSION = 1;

const METHODS = ["GET", "POST"];
const PIN_BYTES = 32;

export function readEndpoints(bytes: Uint8Array): Result<ReadonlyMap<bigint, Endpoint>> {
  const read = decodeMessage(Egress, bytes);
  if (!read.ok) return read;
  const { schemaVersion, endpoints, holders } = read.value;
  if (schemaVersion !== EGRESS_SCHEMA_VERSION) {
    return refuse(`it is of version ${schemaVersion}; this program reads ${EGRESS_SCHEMA_VERSION}`);
  }
  const odd = endpoints.find((endpoint) => !isSound(endpoint));
  if (odd !== undefined) return refuse(`the endpoint ${odd.name} is not sound`);
  const byBadge = new Map<bigint, Endpoint>();
  for (const { badge, endpoint } of holders) {
    const found = endpoints[endpoint];
    if (found === undefined || byBadge.has(badge)) return refuse(`the badge ${badge} has no endpoint, or two`);
    byBadge.set(badge, found);
  }
  return accept(byBadge);
}

function isSound(endpoint: Endpoint): boolean {
  const { places, methods, milliseconds, pins } = endpoint;
  const areMethods = methods.length > 0 && methods.every((method) => METHODS.includes(method));
  const isLimited = milliseconds > 0 && pins.every(isPin);
  const isAny = places.some(isSyslog) ? isCollector(endpoint) : places.every(isPlace);
  return places.length > 0 && isAny && areMethods && isLimited && isSecretKept(endpoint);
}

/** Returns whether the endpoint is one syslog server, without a credential. */
function isCollector({ places, secret }: Endpoint): boolean {
  return (
    secret === "" && places.length === 1 && places.every((place) => isSyslog(place) && place.port > 0 && isHost(place))
  );
}

/** Returns whether the endpoint's credential, if it has one, goes to only one server and over a private connection. */
function isSecretKept({ secret, secretInTheClear, places }: Endpoint): boolean {
  if (secret === "") return !secretInTheClear;
  return (
    places.length === 1 &&
    places.every((place) => place.host !== ANY && isPrivate(place, secretInTheClear ? "allowed" : "never"))
  );
}

function isHost({ host }: Place): boolean {
  return isHostName(host) || parseAddress(host) !== undefined;
}

function isPlace(place: Place): boolean {
  const { scheme, host, port, path } = place;
  return (
    ["http", "https"].includes(scheme) &&
    (host === ANY || isHost(place)) &&
    port > 0 &&
    path.startsWith("/") &&
    parsePathSegments(path) !== undefined
  );
}

function isPin({ length }: Uint8Array): boolean {
  return length === PIN_BYTES;
}
