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
    "one name for two capabilities": [
      journal("grant kernel.timer  grant «kernel.timer»"),
      "upstream does not accept the name `timer`: the service has another capability with this name",
    ],
    "an unreadable name": [journal('grant «kernel.timer» scope "as a\\u0000b"'), "it is not a text"],
    "one name for two capabilities of init": journal(
      "",
      'init "process_spawner", "boot_package", «"console as boot_package"»',
    ),
    "an account of a session with the name of a principal": [
      people(VISITOR, session("office", "principals visitor"), session("«visitor»")),
      "upstream does not accept the name `visitor`: the account of a principal already has this name",
    ],
    "an account of a principal with the name of an earlier session": [
      people(VISITOR.replace("visitor", "«visitor»"), session("visitor"), session("zoo", "principals visitor")),
      "the account of a session already has this name",
    ],
    "two accounts that upstream considers equal": [
      people(VISITOR, session("office", "principals visitor"), session("«vISITOR»")),
      "upstream does not accept the name `vISITOR`: upstream takes it for `visitor`",
    ],
    "an account of a session, reported once although two sessions have the principal": people(
      VISITOR,
      session("office", "principals visitor"),
      session("«visitor»"),
      session("zoo", "principals visitor"),
    ),
    "the password of upstream's console, reported once": [
      people(
        'principal visitor { «passphrase "console-password"» }',
        session("office", "principals visitor"),
        session("home", "principals visitor"),
      ),
      "upstream does not accept the name `console-password`: upstream's own console has this name",
    ],
    "a host name of two words": [
      journal("", 'hostname «"two words"»'),
      "upstream does not accept the name `two words`: a host name must be one printable word",
    ],
    "a host name with a control character": journal("", 'hostname «"a\\u0007"»'),
    "a host name of 256 bytes": [journal("", `hostname «"${named("a", 256)}"»`), "a host name has at most 255 bytes"],
    "more capabilities than fit on a page": [
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
    "names of the maximum length": journal(
      `grant kernel.timer scope "as ${named("a", 32)}"`,
      `hostname "${named("a", 255)}"`,
    ),
    "a session with the name of its own principal": people(VISITOR, session("Visitor", "principals visitor")),
    "one principal in two sessions": people(
      VISITOR,
      session("office", "principals visitor"),
      session("home", "principals visitor"),
    ),
  },
  PROGRAMS,
);

expectUnsaid("upstream-name", {
  "a page for another kernel": renderFactsPage({
    services: "service journal : Logs { grant kernel.timer  grant kernel.timer }",
  }),
});
