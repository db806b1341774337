import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SHOP = (checks: string) =>
  renderFactsPage({
    top: "interface Shop { method buy : destructive  arg price is money EUR  arg from is url }",
    services: "service shop : Shop {}",
    permit: `consent shop.buy where ${checks} else forbidden`,
    rest: "image { target linux  machine vm  boot operator }",
  });

const MAIL = (checks: string) =>
  renderFactsPage({
    top: "interface Mail { method send : destructive }",
    services: "service mail : Mail {}",
    permit: `consent mail.send where ${checks} else forbidden`,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("where-unsatisfiable", {
  "the absence of what is required": MAIL("«not has(subject)»"),
  "there and not there": MAIL("has(reply) and «not has(reply)»"),
  "absent, and with a value": MAIL('not has(reply) and «reply == "a"»'),
  "fewer than none": MAIL("«count(recipients) < 0»"),
  "two beginnings": MAIL('subject startsWith "ab" and «subject startsWith "b"»'),
  "two ends, of which the other is no end": MAIL('subject endsWith "ab" and «subject endsWith "a"»'),
  "a beginning of another word": MAIL('subject startsWith "a" and «subject in ["b", "c"]»'),
  "a beginning that is longer than allowed": MAIL('subject startsWith "abc" and «size(subject) < 3 B»'),
  "domains apart": MAIL('domain(subject) under "a.example" and «domain(subject) under "b.example"»'),
  "a domain that is not below another": MAIL('domain(subject) == "a.example" and «domain(subject) under "b.example"»'),
});

const FLOOR = (checks: string) =>
  renderFactsPage({
    permit: `auto readOnly, mutatingLocal } when unattended { atLeast forbidden notes.write where ${checks}`,
  });

expectRefused("where-unsatisfiable", {
  "in a floor": FLOOR('content startsWith "a" and «content startsWith "b"»'),
});

expectRefused("where-always-met", {
  "in a floor": FLOOR("«size(content) >= 0 B»"),
});

expectRefused("where-unknown-argument", {
  "in a floor": FLOOR('«pth» == "a"'),
});

expectAccepted("where-unsatisfiable, kept", {
  "one check in a floor": FLOOR('content startsWith "a"'),

  "absence, and a check that holds of it": MAIL('not has(reply) and reply == "a" or absent'),
  "elements apart, of which there may be none": MAIL('every(recipients) == "a" and every(recipients) == "b"'),
  "a beginning and an end": MAIL('subject startsWith "ab" and subject endsWith "ba"'),
  "a domain below another": MAIL('domain(subject) under "a.example" and domain(subject) under "b.a.example"'),
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
