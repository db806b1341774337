import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const journal = (grants: string, image = "") =>
  upstreamPage({ services: `service journal : Logs { exec "journal"  ${grants} }`, image });
const named = (name: string, count: number) => name.repeat(count);
const session = (name: string, rest = "") =>
  `session ${name} { kind guest  ${rest}  models { auto canned }  permit { auto readOnly } }`;
const people = (top: string, ...sessions: string[]) =>
  upstreamPage({ top, sessions: [session("operator"), ...sessions].join("\n") });
const VISITOR = 'principal visitor { ssh "keys/alice.pub" }';

expectRefused(
  "upstream-name",
  {
    "a capability of 33 bytes": journal(`grant «kernel.timer» scope "as ${named("é", 16)}x"`),
    "one name for two": [
      journal("grant kernel.timer  grant «kernel.timer»"),
      "`timer` cannot be a name upstream: the holder has another thing of this name",
    ],
    "one that nobody can read": [journal('grant «kernel.timer» scope "as a\\u0000b"'), "it is no text"],
    "one name for two of init's": journal("", 'init "process_spawner", "boot_package", «"console as boot_package"»'),
    "an account for a session and another one for a principal": [
      people(VISITOR, session("office", "principals visitor"), session("«visitor»")),
      "`visitor` cannot be a name upstream: the account of a principal is called so already",
    ],
    "an account for a principal and another one for a session before it": [
      people(VISITOR.replace("visitor", "«visitor»"), session("visitor"), session("zoo", "principals visitor")),
      "the account of a session is called so already",
    ],
    "two accounts that upstream takes for one": [
      people(VISITOR, session("office", "principals visitor"), session("«vISITOR»")),
      "`vISITOR` cannot be a name upstream: upstream takes it for `visitor`",
    ],
    "an account for a session, and not again that of the principal who had it first": people(
      VISITOR,
      session("office", "principals visitor"),
      session("«visitor»"),
      session("zoo", "principals visitor"),
    ),
    "the password of upstream's console, once": [
      people(
        'principal visitor { «passphrase "console-password"» }',
        session("office", "principals visitor"),
        session("home", "principals visitor"),
      ),
      "`console-password` cannot be a name upstream: it is that of upstream's own console",
    ],
    "a host of two words": [
      journal("", 'hostname «"two words"»'),
      "`two words` cannot be a name upstream: a host name is printable, and one word",
    ],
    "a host that rings": journal("", 'hostname «"a\\u0007"»'),
    "a host of 256 bytes": [journal("", `hostname «"${named("a", 256)}"»`), "a host name has at most 255 bytes"],
    "more than a page of them": [
      journal(
        `${Array.from({ length: 85 }, (_, at) => `grant kernel.timer scope "as t${at}"`).join("  ")}  grant «kernel.timer»`,
      ),
      "a process holds at most 85",
    ],
  },
  PROGRAMS,
);

expectAccepted(
  "upstream-name, kept",
  {
    "as long as they may be": journal(
      `grant kernel.timer scope "as ${named("a", 32)}"`,
      `hostname "${named("a", 255)}"`,
    ),
    "a session that is called like somebody in it": people(VISITOR, session("Visitor", "principals visitor")),
    "one principal in two sessions": people(
      VISITOR,
      session("office", "principals visitor"),
      session("home", "principals visitor"),
    ),
  },
  PROGRAMS,
);

expectUnsaid("upstream-name", {
  "on a page for another kernel": renderFactsPage({
    services: "service journal : Logs { grant kernel.timer  grant kernel.timer }",
  }),
});
