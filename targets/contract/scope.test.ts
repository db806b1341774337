import fc from "fast-check";
import { expect, test } from "vitest";
import {
  findSecret,
  isAddress,
  isPinDigest,
  isSyslog,
  placeIn as loneAddress,
  readCollector,
  readScope,
} from "./scope.ts";

const placeIn = (text: string) => readScope([text]).scope.places[0];
const whyNot = (text: string) => readScope([text]).unreadable[0]?.why;

test("the words of a scope may be in any order, and missing ones have defaults", () => {
  const pin = "ab".repeat(32);
  const words = [
    "within 5 s",
    "POST",
    "https://a.example/api",
    `pin sha256:${pin}`,
    "token vault.house",
    "answers of 4 KiB",
    "bodies of 9 B",
  ];
  expect(readScope(words)).toEqual({
    unreadable: [],
    scope: {
      places: [{ scheme: "https", host: "a.example", port: 443, path: "/api" }],
      methods: ["POST"],
      requestBytes: 9,
      responseBytes: 4096,
      milliseconds: 5000,
      pins: [Buffer.from(pin, "hex")],
      secret: "house",
      secretInTheClear: false,
    },
  });
  const { scope } = readScope(["http://10.0.2.2:8080"]);
  expect(scope).toMatchObject({
    methods: ["GET", "POST"],
    requestBytes: 65_536,
    responseBytes: 262_144,
    milliseconds: 20_000,
  });
  expect(readScope([]).scope.places).toEqual([]);
});

test("an address is accepted only if it is a scheme, a server and a path in normalized form", () => {
  expect(placeIn("https://a.example")).toEqual({ scheme: "https", host: "a.example", port: 443, path: "/" });
  expect(placeIn("http://10.0.2.2:8080/x/")).toEqual({ scheme: "http", host: "10.0.2.2", port: 8080, path: "/x/" });
  expect(placeIn("https://*")).toEqual({ scheme: "https", host: "*", port: 443, path: "/" });
  expect(whyNot("https://A.example")).toBe("it would be read as https://a.example/");
  expect(whyNot("https://0x7f.1/")).toBe("it would be read as https://127.0.0.1/");
  expect(whyNot("https://a.example:443/")).toBe("it would be read as https://a.example/");
  expect(whyNot("https://a.example/x/../y")).toBe("it would be read as https://a.example/y");
  for (const text of [
    ...[
      "https://a.example/?q",
      "https://a.example/#x",
      "https://u@a.example/",
      "https://[::1]/",
      "https://a.example./",
    ],
    ...[
      "https://a.example/%2e",
      "https://a.example//x",
      "ftp://a.example",
      "//a.example",
      "a.example",
      "https://*.example",
      "",
    ],
    ...[
      "get",
      "PUT",
      "answers of 0 KiB",
      "answers of 513 KiB",
      "bodies of 1 MiB",
      "within 0 s",
      "within 301 s",
      "within 5 min",
    ],
    ...["pin sha256:ab", `pin sha1:${"ab".repeat(32)}`, "token x"],
  ]) {
    expect(whyNot(text), text).toBeTypeOf("string");
  }
});

test("a word of a scope with a character too many is refused, and each refused word is returned with its index", () => {
  const pin = `pin sha256:${"ab".repeat(32)}`;
  for (const word of [
    "GET",
    "answers of 12 KiB",
    "bodies of 100 B",
    "within 15 s",
    pin,
    "token vault.a-b in the clear",
  ]) {
    expect([word, readScope([word]).unreadable]).toEqual([word, []]);
    for (const odd of [`x${word}`, `${word}x`]) expect([odd, readScope([odd]).unreadable.length]).toEqual([odd, 1]);
  }
  const [odd, ...rest] = readScope(["GET", "nothing", "POST", "more"]).unreadable;
  expect([odd?.index, rest.map(({ index }) => index)]).toEqual([1, [3]]);
});

test("an address is refused if text precedes its scheme", () => {
  const none = "it is no address, method, size, time, pin or token";
  for (const odd of ["xhttps://*", "xhttp://*", "xhttps://a.example", " http://a.example"])
    expect([odd, whyNot(odd)]).toEqual([odd, none]);
  const collector = (text: string) => readCollector([text]).unreadable.length;
  expect([collector("syslogsyslog://a:514"), collector("syslog://a:514")]).toEqual([1, 0]);
});

