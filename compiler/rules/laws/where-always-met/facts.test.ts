import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SHOP = {
  top: "interface Shop { method buy : destructive }",
  services: "service shop : Shop {}",
  rest: "image { target linux  machine vm  boot operator }",
};
const shop = (where: string) => renderFactsPage({ ...SHOP, permit: `consent shop.buy where ${where} else forbidden` });

expectRefused("where-always-met", {
  "a size of nothing or more": renderFactsPage({
    permit: "auto Files.write where «size(content) >= 0 B» else forbidden",
  }),
  "a size beyond what a call holds": renderFactsPage({
    permit: "auto Files.write where «size(content) <= 1 GiB» else forbidden",
  }),
  "beside a check that is not": renderFactsPage({
    permit: 'auto Files.write where «size(content) >= 0 B» and path under "/a" else forbidden',
  }),
  "a number within its bounds": shop("«count >= 0»"),
  "a field within its bounds": shop("«size.width <= 65535»"),
  "in a task": renderFactsPage({
    rest: `task t in operator { permit { consent Files.write where «size(content) >= 0 B» else forbidden } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectAccepted("where-always-met, kept", {
  "a size that leaves out the empty text": renderFactsPage({
    permit: "auto Files.write where size(content) > 0 B else forbidden",
  }),
  "a number that leaves out its least": shop("count >= 1"),
  "one of all choices, for there may be more": shop('colour in ["red", "green"]'),
  "one of two choices": shop('colour == "red"'),
  "any path, for one with .. is in none": renderFactsPage({
    permit: 'consent Files.write where path under "/" else forbidden',
  }),
});
