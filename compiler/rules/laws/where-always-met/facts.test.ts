import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SHOP = {
  top: "interface Shop { method buy : destructive }",
  services: "service shop : Shop {}",
  rest: "image { target linux  machine vm  boot operator }",
};
const shop = (where: string) => renderFactsPage({ ...SHOP, permit: `consent shop.buy where ${where} else forbidden` });

const MAIL = {
  top: "interface Mail { method send : destructive }",
  services: "service mail : Mail {}",
  rest: "image { target linux  machine vm  boot operator }",
};
const mail = (where: string) => renderFactsPage({ ...MAIL, permit: `consent mail.send where ${where} else forbidden` });

expectRefused("where-always-met", {
  "a required argument that is there": mail("«has(subject)»"),
  "a required list that is there": mail("«has(recipients)»"),
  "a count of nothing or more": mail("«count(recipients) >= 0»"),
  "elements within their bounds": mail("«every(items.amount) <= 65535 or absent»"),
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
  "an optional argument that is there": mail("has(cc)"),
  "an optional argument within its bounds": mail("count(cc) >= 0"),
  "some element within its bounds": mail("some(items.amount) <= 65535"),
  "links of which there may be too many": mail("count(urls(body)) >= 0"),
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
