// Starts TLS over an existing connection to a server, and decides whether to accept the server's certificate.

import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { connect, createSecureContext, rootCertificates, type TLSSocket } from "node:tls";
import { parseAddress } from "../../lib/reach/address.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";

/** The clock and the root certificates with which certificates are checked. */
export interface Judgement {
  /** Milliseconds of the wall clock: a certificate is valid only within its dates. */
  readonly now: () => number;
  /** Certificate authorities in PEM; by default those of Mozilla that Node contains. */
  readonly roots?: readonly string[];
}

/**
 * SHA-256 digests of public keys. If there are pins, the server must have one of these keys, and authorities are not
 * consulted.
 */
type Pins = readonly Uint8Array[];

/** Mozilla's list is long, so it is read only once. */
let bundled: ReturnType<typeof createSecureContext> | undefined;

function getSecureContext({ roots }: Judgement): ReturnType<typeof createSecureContext> {
  if (roots !== undefined) return createSecureContext({ ca: [...roots], minVersion: "TLSv1.2" });
  bundled ??= createSecureContext({ ca: [...rootCertificates], minVersion: "TLSv1.2" });
  return bundled;
}

/** The intended server, how it is recognised, and the protocols that the client offers, which may be none. */
interface SecureParts {
  readonly host: string;
  readonly pins: Pins;
  readonly judgement: Judgement;
  readonly protocols: readonly string[];
}

/**
 * Returns the connection once it is secure and the server is the intended one; otherwise closes `tcp` and fails.
 * `protocols` lists the protocols that are offered inside TLS (ALPN).
 */
export function secureConnection(
  tcp: Socket,
  { host, pins, judgement, protocols }: SecureParts,
): Promise<Result<TLSSocket>> {
  const { promise, resolve } = Promise.withResolvers<Result<TLSSocket>>();
  const isName = parseAddress(host) === undefined;
  const socket = connect({
    socket: tcp,
    host,
    ...(isName ? { servername: host } : {}),
    secureContext: getSecureContext(judgement),
    ...(protocols.length === 0 ? {} : { ALPNProtocols: [...protocols] }),
    rejectUnauthorized: pins.length === 0,
  });
  const end = (reason: string): void => {
    socket.destroy();
    tcp.destroy();
    resolve(refuse(`${host}: ${reason}`));
  };
  socket.once("secureConnect", () => {
    const objection = checkPeerCertificate(socket, host, pins, judgement.now());
    if (objection === undefined) resolve(accept(socket));
    else end(objection);
  });
  socket.on("error", (error) => end(`no secure connection: ${describeTlsError(error)}`));
  socket.once("close", () => end("the server ended the connection before it was secure"));
  return promise;
}

/** The names in the certificate's subject are ignored, as in other clients. */
const ALTERNATIVE_NAMES = { subject: "never" } as const;

/**
 * Checks the peer's certificate. If there are no pins, the handshake has checked the authority and the name. This
 * function always checks the dates. If there are pins, it also checks the key and the name.
 */
function checkPeerCertificate(socket: TLSSocket, host: string, pins: Pins, now: number): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return "it shows no certificate";
  if (now < certificate.validFromDate.getTime()) return "its certificate is not valid yet";
  if (now > certificate.validToDate.getTime()) return "its certificate has expired";
  if (pins.length === 0) return socket.authorized ? undefined : "its certificate is not believed";
  const key = createHash("sha256")
    .update(certificate.publicKey.export({ type: "spki", format: "der" }))
    .digest();
  if (!pins.some((pin) => key.equals(pin))) return "its key is none of those that the page names";
  const isMeant =
    parseAddress(host) === undefined ? certificate.checkHost(host, ALTERNATIVE_NAMES) : certificate.checkIP(host);
  return isMeant === undefined ? "its certificate is for another server" : undefined;
}

/** Describes an error by OpenSSL's code (CERT_HAS_EXPIRED); its messages contain text of the server. */
function describeTlsError(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "it failed";
}
