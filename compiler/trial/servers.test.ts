import { expect, test } from "vitest";
import { compilePolicyWithoutLaws, renderFactsPage } from "../dev/fixtures/facts.ts";
import { listServers } from "./servers.ts";

test("lists the servers of services and of the collector without duplicates", async () => {
  const services = `service one : HttpEndpoint { grant HttpEndpoint scope "https://a.example/api" }
  service two : HttpEndpoint { grant HttpEndpoint scope "https://a.example/other" }
  service three : HttpEndpoint { grant HttpEndpoint scope "http://10.0.2.2:8080/docs" }`;
  const rest = `network { address dhcp  collector "https://logs.example/v1" }
  storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`;
  expect(listServers(await compilePolicyWithoutLaws(renderFactsPage({ services, rest })))).toEqual([
    ...["https://a.example", "http://10.0.2.2:8080", "https://logs.example"],
  ]);
  expect(listServers(await compilePolicyWithoutLaws(renderFactsPage({})))).toEqual([]);
});