test("the sizes and the time of a request have limits, which the reason of a refusal names", () => {
  const read = (text: string) => readScope([text]).scope;
  expect(read("answers of 512 KiB").responseBytes).toBe(524_288);
  expect(read("bodies of 512 KiB").requestBytes).toBe(524_288);
  expect(read("answers of 1 B").responseBytes).toBe(1);
  expect([read("within 1 s"), read("within 300 s")].map(({ milliseconds }) => milliseconds)).toEqual([1000, 300_000]);
  for (const size of ["answers of 0 B", "bodies of 513 KiB"])
    expect(whyNot(size)).toBe("1 B to 512 KiB can be carried");
  for (const time of ["within 0 s", "within 301 s"]) expect(whyNot(time)).toBe("a request has 1 s to 300 s");
});

test("the last of two sizes or times is used, and only one credential is allowed", () => {
  const { scope } = readScope(["bodies of 1 B", "answers of 2 B", "bodies of 3 B", "within 4 s", "within 5 s"]);
  expect(scope).toMatchObject({ requestBytes: 3, responseBytes: 2, milliseconds: 5000 });
  const tokens = readScope(["token vault.one", "GET", "token vault.two in the clear"]);
  expect(tokens.scope).toMatchObject({ secret: "one", secretInTheClear: false });
  expect(tokens.unreadable).toEqual([{ index: 2, why: "a request takes one credential along" }]);
  expect(readScope(["token vault.two in the clear"]).scope).toMatchObject({ secret: "two", secretInTheClear: true });
  expect(readScope([]).scope).toMatchObject({ secret: "", secretInTheClear: false });
  expect(whyNot("token house")).toBe("a credential is `vault.NAME`");
});

test("a reference to a credential is accepted only in the form `vault.NAME`", () => {
  const names = ["vault.a", "vault._x1", "vault.house-key-2"];
  expect(names.map(findSecret)).toEqual(["a", "_x1", "house-key-2"]);
  for (const odd of ["vault", "vault.", "vault.1", "vault.a-", "vault.a.b", "xvault.a", "vault.a!", "vault.a--b"]) {
    expect([odd, findSecret(odd)]).toEqual([odd, undefined]);
  }
});

test("a single address must name one server, and any other text gives `undefined`", () => {
  expect(loneAddress("https://a.example/x")).toEqual({ scheme: "https", host: "a.example", port: 443, path: "/x" });
  for (const odd of ["https://*", "GET", "within 5 s", "a.example", ""]) expect(loneAddress(odd)).toBeUndefined();
});

test("each reason names the invalid part of an address", () => {
  expect(placeIn("http://*")).toEqual({ scheme: "http", host: "*", port: 80, path: "/" });
  expect(whyNot("https://a.example/?q")).toBe("a scope ends at the path, without a query");
  expect(whyNot("https://a.example/#x")).toBe("an address of a scope is a scheme, a server and a path");
  expect(whyNot("https://[::1]/")).toBe("a server is a name or an IPv4 address");
  expect(whyNot("https://a.example//x")).toBe("a path of a scope has plain names");
  const long = Array.from({ length: 4 }, () => "a".repeat(62)).join(".");
  expect([placeIn(`https://${long}.a/`)?.host, whyNot(`https://${long}.abc/`)]).toEqual([
    ...[`${long}.a`, "a server is a name or an IPv4 address"],
  ]);
  const longest = `${long}.a`.padEnd(253, "a");
  expect([longest.length, placeIn(`https://${longest}/`)?.host, placeIn(`https://${longest}a/`)]).toEqual([
    ...[253, longest, undefined],
  ]);
});

test("a pin in base64 is corrected to hexadecimal digits; for other wrong forms, the correction names a command that prints the digits", () => {
  const correct = (text: string) => readScope([text]).unreadable[0]?.correction;
  const digest = Buffer.from("ab".repeat(32), "hex");
  const base64 = digest.toString("base64");
  for (const form of [`pin sha256//${base64}`, `pin sha256:${base64}`, `sha256/${base64}`, `pin-sha256="${base64}"`]) {
    const advice = `write \`"pin sha256:${digest.toString("hex")}"\``;
    expect([form, correct(form), isPinDigest(form)]).toEqual([form, { kind: "pin", advice }, true]);
  }
  const colons = Array.from({ length: 32 }, () => "AB").join(":");
  for (const form of [`pin sha256:${"AB".repeat(32)}`, `pin sha256:${colons}`, `sha256 Fingerprint=${colons}`])
    expect([form, correct(form), isPinDigest(form)]).toEqual([
      form,
      { kind: "pin", advice: expect.stringContaining("openssl pkey -pubin -outform DER") },
      true,
    ]);
  for (const odd of ["pin", "pin sha256:ab", "pin sha256:…", `pin sha1:${"ab".repeat(32)}`, `pin sha256:${base64}=`]) {
    expect([odd, correct(odd)?.kind, isPinDigest(odd)]).toEqual([odd, "pin", false]);
    expect([odd, whyNot(odd)]).toEqual([odd, expect.stringContaining("64 hexadecimal digits")]);
  }
  expect([correct("pinch"), isPinDigest(`token ${"ab".repeat(32)}`)]).toEqual([undefined, false]);
});

