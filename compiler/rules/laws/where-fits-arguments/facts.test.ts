import { expect, test } from "vitest";
import {
  compilePage,
  expectAccepted,
  expectRefused,
  expectUnsaid,
  renderFactsPage,
} from "../../../dev/fixtures/facts.ts";

const TOP = "interface Shop { method buy : destructive  arg price is money EUR  arg from is url }";
const services = (permit: string) =>
  renderFactsPage({
    top: TOP,
    services: "service shop : Shop {}  service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
    permit,
  });

expectRefused("where-unknown-argument", {
  "a misspelt argument, reported once for all tools of a line": services(
    "auto readOnly  consent Files.* where «pth» == 3 else forbidden",
  ),
  "an argument that a later tool of the line lacks": services(
    "auto readOnly  consent Files.write, Files.delete where size(«content») < 3 B else forbidden",
  ),
});

expectRefused("where-wrong-type", {
  "a check of the wrong type, reported once for all tools of a line": services(
    'auto readOnly  consent Files.write where «path == "/a"» else forbidden',
  ),
  "each wrong check of a line": services(
    "consent shop.buy where «count == true» and count < 3 and «gift == 3» else forbidden  auto readOnly",
  ),
});

const MAIL = {
  top: "interface Mail { method send : destructive }",
  services: "service mail : Mail {}",
  rest: "image { target linux  machine vm  boot operator }",
};
const mail = (where: string) => renderFactsPage({ ...MAIL, permit: `consent mail.send where ${where} else forbidden` });

expectRefused("where-wrong-type", {
  "a field of a list without a quantifier": [
    mail("«items.amount < 3»"),
    "`items.amount < 3` does not fit `mail.send`: it is inside a list; write `every(…)` or `some(…)`",
  ],
  "a field of a list without a quantifier, reported once for two tools": renderFactsPage({
    ...MAIL,
    services: "service mail : Mail {}  service post : Mail {}",
    permit: "consent Mail.send where «items.amount < 3» else forbidden",
  }),
  "a quantifier on a single value": mail('«every(subject) == "a"»'),
  "a list compared as a single value": mail('«recipients == "a"»'),
  "a count of a value that is not a list": mail("«count(subject) < 3»"),
  "links of a list of numbers": mail('«every(domain(urls(items.amount))) == "a.example"»'),
  "list elements of another type": mail("«every(recipients) < 3»"),
  "a domain in capitals": mail('«every(domain(recipients)) == "A.example"»'),
  "a domain with a wildcard": mail('«every(domain(recipients)) in ["*.example"]»'),
  "a folder instead of a domain": mail('«every(domain(recipients)) under "/a"»'),
  "a count of bytes": mail("«count(recipients) < 3 KiB»"),
  "a link compared by its spelling": mail('«every(urls(body)) == "https://a.example"»'),
  "an empty prefix": mail('«subject startsWith ""»'),
  "a pattern with too many wildcards": mail('«subject matches "*********"»'),
  "an empty pattern": mail('«subject matches ""»'),
  "a pattern that ends in a backslash": mail('«subject matches "a\\\\"»'),
  "the pattern of a number": mail('«every(items.amount) matches "#"»'),
  "an invalid date": mail('«date(subject) < "31.12.2026"»'),
  "a date without an offset": mail('«date(subject) < "2026-12-31T10:00:00"»'),
  "a date against a number": mail("«date(subject) < 3»"),
  "`date` of a number": mail('«every(date(items.amount)) < "2026-12-31"»'),
  "a prefix of a date": mail('«date(subject) startsWith "2026"»'),
  "a duration without a unit": mail("«duration(subject) < 3»"),
  "an invalid duration": mail('«duration(subject) < "a day"»'),
  "a date with a source": mail("«date(subject) from person»"),
  "a set of numbers compared with a text": renderFactsPage({
    ...MAIL,
    top: `${MAIL.top}  let sizes = [1, 2]`,
    permit: "consent mail.send where «subject in sizes» else forbidden",
  }),
  "a suffix of a number": mail('«every(items.amount) endsWith "0"»'),
});

expectRefused("where-unknown-argument", {
  "a field that the list elements lack": mail("every(«items.price») < 3"),
});

expectAccepted("where-wrong-type, kept", {
  "list elements, domains and absent values": mail(
    'every(domain(recipients)) under "a.example" and some(recipients) endsWith "@a.example" and every(items.note) startsWith "a" or absent',
  ),
  "links and addresses inside a text": mail(
    'every(domain(urls(body))) in ["a.example"] and every(addresses(body)) in ["a@a.example"] and count(urls(subject)) < 1',
  ),
  "patterns, dates and durations": mail(
    'subject matches "INV-####*" and date(reply) >= "2026-12-31T10:00:00+01:00" or absent and every(items.note) matches "?*" or absent',
  ),
  "a duration in words and one in ISO 8601 form": mail(
    'duration(subject) in ["5 min", "PT30S"] and duration(body) <= 1.5 h',
  ),
  "a named set": renderFactsPage({
    ...MAIL,
    top: `${MAIL.top}  let partners = ["a.example", "b.example"]`,
    permit: "consent mail.send where every(domain(recipients)) in partners else forbidden",
  }),
  "the presence of an argument": mail("has(cc) and not has(reply) and not has(items)"),
});

test("where-unknown-argument suggests the nearest argument if one is similar", async () => {
  const { diagnostics } = await compilePage(
    services("auto readOnly  consent shop.buy where size.widht < 3 and nothing_like_it < 3 else forbidden"),
  );
  const found = diagnostics.filter(({ code }) => code === "where-unknown-argument");
  expect(found.map(({ message, help, fix }) => [message, help, fix?.replacement])).toEqual([
    ["`shop.buy` has no argument `size.widht`", "did you mean `size.width`?", "size.width"],
    ["`shop.buy` has no argument `nothing_like_it`", undefined, undefined],
  ]);
  expect(found[0]?.fix?.span).toEqual(found[0]?.span);
});

expectUnsaid("where-wrong-type", {
  "an argument whose type a misspelt fact may have set": services(
    "auto readOnly  consent shop.buy where price <= 1.00 EUR else forbidden",
  ).replace("arg price", "arg prise"),
});

test("where-wrong-type is reported for a tool with valid facts, even beside a tool with invalid facts", async () => {
  const text = services("auto readOnly  consent shop.buy where price <= 1.00 USD else forbidden")
    .replace("arg from is url", "arg from is url  sends internal")
    .replace("interface Shop", "interface Board { method post : readOnly  arg lin is path }  interface Shop")
    .replace("service shop", "service board : Board {}  service shop");
  const codes = (await compilePage(text)).diagnostics.map(({ code }) => code);
  expect(codes).toContain("where-wrong-type");
});

test("where-wrong-type names the type of the argument and a valid form", async () => {
  const { diagnostics } = await compilePage(services("auto readOnly  consent shop.buy where gift == 3 else forbidden"));
  const found = diagnostics.filter(({ code }) => code === "where-wrong-type");
  expect(found.map(({ message, help }) => `${message}; ${help}`)).toEqual([
    expect.stringMatching(/`gift == 3`.*it is true or false.*write `== true`/),
  ]);
});
