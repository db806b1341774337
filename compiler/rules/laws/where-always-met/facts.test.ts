import { accepts, page, refuses } from "../../../dev/fixtures/facts.ts";

const SHOP = {
  top: "interface Shop { method buy : destructive }",
  services: "service shop : Shop {}",
  rest: "image { target linux  machine vm  boot operator }",
};
const shop = (where: string) => page({ ...SHOP, permit: `consent shop.buy where ${where} else forbidden` });

refuses("where-always-met", {
  "a size of nothing or more": page({ permit: "auto Files.write where «size(content) >= 0 B» else forbidden" }),
  "a size beyond what a call holds": page({ permit: "auto Files.write where «size(content) <= 1 GiB» else forbidden" }),
  "beside a check that is not": page({
    permit: 'auto Files.write where «size(content) >= 0 B» and path under "/a" else forbidden',
  }),
  "a number within its bounds": shop("«count >= 0»"),
  "a field within its bounds": shop("«size.width <= 65535»"),
  "in a task": page({
    rest: `task t in operator { permit { consent Files.write where «size(content) >= 0 B» else forbidden } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

accepts("where-always-met, kept", {
  "a size that leaves out the empty text": page({
    permit: "auto Files.write where size(content) > 0 B else forbidden",
  }),
  "a number that leaves out its least": shop("count >= 1"),
  "one of all choices, for there may be more": shop('colour in ["red", "green"]'),
  "one of two choices": shop('colour == "red"'),
  "any path, for one with .. is in none": page({ permit: 'consent Files.write where path under "/" else forbidden' }),
});
