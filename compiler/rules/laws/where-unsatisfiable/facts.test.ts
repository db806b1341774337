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
  "the absence of a required argument": MAIL("«not has(subject)»"),
  "the presence and the absence of an argument": MAIL("has(reply) and «not has(reply)»"),
  "the absence and a value of an argument": MAIL('not has(reply) and «reply == "a"»'),
  "a negative count": MAIL("«count(recipients) < 0»"),
  "two beginnings": MAIL('subject startsWith "ab" and «subject startsWith "b"»'),
  "two suffixes, of which neither ends with the other": MAIL('subject endsWith "ab" and «subject endsWith "a"»'),
  "a prefix that no allowed value has": MAIL('subject startsWith "a" and «subject in ["b", "c"]»'),
  "a prefix longer than the allowed size": MAIL('subject startsWith "abc" and «size(subject) < 3 B»'),
  "domains apart": MAIL('domain(subject) under "a.example" and «domain(subject) under "b.example"»'),
  "a domain outside of another one": MAIL('domain(subject) == "a.example" and «domain(subject) under "b.example"»'),
});

const FLOOR = (checks: string) =>
  renderFactsPage({
    permit: `auto readOnly, mutatingLocal } when unattended { atLeast forbidden notes.write where ${checks}`,
  });

expectRefused("where-unsatisfiable", {
  "contradictory prefixes in a floor": FLOOR('content startsWith "a" and «content startsWith "b"»'),
});

expectRefused("where-always-met", {
  "a check that always holds in a floor": FLOOR("«size(content) >= 0 B»"),
});

expectRefused("where-unknown-argument", {
  "an unknown argument in a floor": FLOOR('«pth» == "a"'),
});

expectAccepted("where-unsatisfiable, kept", {
  "one check in a floor": FLOOR('content startsWith "a"'),

  "an absent argument, and a check that allows absence": MAIL('not has(reply) and reply == "a" or absent'),
  "different elements of a list, which may be empty": MAIL('every(recipients) == "a" and every(recipients) == "b"'),
  "a prefix and a suffix": MAIL('subject startsWith "ab" and subject endsWith "ba"'),
  "a domain below another one": MAIL('domain(subject) under "a.example" and domain(subject) under "b.a.example"'),
  "bounds of different arguments": SHOP("count < 3 and size.width > 10"),
  "contradictory bounds in different lines": renderFactsPage({
    permit: `auto readOnly
      auto notes.write where size(content) < 10 B else consent  auto notes.write where size(content) > 10 B else consent`,
  }),
});

expectRefused("where-unknown-argument", {
  "an unknown argument, which where-unsatisfiable does not report": SHOP("«size.height» < 3 and «size.height» > 3"),
});

expectRefused("where-wrong-type", {
  "a check of the wrong type, which where-unsatisfiable does not report": SHOP(
    '«count == "3"» and count < 3 and count > 5',
  ),
});

expectRefused("where-unsatisfiable", {
  "a contradiction for one of two tools of the line": renderFactsPage({
    top: `interface Shop { method buy : destructive  arg price is money EUR  arg from is url }`,
    services: "service shop : Shop {}  service notes : Files { state 1 MiB }",
    permit: "auto readOnly  consent shop.buy where count > 3 and gift == true and «count < 2» else forbidden",
  }),
});
