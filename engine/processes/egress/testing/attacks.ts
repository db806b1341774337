// What is tried on egress from a name server, a server and a caller, and what must come of each.

import type { Socket } from "node:net";
import type { Reply } from "../../../lib/wire/index.ts";
import { type Address, addressFrom } from "../address.ts";
import type { Exit } from "../request.ts";
import { identity } from "./certificate.ts";
import { endpointAt, fetcherOf, holderOf } from "./holder.ts";
import { answerTo, nameServer, type OnConnection, recordOf, says } from "./internet.ts";

/** Where an honest server is, and where names are told; both public. */
export const PUBLIC = "93.184.216.34";
export const NAME_SERVER = "198.41.0.4";
const NAME = "status.example.net";
const HONEST: Address = [93, 184, 216, 34];

/** Where no name may lead. A server waits at each of them, at 80 and 443, and tells of who comes. */
export const TRAPS: readonly string[] = [
  ...["127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254"],
  ...["168.63.129.16", "192.0.0.192", "198.18.0.1", "192.0.2.1", "fd00:ec2::254", "::1"],
];

export interface Attack {
  readonly name: string;
  /** What must be said; an answer where it is what a server says. */
  readonly expect: { readonly ok: boolean | undefined; readonly said: RegExp };
  readonly names: OnConnection;
  /** At the public address without TLS. */
  readonly serves?: OnConnection;
  /** At the public address with TLS: which certificate. */
  readonly shows?: keyof typeof CERTIFICATES;
  readonly ask: (exit: Exit) => Promise<Reply<string>>;
  /** Whom of those who wait it reaches; nobody, but where the page itself names one. */
  readonly caught?: readonly string[];
}

const root = identity({ name: "the root of these attacks" });
export const CERTIFICATES = {
  root,
  honest: identity({ name: NAME, by: root }),
  other: identity({ name: "evil.example.net", by: root }),
  expired: identity({ name: NAME, by: root, from: "2001-01-01", until: "2002-01-01" }),
  early: identity({ name: NAME, by: root, from: "2099-01-01" }),
  own: identity({ name: NAME }),
  stranger: identity({ name: NAME, by: identity({ name: "another root" }) }),
} as const;

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const leads = (...addresses: readonly Address[]): OnConnection => nameServer(() => addresses);
const plain = (exit: Exit) => holderOf(endpointAt(), exit).get("/");
const hurried = (exit: Exit) => holderOf(endpointAt({}, { milliseconds: 250 }), exit).get("/");
const secure = (exit: Exit) => holderOf(endpointAt({ scheme: "https", port: 443 }), exit).get("/");
const anyPage = (url: string) => (exit: Exit) => {
  const place = { scheme: "http", host: "*", port: 80, path: "/" };
  return fetcherOf(endpointAt({}, { places: [place, { ...place, scheme: "https", port: 443 }] }), exit)(url);
};
const refused = (said: RegExp) => ({ ok: false, said });

/** An answer with records of other kinds than addresses. */
function tells(type: number, content: (query: Buffer) => Uint8Array, addresses: readonly Address[] = []): OnConnection {
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
  const address = addressFrom(text);
  if (address === undefined) return [];
  const said = new RegExp(`leads to ${text.replaceAll(".", "\\.")}, which is `);
  return [{ name: `a name that leads to ${text}`, expect: refused(said), names: leads(address), ask: plain }];
});

const mapped = ["::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "fd00:ec2::254", "::1"];
const inSix = mapped.map(
  (text): Attack => ({
    name: `a name that has ${text} and nothing else`,
    expect: refused(/the name has no IPv4 address/),
    names: tells(28, () => sixteen(text)),
    ask: plain,
  }),
);

function sixteen(text: string): Uint8Array {
  const [before = "", after = ""] = text.split("::").map((half) => half);
  const words = (half: string) => (half === "" ? [] : half.split(":")).map((word) => Number.parseInt(word, 16));
  const [front, back] = [words(before), words(after)];
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
    expect: refused(/the page lets nobody ask for this address|an address may not hold a user name/),
    names: leads(HONEST),
    ask: anyPage(url),
  }),
);

