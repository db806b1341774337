// Attacks on egress by a name server, a server and a caller, each with its expected result.

import type { Socket } from "node:net";
import { type Address, parseAddress } from "../../../lib/reach/address.ts";
import type { Reply } from "../../../lib/wire/index.ts";
import type { Exit } from "../request.ts";
import { createIdentity } from "./certificate.ts";
import { createFetcher, holdEndpoint, makeEndpoint } from "./holder.ts";
import { answerTo, nameServer, type OnConnection, recordOf, serveText } from "./internet.ts";

/** Addresses of an honest server and of a name server; both are public. */
export const PUBLIC = "93.184.216.34";
export const NAME_SERVER = "198.41.0.4";
const NAME = "status.example.net";
const HONEST: Address = [93, 184, 216, 34];

/** Addresses that a name must not resolve to. A server on ports 80 and 443 of each address reports every connection. */
export const TRAPS: readonly string[] = [
  ...["127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254"],
  ...["168.63.129.16", "192.0.0.192", "198.18.0.1", "192.0.2.1", "fd00:ec2::254", "::1"],
];

export interface Attack {
  readonly name: string;
  /** Expected reply; `said` is matched against the reason, or against the answer if a server's answer is expected. */
  readonly expect: { readonly ok: boolean | undefined; readonly said: RegExp };
  readonly names: OnConnection;
  /** Server at the address `PUBLIC`, without TLS. */
  readonly serves?: OnConnection;
  /** Certificate of the server at the address `PUBLIC`, with TLS. */
  readonly shows?: keyof typeof CERTIFICATES;
  readonly ask: (exit: Exit) => Promise<Reply<string>>;
  /** Traps that the attack may reach, because the page itself names them. */
  readonly caught?: readonly string[];
}

const root = createIdentity({ name: "the root of these attacks" });
export const CERTIFICATES = {
  root,
  honest: createIdentity({ name: NAME, by: root }),
  other: createIdentity({ name: "evil.example.net", by: root }),
  expired: createIdentity({ name: NAME, by: root, from: "2001-01-01", until: "2002-01-01" }),
  early: createIdentity({ name: NAME, by: root, from: "2099-01-01" }),
  own: createIdentity({ name: NAME }),
  stranger: createIdentity({ name: NAME, by: createIdentity({ name: "another root" }) }),
} as const;

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const serveAddresses = (...addresses: readonly Address[]): OnConnection => nameServer(() => addresses);
const fetchPlain = (exit: Exit) => holdEndpoint(makeEndpoint(), exit).get("/");
const fetchHurriedly = (exit: Exit) => holdEndpoint(makeEndpoint({}, { milliseconds: 250 }), exit).get("/");
const fetchSecurely = (exit: Exit) => holdEndpoint(makeEndpoint({ scheme: "https", port: 443 }), exit).get("/");
const fetchAnyPage = (url: string) => (exit: Exit) => {
  const place = { scheme: "http", host: "*", port: 80, path: "/" };
  return createFetcher(makeEndpoint({}, { places: [place, { ...place, scheme: "https", port: 443 }] }), exit)(url);
};
const expectRefusal = (said: RegExp) => ({ ok: false, said });

/** Returns an answer with records of other kinds than addresses. */
function serveOtherRecord(
  type: number,
  content: (query: Buffer) => Uint8Array,
  addresses: readonly Address[] = [],
): OnConnection {
  return (socket) =>
    socket.on("data", (bytes) => {
      const query = bytes.subarray(2);
      const answer = Buffer.concat([answerTo(query, addresses), recordOf(type, content(query))]);
      answer.writeUInt16BE(addresses.length + 1, 6);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    });
}

const toAddresses = TRAPS.flatMap((text): Attack[] => {
  const address = parseAddress(text);
  if (address === undefined) return [];
  const said = new RegExp(`leads to ${text.replaceAll(".", "\\.")}, which is `);
  return [
    {
      name: `a name that leads to ${text}`,
      expect: expectRefusal(said),
      names: serveAddresses(address),
      ask: fetchPlain,
    },
  ];
});

