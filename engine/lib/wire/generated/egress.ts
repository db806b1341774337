// Generated from egress.capnp by `npm run generate`. Do not edit.

import { bool, bytes, capabilityOf, field, list, method, of, struct, text, type StructLayout, uint16, uint32, uint64 } from "../layout.ts";

export interface Copy {
  /** Public key of the machine: X25519, 32 bytes. */
  readonly recipient: Uint8Array;
  readonly encapsulated: Uint8Array;
  /** HPKE (RFC 9180), base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305. */
  readonly sealed: Uint8Array;
}

export const Copy: StructLayout<Copy> = /* @__PURE__ */ struct({ name: "Copy", id: 0xdd5d5c25496d3e8dn, sizes: [0, 3], shape: () => ({
  fields: [
    field("recipient", bytes, 0),
    field("encapsulated", bytes, 1),
    field("sealed", bytes, 2),
  ],
}) });

export interface Egress {
  readonly schemaVersion: number;
  /** In code-unit order of names. */
  readonly endpoints: readonly Endpoint[];
  /** In the order of badges. */
  readonly holders: readonly Holder[];
  /** In code-unit order of names. Of each only what no one but this machine can open. */
  readonly secrets: readonly Secret[];
}

export const Egress: StructLayout<Egress> = /* @__PURE__ */ struct({ name: "Egress", id: 0xa091da092ad7e5ean, sizes: [1, 3], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("endpoints", list(of(() => Endpoint)), 0),
    field("holders", list(of(() => Holder)), 1),
    field("secrets", list(of(() => Secret)), 2),
  ],
}) });

export interface Endpoint {
  /** Of the service or backend that it is for. */
  readonly name: string;
  /** What may be asked; one alone for HttpEndpoint. */
  readonly places: readonly Place[];
  /** "GET", "POST". */
  readonly methods: readonly string[];
  readonly requestBytes: number;
  /** Of the body, each. */
  readonly responseBytes: number;
  /** From the first look-up to the last byte. */
  readonly milliseconds: number;
  /** Name of the credential that goes with each request; empty: none. */
  readonly secret: string;
  /** SHA-256 of public keys (SubjectPublicKeyInfo). With any, the server must have one of them, and no authority is asked. */
  readonly pins: readonly Uint8Array[];
  /** The page lets the credential go without TLS, to an address that is not public. */
  readonly secretInTheClear: boolean;
}

export const Endpoint: StructLayout<Endpoint> = /* @__PURE__ */ struct({ name: "Endpoint", id: 0xc0752c7d4f5afb7an, sizes: [2, 5], shape: () => ({
  fields: [
    field("name", text, 0),
    field("places", list(of(() => Place)), 1),
    field("methods", list(text), 2),
    field("requestBytes", uint32, 0),
    field("responseBytes", uint32, 1),
    field("milliseconds", uint32, 2),
    field("secret", text, 3),
    field("pins", list(bytes), 4),
    field("secretInTheClear", bool, 96),
  ],
}) });

export interface Holder {
  /** Of the grant, as the manifest has it. */
  readonly badge: bigint;
  /** Index into endpoints. */
  readonly endpoint: number;
}

export const Holder: StructLayout<Holder> = /* @__PURE__ */ struct({ name: "Holder", id: 0xc6f3516b943bbe1fn, sizes: [2, 0], shape: () => ({
  fields: [
    field("badge", uint64, 0),
    field("endpoint", uint16, 4),
  ],
}) });

export interface HttpExchangeAskParams {
  readonly body: string;
}

export const HttpExchangeAskParams: StructLayout<HttpExchangeAskParams> = /* @__PURE__ */ struct({ name: "HttpExchangeAskParams", id: 0xb59c41f5ac529644n, sizes: [0, 1], shape: () => ({
  fields: [
    field("body", text, 0),
  ],
}) });

export interface HttpExchangeAskResults {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string;
  readonly unsent: string;
}

export const HttpExchangeAskResults: StructLayout<HttpExchangeAskResults> = /* @__PURE__ */ struct({ name: "HttpExchangeAskResults", id: 0xb1007cfc51348c0an, sizes: [1, 3], shape: () => ({
  fields: [
    field("status", uint16, 0),
    field("contentType", text, 0),
    field("retryAfter", text, 1),
    field("unsent", text, 2),
  ],
}) });

export interface HttpExchangeReadParams {}

