import { expect, test } from "vitest";
import { compilePolicyWithoutLaws, renderFactsPage } from "../dev/fixtures/facts.ts";
import { listNameServers, needsNameServer } from "./name-servers.ts";

test("lists the IPv4 name servers at the usual port, in their order", () => {
  expect(listNameServers(["9.9.9.9", "::1", "127.0.0.53", "1.1.1.1:5353", "[fe80::1%eth0]:53"])).toBe(
    "9.9.9.9,127.0.0.53",
  );
  expect(listNameServers(["2620:fe::fe"])).toBe("");
});

test.each([
  ["a server by its name", 'service web : HttpEndpoint { grant HttpEndpoint scope "https://a.example" }', true],
  ["a server by its address", 'service web : HttpEndpoint { grant HttpEndpoint scope "http://10.0.2.2" }', false],
  ["no server", "", false],
])("a name server is needed if the page grants %s", async (_, services, isNeeded) => {
  const rest = `network { address dhcp }  storage { disk "d" }  image { target linux  machine vm  boot operator }`;
  expect(needsNameServer(await compilePolicyWithoutLaws(renderFactsPage({ services, rest })))).toBe(isNeeded);
});
