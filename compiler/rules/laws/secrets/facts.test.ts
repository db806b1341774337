import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END =
  'storage { disk "capos-data" }  network { address dhcp }  image { target linux  machine vm  boot operator }';
const asking = (scope: string, face = "HttpEndpoint", rest = END) =>
  renderFactsPage({
    services: `service status : ${face} { grant ${face} scope ${scope} }`,
    permit: "consent outboundNet",
    rest,
  });

expectAccepted("secret-exposed, secret-without-storage", {
  "one server over TLS": asking('"https://a.example/x", "token vault.a"'),
  "a private address that the page allows in the clear": asking(
    '"http://192.168.1.9:81", "token vault.a in the clear"',
  ),
});

const IN_THE_CLEAR = (host: string) => asking(`"http://${host}", «"token vault.a in the clear"»`);
const PRIVATE = [
  "10.0.0.1",
  "127.0.0.1",
  "172.16.0.1",
  "172.19.255.1",
  "172.20.0.1",
  "172.29.0.1",
  "172.30.0.1",
  "172.31.0.1",
];
const PUBLIC = [
  "1.10.0.1",
  "11.0.0.1",
  "100.0.0.1",
  "126.0.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "172.2.0.1",
  "192.169.0.1",
  "192.0.168.1",
];

expectAccepted(
  "secret-exposed, kept",
  Object.fromEntries(PRIVATE.map((host) => [`${host} is a private address`, IN_THE_CLEAR(host).replace(/[«»]/g, "")])),
);

expectRefused(
  "secret-exposed",
  Object.fromEntries(PUBLIC.map((host) => [`${host} is a public address`, IN_THE_CLEAR(host)] as const)),
);

expectRefused("secret-exposed", {
  "a host name without TLS": asking('"http://a.example", «"token vault.a"»'),
  "a host name in the clear, even if the page allows it": asking('"http://a.example", «"token vault.a in the clear"»'),
  "a public address": asking('"http://172.32.0.1", «"token vault.a in the clear"»'),
  "a private address that the page does not allow in the clear": asking('"http://172.31.0.1", «"token vault.a"»'),
  "TLS, with `in the clear`": asking('"https://a.example", «"token vault.a in the clear"»'),
  "two servers": asking('"https://a.example", "https://b.example", «"token vault.a"»', "Fetch"),
  "any server": asking('"https://*", «"token vault.a"»', "Fetch"),
});

expectRefused("secret-without-storage", {
  "no disk": asking('"https://a.example", «"token vault.a"»', "HttpEndpoint", END.replace(/^storage \{.*?\}/, "")),
});

expectRefused("scope-unreadable", {
  "two credentials": asking('"https://a.example", "token vault.a", «"token vault.b"»'),
  "words that do not name a credential of the vault": asking(
    '"https://a.example", «"token a"», «"token vault.a.b"», «"token vault.a in clear"»',
  ),
});
