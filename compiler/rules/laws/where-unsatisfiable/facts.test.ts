import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SHOP = (checks: string) =>
  renderFactsPage({
    top: "interface Shop { method buy : destructive  arg price is money EUR  arg from is url }",
    services: "service shop : Shop {}",
    permit: `consent shop.buy where ${checks} else forbidden`,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectAccepted("where-unsatisfiable, kept", {
  "bounds of different arguments": SHOP("count < 3 and size.width > 10"),
  "bounds of an argument in different lines": renderFactsPage({
    permit: `auto readOnly
      auto notes.write where size(content) < 10 B else consent  auto notes.write where size(content) > 10 B else consent`,
  }),
});

expectRefused("where-unknown-argument", {
  "of what is not there, where-unsatisfiable says nothing": SHOP("«size.height» < 3 and «size.height» > 3"),
});

expectRefused("where-wrong-type", {
  "of what fits in part, where-unsatisfiable says nothing": SHOP('«count == "3"» and count < 3 and count > 5'),
});

expectRefused("where-unsatisfiable", {
  "for one of two tools of the line": renderFactsPage({
    top: `interface Shop { method buy : destructive  arg price is money EUR  arg from is url }`,
    services: "service shop : Shop {}  service notes : Files { state 1 MiB }",
    permit: "auto readOnly  consent shop.buy where count > 3 and gift == true and «count < 2» else forbidden",
  }),
});
