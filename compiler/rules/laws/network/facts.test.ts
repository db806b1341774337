import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = "image { target linux  machine vm  boot operator }";
const DHCP = "network { address dhcp }";
const reaching = (services: string, network = DHCP, permit = "consent outboundNet") =>
  renderFactsPage({ services, permit, rest: `${network}  ${END}` });
const status = (grant: string) => `service status : HttpEndpoint { ${grant} }`;
const ONE = status('grant HttpEndpoint scope "https://a.example"');

expectAccepted("network-missing, network-unused", {
  "a service that needs a network, with a network": reaching(ONE),
  "no service that needs a network, and no network": reaching("service journal : Logs {}", "", "auto readOnly"),
  "no service that needs a network, and `address none`": reaching(
    "service journal : Logs {}",
    "network { address none }",
    "auto readOnly",
  ),
});

expectRefused("network-missing", {
  "a page without a network": reaching(ONE.replace("status", "«status»"), ""),
  "a page with `address none`": reaching(ONE.replace("status", "«status»"), "network { address none }"),
});

expectRefused("network-unused", {
  "nothing asks": reaching("service journal : Logs {}", `«${DHCP}»`, "auto readOnly"),
});

expectRefused("reach-missing", {
  "no grant": [
    reaching(status("").replace("status", "«status»")),
    "`status` does not name the servers that it may contact",
  ],
  "a grant without a scope": [
    reaching(status("grant HttpEndpoint").replace("status", "«status»")),
    "`status` does not name the servers that it may contact",
  ],
  "two grants, of which one is enough": [
    reaching(`service clock : Clock {}  ${ONE.replace("status", "«status»").replace(" }", "  grant clock }")}`),
    "`status` has a grant that it cannot use",
  ],
  "a grant of another interface": [
    reaching(status('grant Status scope "https://a.example"').replace("status", "«status»")),
    "`status` has a grant that it cannot use",
  ],
  "two servers": [
    reaching(status('grant HttpEndpoint scope "https://a.example", "https://b.example"').replace("status", "«status»")),
    "`status` may contact only one server, but its grant names several",
  ],
  "a scope without a server": reaching(status('grant HttpEndpoint scope "GET"').replace("status", "«status»")),
  "a scope for any server": [
    reaching(status('grant HttpEndpoint scope "https://*"').replace("status", "«status»")),
    "`status` may contact only one server, but its grant allows any server",
  ],
});

expectAccepted(
  "reach-missing, kept",
  {
    "a service with several servers": reaching(
      'service web : Fetch { grant Fetch scope "https://a.example", "https://*" }',
    ),
    "a program of the page beside a grant of another service": reaching(
      `service near : HttpEndpoint { exec "near.js" }  ${ONE}`,
    ),
  },
  { "/near.js": "export default {};" },
);

expectRefused("scope-unreadable", {
  "a misspelt server": reaching(status('grant HttpEndpoint scope «"htps://a.example"»')),
  "each unreadable word": reaching(status('grant HttpEndpoint scope "https://a.example", «"PUT"», «"within 0 s"»')),
});

const DISK = 'storage { disk "capos-data" }';
const COLLECTOR = '"https://logs.example/v1/logs"';
const collecting = (words: string, storage = DISK, address = "dhcp") =>
  reaching(
    "service journal : Logs {}",
    `${storage} network { address ${address}  collector ${words} }`,
    "auto readOnly",
  );

const SEARCH = "https://search.example.net/search";
const searching = (services: string) =>
  reaching(services.replace("status", "search"), DHCP, "consent search.get  forbidden search.post");

expectRefused("scope-unreadable", {
  "a query, which the call of an HttpEndpoint has in its path": [
    searching(status(`grant HttpEndpoint scope «"${SEARCH}?q="»`)),
    'such as `search.get { path: "/search?q=…" }`, and a rule can limit it: `consent search.get where size(path) <= 200 else forbidden`',
  ],
  "a query of a collector": [collecting('«"https://a.example/v1?k=1"»'), 'write `"https://a.example/v1"`'],
});