test("the correction of an address with a query splits the query off; an address that has other errors too gets no correction", () => {
  const correct = (text: string) => readScope([text]).unreadable[0]?.correction;
  const query = (address: string, path: string) => ({ kind: "query", address, path });
  expect([
    correct("https://a.example/search?q="),
    correct("http://a.example?q"),
    correct("http://10.0.2.2:8080?a=b?c"),
  ]).toEqual([
    query("https://a.example/search", "/search?q="),
    query("http://a.example", "/?q"),
    query("http://10.0.2.2:8080", "/?a=b?c"),
  ]);
  for (const odd of ["https://A.example/?q", "https://*?q", "https://u@a.example/?q", "https://a.example/?q#x"])
    expect([odd, correct(odd)]).toEqual([odd, undefined]);
});

test("a syslog collector is recognized by its scheme", () => {
  const is = (text: string) => readCollector([text]).scope.places.map(isSyslog);
  expect(["syslog+tls://a", "syslog://a:1", "https://a/v1/logs"].map(is)).toEqual([[true], [true], [false]]);
  expect(readCollector(["syslog+tls://a:65535"]).scope.places[0]?.port).toBe(65_535);
});

test("property: a server that is rendered and parsed again is unchanged", () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/);
  const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."));
  const path = fc.array(label, { maxLength: 3 }).map((names) => `/${names.join("/")}`);
  fc.assert(
    fc.property(
      fc.constantFrom("http", "https"),
      host,
      fc.integer({ min: 1, max: 65_535 }),
      path,
      (scheme, name, port, at) => {
        const usual = port === (scheme === "https" ? 443 : 80);
        expect(placeIn(`${scheme}://${name}${usual ? "" : `:${port}`}${at}`)).toEqual({
          scheme,
          host: name,
          port,
          path: at,
        });
      },
    ),
  );
});

test("fuzz: any word is parsed or refused, without an exception", () => {
  const piece = fc.constantFrom(
    "https://",
    "http:",
    "//",
    "a",
    ".",
    "*",
    ":",
    "@",
    "/",
    "..",
    "%2f",
    " ",
    "\0",
    "é",
    "GET",
    "within ",
    "9",
    " s",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 8 }).map((all) => all.join("")),
      ),
      (text) => {
        const { scope, unreadable } = readScope([text]);
        for (const { host, path } of scope.places) expect(`${host}${path}`).toMatch(/^(\*|[a-z0-9_.-]+)\/[!-~]*$/);
        expect(scope.places.length + unreadable.length).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a numeric address consists of four numbers", () => {
  expect(["10.0.2.2", "0.0.0.0"].map(isAddress)).toEqual([true, true]);
  for (const text of ["a.example", "10.0.2", "10.0.2.256", "010.0.2.2", "10.0.2.2.", "1.2.3.4.5", ""])
    expect(isAddress(text), text).toBe(false);
});

test("a collector may be a syslog server with a port, but a service may not use one", () => {
  const read = (text: string) => {
    const { scope, unreadable } = readCollector([text, "within 5 s"]);
    return unreadable[0]?.why ?? scope.places[0];
  };
  const place = (scheme: string, host: string, port: number) => ({ scheme, host, port, path: "/" });
  expect(read("syslog+tls://logs.example.net")).toEqual(place("syslog+tls", "logs.example.net", 6514));
  expect(read("syslog://192.168.1.9:514")).toEqual(place("syslog", "192.168.1.9", 514));
  expect(read("https://logs.example.net/v1/logs")).toEqual({
    ...place("https", "logs.example.net", 443),
    path: "/v1/logs",
  });
  expect(read("syslog://logs.example.net")).toBe("syslog without TLS has no port of its own: say which");
  for (const odd of [
    "syslog+tls://*",
    "syslog+udp://a:514",
    "syslog://A:514",
    "syslog://a:514/x",
    "syslog://u@a:514",
    "syslog://a:0",
  ])
    expect(read(odd)).toBe("a collector of syslog is `syslog+tls://HOST:PORT` or `syslog://HOST:PORT`");
  expect(read("syslog://a:65536")).toBe("a port is 1 to 65535");
  expect(whyNot("syslog+tls://logs.example.net:6514")).toBe("it is no address, method, size, time, pin or token");
});
