import { expect, test } from "vitest";
import { bindModel, compilePolicyWithoutLaws, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { planNetwork, readCollectorScope, readServiceScope } from "./network.ts";

const IMAGE = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

async function networkOf(words: string) {
  return (await bindModel(renderFactsPage({ rest: `${words}  ${IMAGE}` }))).network;
}

const planOf = async (words: string) => planNetwork(await networkOf(`network { ${words} }`));

test("a machine has the network address that the page states, or no address if the page states none", async () => {
  expect(planNetwork(await networkOf(""))).toBeUndefined();
  expect(await planOf("address dhcp")).toEqual({ which: "dhcp" });
  expect(
    await planOf('address static  host "192.168.1.5/24"  router "192.168.1.1"  resolvers "9.9.9.9", "1.1.1.1"'),
  ).toEqual({
    which: "fixed",
    fixed: { address: "192.168.1.5", prefix: 24, router: "192.168.1.1", resolvers: ["9.9.9.9", "1.1.1.1"] },
  });
  expect(await planOf('address static  host "10.0.0.1/8"')).toEqual({
    which: "fixed",
    fixed: { address: "10.0.0.1", prefix: 8, router: "", resolvers: [] },
  });
});

test.each([
  ["no host", ""],
  ["a host without a prefix", 'host "192.168.1.5"'],
  ["a host that is a name", 'host "me.example/24"'],
  ["a host with a letter before it", 'host "x192.168.1.5/24"'],
  ["a host with a digit after it", 'host "192.168.1.5/240"'],
  ["a host that is not an address", 'host "192.168.1.500/24"'],
  ["a prefix of zero", 'host "192.168.1.5/0"'],
  ["a prefix without room for other hosts", 'host "192.168.1.5/31"'],
  ["a router that is a name", 'host "192.168.1.5/24"  router "router.example"'],
  ["a resolver that is a name", 'host "192.168.1.5/24"  resolvers "9.9.9.9", "dns.example"'],
])("`address static` with %s gives no network plan", async (_, words) => {
  expect(await planOf(`address static  ${words}`)).toBeUndefined();
});

test.each([1, 30])("a network prefix of %i is accepted", async (prefix) => {
  expect(await planOf(`address static  host "192.168.1.5/${prefix}"`)).toMatchObject({ fixed: { prefix } });
});

test("audit records go to the collector that the page names, or stay on the machine", async () => {
  const scopeOf = async (words: string) => readCollectorScope(await networkOf(`network { address dhcp  ${words} }`));
  expect(readCollectorScope(await networkOf(""))).toBeUndefined();
  expect(await scopeOf("")).toBeUndefined();
  expect(await scopeOf('collector "syslog://10.0.2.80:514", "within 10 s"')).toMatchObject({
    ...{ places: [{ scheme: "syslog", host: "10.0.2.80", port: 514, path: "/" }], milliseconds: 10_000 },
  });
});

test("egress sends requests of an HTTP service only within the scope of its grant, and to no server without a grant", async () => {
  const services =
    'service house : HttpEndpoint { grant HttpEndpoint scope "https://house.example/api", "GET", "within 5 s" }';
  const { services: bound } = await bindModel(
    renderFactsPage({ services, rest: `network { address dhcp }  ${IMAGE}` }),
  );
  const [house] = bound;
  expect(house && readServiceScope(house)).toMatchObject({
    ...{ places: [{ host: "house.example", path: "/api" }], methods: ["GET"], milliseconds: 5000 },
  });
  expect(house && readServiceScope({ ...house, grants: [] })).toMatchObject({ places: [], methods: ["GET", "POST"] });
});

test("tools of an HTTP service have the servers of its grant, and state whether the grant covers their HTTP method", async () => {
  const services =
    'service house : HttpEndpoint { grant HttpEndpoint scope "https://house.example/api", "GET" }  service notes : Files { state 1 MiB }';
  const { tables } = await compilePolicyWithoutLaws(
    renderFactsPage({ services, rest: `network { address dhcp }  ${IMAGE}` }),
  );
  const reachOf = (name: string) => {
    const found = tables.tools.find((tool) => tool.name === name);
    return [found?.servers, found?.methodDenied];
  };
  const server = { scheme: "https", host: "house.example", port: 443, path: "/api" };
  expect(reachOf("house.get")).toEqual([[server], false]);
  expect(reachOf("house.post")).toEqual([[server], true]);
  expect(reachOf("notes.read")).toEqual([[], false]);
});

test("a network without an address has no plan", async () => {
  expect(await planOf("")).toBeUndefined();
});