const mapped = ["::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "fd00:ec2::254", "::1"];
const inSix = mapped.map(
  (text): Attack => ({
    name: `a name that has ${text} and nothing else`,
    expect: expectRefusal(/the name has no IPv4 address/),
    names: serveOtherRecord(28, () => parseIpv6(text)),
    ask: fetchPlain,
  }),
);

function parseIpv6(text: string): Uint8Array {
  const [before = "", after = ""] = text.split("::").map((half) => half);
  const parseHextets = (half: string) => (half === "" ? [] : half.split(":")).map((word) => Number.parseInt(word, 16));
  const [front, back] = [parseHextets(before), parseHextets(after)];
  const all = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 255]));
}

const literals = [
  ...["http://169.254.169.254/", "http://127.0.0.1/", "http://[::1]/", "http://[fd00:ec2::254]/"],
  ...["http://[::ffff:169.254.169.254]/", "http://[64:ff9b::a9fe:a9fe]/", "http://2852039166/", "http://0xa9fea9fe/"],
  ...["http://0251.0376.0251.0376/", "http://127.1/", "http://10.1.2.3:80/", "http://a@127.0.0.1/", "http://0/"],
].map(
  (url): Attack => ({
    name: `a caller who asks for ${url}`,
    expect: expectRefusal(/outside the page's grant|an address may not hold a user name/),
    names: serveAddresses(HONEST),
    ask: fetchAnyPage(url),
  }),
);

const names: readonly Attack[] = [
  {
    name: "a private address beside a public one",
    expect: expectRefusal(/leads to 10\.1\.2\.3, which is private/),
    names: serveAddresses(HONEST, [10, 1, 2, 3]),
    ask: fetchPlain,
  },
  {
    name: "many addresses, the last of which is the cloud's",
    expect: expectRefusal(/leads to 169\.254\.169\.254, which/),
    names: serveAddresses(...Array.from({ length: 60 }, () => HONEST), [169, 254, 169, 254]),
    ask: fetchPlain,
  },
  {
    name: "a name server that says another address as soon as it was asked once",
    expect: { ok: true, said: /hello/ },
    names: nameServer((_, count) => [count === 0 ? HONEST : ([127, 0, 0, 1] as const)]),
    serves: serveText(OK),
    ask: fetchPlain,
  },
  {
    name: "localhost as one more name",
    expect: expectRefusal(/which is this machine's own/),
    names: serveAddresses([127, 0, 0, 1]),
    ask: fetchAnyPage("http://localhost/"),
  },
  {
    name: "another name for it (CNAME) beside the cloud's address",
    expect: expectRefusal(/leads to 169\.254\.169\.254, which/),
    names: serveOtherRecord(5, () => Buffer.from("\x08metadata\x08internal\0", "latin1"), [[169, 254, 169, 254]]),
    ask: fetchPlain,
  },
  {
    name: "another name for it that is itself",
    expect: expectRefusal(/from one alias to the next/),
    names: serveOtherRecord(5, () => Buffer.of(0xc0, 12)),
    ask: fetchPlain,
  },
  {
    name: "a name server that says nothing",
    expect: expectRefusal(/the look-up was ended/),
    names: () => {},
    ask: fetchHurriedly,
  },
  {
    name: "a name server whose answer never ends",
    expect: expectRefusal(/too large/),
    names: (socket) => socket.once("data", () => socket.write(Buffer.alloc(9000, 0xff))),
    ask: fetchPlain,
  },
];

/** Writes the same bytes again and again, as fast as they are accepted. */
function serveEndlessly(head: string, piece: string): OnConnection {
  return (socket: Socket) => {
    const writeMore = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.once("data", () => {
      socket.write(head);
      socket.on("drain", writeMore);
      writeMore();
    });
  };
}

const answers = (
  [
    [
      "a redirect to the cloud's credentials",
      serveText("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"),
      true,
      /"status":302/,
    ],
    [
      "a redirect without words (Refresh)",
      serveText("HTTP/1.1 200 OK\r\nRefresh: 0; url=http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"),
      true,
      /"status":200/,
    ],
    ["a body without an end", serveEndlessly("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(4096)), false, /larger than 4096/],
    [
      "a header without an end",
      serveEndlessly("HTTP/1.1 200 OK\r\n", `X: ${"y".repeat(1000)}\r\n`),
      false,
      /HPE_HEADER_OVERFLOW/,
    ],
    [
      "answers before the answer without an end",
      serveEndlessly("", "HTTP/1.1 100 Continue\r\n\r\n"),
      false,
      /again and again/,
    ],
    [
      "chunks without an end, of nothing but their words",
      serveEndlessly("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", `1;${"x".repeat(900)}\r\ny\r\n`),
      false,
      /larger than 4096/,
    ],
    [
      "two lengths",
      serveText("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
      false,
      /broken/,
    ],
    [
      "a length and chunks",
      serveText("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
      false,
      /broken/,
    ],
    ["a folded line", serveText("HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length : 5\r\n\r\nhello"), false, /broken/],
    [
      "another answer behind the first",
      serveText(`${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`),
      undefined,
      /^(?!.*evil)/,
    ],
  ] as const
).map(([name, serves, ok, said]) => ({
  name: `a server that sends ${name}`,
  names: serveAddresses(HONEST),
  serves,
  ask: fetchPlain,
  expect: { ok, said },
}));

const slow: Attack = {
  name: "a server that sends a byte now and then",
  expect: expectRefusal(/too long/),
  names: serveAddresses(HONEST),
  serves: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX: ");
    const clock = setInterval(() => socket.write("y"), 50);
    socket.once("close", () => clearInterval(clock));
  },
  // The endpoint has an address instead of a name. A look-up of a name might use up the short timeout before the server
  // is asked.
  ask: (exit) => holdEndpoint(makeEndpoint({ host: PUBLIC }, { milliseconds: 250 }), exit).get("/"),
};

const tls = (
  [
    ["honest", true, /hello/],
    ["other", false, /ALTNAME/],
    ["expired", false, /EXPIRED|expired/],
    ["early", false, /CERT_NOT_YET_VALID/],
    ["own", false, /no secure connection/],
    ["stranger", false, /no secure connection/],
  ] as const
).map(
  ([shows, ok, said]): Attack => ({
    name: `a server that shows its certificate: ${shows}`,
    expect: { ok, said },
    names: serveAddresses(HONEST),
    shows,
    ask: fetchSecurely,
  }),
);

const smuggled: Attack[] = [
  "/\r\nHost: evil",
  "/ HTTP/1.1\r\n\r\nGET /b",
  "/a b",
  "//evil.example/",
  "/%2e%2e/",
  "/é",
].map((path) => ({
  name: `a caller who writes ${JSON.stringify(path)} for a path`,
  expect: expectRefusal(/a path/),
  names: serveAddresses(HONEST),
  serves: serveText(OK),
  ask: (exit: Exit) => holdEndpoint(makeEndpoint(), exit).get(path),
}));

/**
 * Control cases, which show at both ports that a trap reports a connection. Without them, a trap that nothing can reach
 * would make every attack look harmless.
 */
const control: readonly Attack[] = [80, 443].map((port) => ({
  name: `no attack: an address that the page itself names, at ${port}`,
  expect: expectRefusal(/10\.1\.2\.3: /),
  names: serveAddresses(HONEST),
  ask: (exit) => holdEndpoint(makeEndpoint({ host: "10.1.2.3", port }), exit).get("/"),
  caught: [`10.1.2.3:${port}`],
}));

export const attacks: readonly Attack[] = [
  ...control,
  ...toAddresses,
  ...inSix,
  ...literals,
  ...names,
  ...answers,
  slow,
  ...tls,
  ...smuggled,
];
