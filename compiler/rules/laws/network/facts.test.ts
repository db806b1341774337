import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = "image { target linux  machine vm  boot operator }";
const DHCP = "network { address dhcp }";
const reaching = (services: string, network = DHCP, permit = "consent outboundNet") =>
  renderFactsPage({ services, permit, rest: `${network}  ${END}` });
const status = (grant: string) => `service status : HttpEndpoint { ${grant} }`;
const ONE = status('grant HttpEndpoint scope "https://a.example"');

expectAccepted("network-missing, network-unused", {
  "a service that asks, and a way there": reaching(ONE),
  "no service that asks, and no way there": reaching("service journal : Logs {}", "", "auto readOnly"),
  "no service that asks, and a word that there is no way": reaching(
    "service journal : Logs {}",
    "network { address none }",
    "auto readOnly",
  ),
});

expectRefused("network-missing", {
  "no word of a network": reaching(ONE.replace("status", "«status»"), ""),
  "the word that there is none": reaching(ONE.replace("status", "«status»"), "network { address none }"),
});

expectRefused("network-unused", {
  "nothing asks": reaching("service journal : Logs {}", `«${DHCP}»`, "auto readOnly"),
});

expectRefused("reach-missing", {
  "no grant": reaching(status("").replace("status", "«status»")),
  "a grant without a scope": reaching(status("grant HttpEndpoint").replace("status", "«status»")),
  "a scope that names no server": reaching(status('grant HttpEndpoint scope "GET"').replace("status", "«status»")),
  "a server of any name": reaching(status('grant HttpEndpoint scope "https://*"').replace("status", "«status»")),
});

expectRefused("scope-unreadable", {
  "each word of its own": reaching(status('grant HttpEndpoint scope "https://a.example", «"PUT"», «"within 0 s"»')),
});

expectRefused("network-incomplete", {
  "static without an address": reaching(ONE, "network { address «static» }"),
  "an address without its network": reaching(ONE, 'network { address «static»  host "10.0.2.15" }'),
  "a network of one": reaching(ONE, 'network { address «static»  host "10.0.2.15/32" }'),
  "a router that is a name": reaching(ONE, 'network { address «static»  host "10.0.2.15/24"  router "home" }'),
  "a name server that is a name": reaching(
    ONE,
    'network { address «static»  host "10.0.2.15/24"  resolvers "9.9.9.9", "home" }',
  ),
  "what DHCP has no use for": reaching(ONE, 'network { address dhcp  router «"10.0.2.2"» }'),
  "nothing of an address": reaching(ONE, '«network { router "10.0.2.2" }»'),
});

const DISK = 'storage { disk "capos-data" }';
const COLLECTOR = '"https://logs.example/v1/logs"';
const collecting = (words: string, storage = DISK, address = "dhcp") =>
  reaching(
    "service journal : Logs {}",
    `${storage} network { address ${address}  collector ${words} }`,
    "auto readOnly",
  );

expectAccepted("collector-unfit, network-unused", {
  "a collector alone": collecting(COLLECTOR),
  "a collector with limits": collecting(`${COLLECTOR}, "POST", "within 5 s"`),
});

expectRefused("collector-unfit", {
  "any server": collecting('«"https://*"»'),
  "two servers": collecting(`«${COLLECTOR}», "https://other.example"`),
  "no server": collecting('«"POST"»'),
  "nothing may be sent": collecting(`«${COLLECTOR}», "GET"`),
  "no disk": collecting(`«${COLLECTOR}»`, ""),
  "no network": collecting(`«${COLLECTOR}»`, DISK, "none"),
});

expectRefused("scope-unreadable", {
  "of a collector": collecting(`${COLLECTOR}, «"PUT"»`),
});

expectAccepted("network-incomplete, kept", {
  "a whole address": reaching(
    ONE,
    'network { address static  host "10.0.2.15/24"  router "10.0.2.2"  resolvers "9.9.9.9" }',
  ),
  "a link without a router": reaching(ONE, 'network { address static  host "10.0.2.15/24" }'),
});