export const HttpExchangeReadParams: StructLayout<HttpExchangeReadParams> = /* @__PURE__ */ struct({ name: "HttpExchangeReadParams", id: 0xb66a46ecce5acc26n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface HttpExchangeReadResults {
  readonly bytes: Uint8Array;
  readonly end: boolean;
}

export const HttpExchangeReadResults: StructLayout<HttpExchangeReadResults> = /* @__PURE__ */ struct({ name: "HttpExchangeReadResults", id: 0xdd9882a26ba75ff2n, sizes: [1, 1], shape: () => ({
  fields: [
    field("bytes", bytes, 0),
    field("end", bool, 0),
  ],
}) });

export interface HttpExchangeStopParams {}

export const HttpExchangeStopParams: StructLayout<HttpExchangeStopParams> = /* @__PURE__ */ struct({ name: "HttpExchangeStopParams", id: 0xab86a5f49d5e1a9en, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface HttpExchangeStopResults {}

export const HttpExchangeStopResults: StructLayout<HttpExchangeStopResults> = /* @__PURE__ */ struct({ name: "HttpExchangeStopResults", id: 0x8a01ea888d4f37ffn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface Place {
  /** "http" or "https"; of a SyslogExit "syslog" or "syslog+tls". */
  readonly scheme: string;
  /** In lower case, as a URL has it: a name, or an IPv4 address, which is dialled as it stands. */
  readonly host: string;
  readonly port: number;
  /** What a request asks for lies below it, by whole segments; begins with a slash. */
  readonly path: string;
}

export const Place: StructLayout<Place> = /* @__PURE__ */ struct({ name: "Place", id: 0xcafac589dca82b77n, sizes: [1, 3], shape: () => ({
  fields: [
    field("scheme", text, 0),
    field("host", text, 1),
    field("port", uint16, 0),
    field("path", text, 2),
  ],
}) });

/** A credential as `capc secret seal` writes it: for one server, and for the machines whose keys were named. */
export interface Secret {
  readonly schemaVersion: number;
  readonly name: string;
  /** "https://status.example.net": it is sent there and nowhere else. A part of what is sealed. */
  readonly origin: string;
  /** One for each machine. */
  readonly copies: readonly Copy[];
}

export const Secret: StructLayout<Secret> = /* @__PURE__ */ struct({ name: "Secret", id: 0xa614432a9c9f5a43n, sizes: [1, 3], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("name", text, 0),
    field("origin", text, 1),
    field("copies", list(of(() => Copy)), 2),
  ],
}) });

export interface SyslogExitSendParams {
  readonly messages: readonly string[];
}

export const SyslogExitSendParams: StructLayout<SyslogExitSendParams> = /* @__PURE__ */ struct({ name: "SyslogExitSendParams", id: 0xf3c689a9dc0781d5n, sizes: [0, 1], shape: () => ({
  fields: [
    field("messages", list(text), 0),
  ],
}) });

export interface SyslogExitSendResults {}

export const SyslogExitSendResults: StructLayout<SyslogExitSendResults> = /* @__PURE__ */ struct({ name: "SyslogExitSendResults", id: 0xaa0aa7a7de1c4cddn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

/**
 * Held by the worker of a remote model: an HttpEndpoint of one address, to which JSON is posted, and whose answers are read
 * as they come. Scheme, host, port, path and credential are the page's.
 */
export const HttpExchange = /* @__PURE__ */ capabilityOf("HttpExchange", 0x9c9ff9b0f4c8ada1n, {
  /**
   * Waits for the head of the answer. One exchange is under way at most: another ends it.
   * unsent: why the server got not a byte of the request; empty where it may have. Else there is no head.
   */
  ask: /* @__PURE__ */ method({ interfaceId: 0x9c9ff9b0f4c8ada1n, ordinal: 0, name: "ask", params: HttpExchangeAskParams, results: HttpExchangeAskResults }),
  /** What came since; waits where nothing did. end: the body was whole. */
  read: /* @__PURE__ */ method({ interfaceId: 0x9c9ff9b0f4c8ada1n, ordinal: 1, name: "read", params: HttpExchangeReadParams, results: HttpExchangeReadResults }),
  /** The answer is no longer wanted. The connection to the server ends. */
  stop: /* @__PURE__ */ method({ interfaceId: 0x9c9ff9b0f4c8ada1n, ordinal: 2, name: "stop", params: HttpExchangeStopParams, results: HttpExchangeStopResults }),
});

/** Held by the audit where its collector takes syslog (RFC 5424 over TCP with octet counting, RFC 6587, or TLS, RFC 5425). */
export const SyslogExit = /* @__PURE__ */ capabilityOf("SyslogExit", 0xda5f830e6cacc21dn, {
  /**
   * Each a whole message in printable ASCII; the lengths before them are written here. One connection for all of them. Returns
   * once the server has closed its side behind ours: syslog has no other word for what came there.
   */
  send: /* @__PURE__ */ method({ interfaceId: 0xda5f830e6cacc21dn, ordinal: 0, name: "send", params: SyslogExitSendParams, results: SyslogExitSendResults }),
});