expectAccepted("scope-unreadable, corrected", {
  "a rule about the query, as the message writes it": reaching(
    status(`grant HttpEndpoint scope "${SEARCH}"`).replace("status", "search"),
    DHCP,
    "consent search.get where size(path) <= 200 else forbidden  forbidden search.post",
  ),
});

expectRefused("network-incomplete", {
  "a static address that is missing": reaching(ONE, "network { address «static» }"),
  "an address without its prefix length": reaching(ONE, 'network { address «static»  host "10.0.2.15" }'),
  "a network with a single address": reaching(ONE, 'network { address «static»  host "10.0.2.15/32" }'),
  "a name as the router": reaching(ONE, 'network { address «static»  host "10.0.2.15/24"  router "home" }'),
  "a name as the name server": reaching(
    ONE,
    'network { address «static»  host "10.0.2.15/24"  resolvers "9.9.9.9", "home" }',
  ),
  "a router beside DHCP": reaching(ONE, 'network { address dhcp  router «"10.0.2.2"» }'),
  "a network without `address`": [reaching(ONE, '«network { router "10.0.2.2" }»'), "the page does not say `address`"],
  "a name server beside `address none`": [
    reaching("service journal : Logs {}", 'network { address none  resolvers «"9.9.9.9"» }', "auto readOnly"),
    "`address none` does not use this setting",
  ],
});

expectUnsaid("network-incomplete", {
  "a misspelt setting": reaching(ONE, "network { adress dhcp }"),
  "one of two settings that is misspelt": reaching(ONE, 'network { adress dhcp  router "10.0.2.2" }'),
  "a syntax error in the network": reaching(ONE, 'network { host "10.0.2.15/24"  address }'),
});

const LOST = "servic";

expectUnsaid("network-missing", { "a syntax error in the page": reaching(`${ONE} ${LOST}`, "") });
expectUnsaid("network-unused", {
  "a syntax error in the page": reaching(`service journal : Logs {} ${LOST}`, DHCP, "auto readOnly"),
});

expectAccepted("collector-unfit, network-unused", {
  "a collector without options": collecting(COLLECTOR),
  "a collector of syslog": collecting('"syslog+tls://logs.example"'),
  "a collector with a credential": collecting(`${COLLECTOR}, "token vault.logs"`),
  "a collector with limits": collecting(`${COLLECTOR}, "POST", "within 5 s"`),
});

expectRefused("collector-unfit", {
  "any server": [collecting('«"https://*"»'), "the collector must be exactly one server, with one path"],
  "two servers": collecting(`«${COLLECTOR}», "https://other.example"`),
  "no server": collecting('«"POST"»'),
  "a collector that may only be read from": [
    collecting(`«${COLLECTOR}», "GET"`),
    "the collector receives records by `POST`, so its scope must allow `POST`",
  ],
  "no disk": [collecting(`«${COLLECTOR}»`, ""), "the collector needs a data disk"],
  "no network": [
    collecting(`«${COLLECTOR}»`, DISK, "none"),
    "the collector needs a network, but the page has `address none`",
  ],
  "a credential for a syslog collector": [
    collecting('«"syslog+tls://logs.example"», "token vault.logs"'),
    "the collector cannot have a credential, because syslog messages contain none",
  ],
});

expectUnsaid("collector-unfit", {
  "unreadable words": collecting(`${COLLECTOR}, "PUT"`, ""),
  "a syntax error that may hide the disk": collecting(COLLECTOR, "").replace("Logs {}", `Logs {} ${LOST}`),
});

expectRefused("scope-unreadable", {
  "an unreadable word of a collector": [collecting(`${COLLECTOR}, «"PUT"»`), "`PUT` is not a valid scope"],
});

expectAccepted("network-incomplete, kept", {
  "a complete address": reaching(
    ONE,
    'network { address static  host "10.0.2.15/24"  router "10.0.2.2"  resolvers "9.9.9.9" }',
  ),
  "an address without a router": reaching(ONE, 'network { address static  host "10.0.2.15/24" }'),
});