const names: readonly Attack[] = [
  {
    name: "a private address beside a public one",
    expect: refused(/leads to 10\.1\.2\.3, which is private/),
    names: leads(HONEST, [10, 1, 2, 3]),
    ask: plain,
  },
  {
    name: "many addresses, the last of which is the cloud's",
    expect: refused(/leads to 169\.254\.169\.254, which/),
    names: leads(...Array.from({ length: 60 }, () => HONEST), [169, 254, 169, 254]),
    ask: plain,
  },
  {
    name: "a name server that says another address as soon as it was asked once",
    expect: { ok: true, said: /hello/ },
    names: nameServer((_, count) => [count === 0 ? HONEST : ([127, 0, 0, 1] as const)]),
    serves: says(OK),
    ask: plain,
  },
  {
    name: "localhost as one more name",
    expect: refused(/which is this machine's own/),
    names: leads([127, 0, 0, 1]),
    ask: anyPage("http://localhost/"),
  },
  {
    name: "another name for it (CNAME) beside the cloud's address",
    expect: refused(/leads to 169\.254\.169\.254, which/),
    names: tells(5, () => Buffer.from("\x08metadata\x08internal\0", "latin1"), [[169, 254, 169, 254]]),
    ask: plain,
  },
  {
    name: "another name for it that is itself",
    expect: refused(/from one alias to the next/),
    names: tells(5, () => Buffer.of(0xc0, 12)),
    ask: plain,
  },
  { name: "a name server that says nothing", expect: refused(/the look-up was ended/), names: () => {}, ask: hurried },
  {
    name: "a name server whose answer never ends",
    expect: refused(/too large/),
    names: (socket) => socket.once("data", () => socket.write(Buffer.alloc(9000, 0xff))),
    ask: plain,
  },
];

/** Writes the same bytes again and again, as fast as they are taken. */
function endless(head: string, piece: string): OnConnection {
  return (socket: Socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.once("data", () => {
      socket.write(head);
      socket.on("drain", more);
      more();
    });
  };
}

const answers = (
  [
    [
      "a redirect to the cloud's credentials",
      says("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"),
      true,
      /"status":302/,
    ],
    [
      "a redirect without words (Refresh)",
      says("HTTP/1.1 200 OK\r\nRefresh: 0; url=http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"),
      true,
      /"status":200/,
    ],
    ["a body without an end", endless("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(4096)), false, /larger than 4096/],
    [
      "a header without an end",
      endless("HTTP/1.1 200 OK\r\n", `X: ${"y".repeat(1000)}\r\n`),
      false,
      /HPE_HEADER_OVERFLOW/,
    ],
    [
      "answers before the answer without an end",
      endless("", "HTTP/1.1 100 Continue\r\n\r\n"),
      false,
      /again and again/,
    ],
    [
      "chunks without an end, of nothing but their words",
      endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", `1;${"x".repeat(900)}\r\ny\r\n`),
      false,
      /larger than 4096/,
    ],
    ["two lengths", says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"), false, /broken/],
    [
      "a length and chunks",
      says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
      false,
      /broken/,
    ],
    ["a folded line", says("HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length : 5\r\n\r\nhello"), false, /broken/],
    [
      "another answer behind the first",
      says(`${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`),
      undefined,
      /^(?!.*evil)/,
    ],
  ] as const
).map(([name, serves, ok, said]) => ({
  name: `a server that sends ${name}`,
  names: leads(HONEST),
  serves,
  ask: plain,
  expect: { ok, said },
}));

const slow: Attack = {
  name: "a server that sends a byte now and then",
  expect: refused(/too long/),
  names: leads(HONEST),
  serves: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX: ");
    const clock = setInterval(() => socket.write("y"), 50);
    socket.once("close", () => clearInterval(clock));
  },
  // Of a look-up the little time might be over before the server is asked.
  ask: (exit) => holderOf(endpointAt({ host: PUBLIC }, { milliseconds: 250 }), exit).get("/"),
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
    names: leads(HONEST),
    shows,
    ask: secure,
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
  expect: refused(/a path/),
  names: leads(HONEST),
  serves: says(OK),
  ask: (exit: Exit) => holderOf(endpointAt(), exit).get(path),
}));

/** Those who wait are there, and tell: what nobody could reach would prove nothing. */
const control: readonly Attack[] = [80, 443].map((port) => ({
  name: `no attack: an address that the page itself names, at ${port}`,
  expect: refused(/10\.1\.2\.3: /),
  names: leads(HONEST),
  ask: (exit) => holderOf(endpointAt({ host: "10.1.2.3", port }), exit).get("/"),
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
