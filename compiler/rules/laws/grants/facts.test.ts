import { expect, test } from "vitest";
import {
  compilePage,
  expectAccepted,
  expectRefused,
  expectUnsaid,
  renderFactsPage,
} from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const END = "image { target linux  machine vm  boot operator }";
const boards = (services: string, permit = "consent mutatingLocal  forbidden destructive") =>
  renderFactsPage({
    top: "compartments { hr }  interface Board { method post : mutatingLocal  method wipe : destructive }",
    services,
    permit,
    rest: END,
  });

const messagesOf = async (code: string, text: string) => {
  const { diagnostics } = await compilePage(text);
  return diagnostics.filter((found) => found.code === code).map(({ message, help }) => [message, help]);
};

expectRefused("grant-cycle", {
  "of itself": boards("service a : Board { grant «a» }"),
  "a service that grants itself, reported once although another service leads to it": boards(
    "service way : Board { grant a } service a : Board { grant «a» }",
  ),
  "two cycles through one service": boards(
    "service a : Board { grant b  grant c } service b : Board { grant «a» } service c : Board { grant «a» }",
  ),
  "a cycle after a service that was already searched": boards(
    `service first : Board { grant a } service a : Board { grant b  grant c } service b : Board {}
     service c : Board { grant b  grant «a» }`,
  ),
});

expectRefused("grant-unused", {
  "the first of several grants": boards(
    "service open : Board {} service shut : Board { «grant Fetch»  grant open }",
    "consent mutatingLocal  forbidden destructive, shut.*",
  ),
  "a suppressed service and one without a line": boards(
    "service open : Board {} service shut : Board { «grant Fetch» } service odd : Board { «grant Fetch» }",
    "consent open.* } suppress shut.* quota { 5 calls per turn",
  ),
});

test("grant-unused is not reported if a syntax error may hide the use", async () => {
  const text = boards("service open : Board {} service shut : Board { grant Fetch } servic", "consent open.*");
  expect(await messagesOf("syntax", text)).toHaveLength(1);
  expect(await messagesOf("grant-unused", text)).toEqual([]);
});

expectRefused("grant-not-provided", {
  "an unprovided interface beside ones of the network and of the image": boards(
    "service near : Board { grant HttpEndpoint  grant Status  grant «Kiosk» }",
  ).replace("interface Board", "interface Kiosk { method look : readOnly }  interface Board"),
});

expectRefused("grant-twice", {
  "a service": boards("service far : Board {} service near : Board { grant far  grant «far»  grant «far» }"),
});

expectRefused("grant-above-label", {
  "a service of a higher level": boards(
    "service far : Board { label secret } service near : Board { label internal  grant «far» }",
  ),
  "a range, of which the upper bound counts": boards(
    "service far : Board { label public .. secret } service near : Board { label internal .. internal  grant «far» }",
  ),
});

const FILES = "service notes : Files { state 1 MiB }  service more : Files { state 1 MiB }";
const kept = (services: string) => renderFactsPage({ services: `${FILES}  ${services}` });

expectRefused("patches-without-files", {
  "patch sets without a grant, with one of memory, and with two grants of files": [
    kept(`service «a» : PatchSets { state 64 KiB }  service past : Memory {}
    service «b» : PatchSets { grant past }  service «c» : PatchSets { grant notes  grant more }
    service d : PatchSets { grant notes }`),
    "the `PatchSets` service `a` needs a grant of exactly one `Files` service, and has no grant",
    "the `PatchSets` service `b` needs a grant of exactly one `Files` service, and has a grant of something else",
    "the `PatchSets` service `c` needs a grant of exactly one `Files` service, and has more than one grant",
  ],
  "patch sets with a grant of an interface": [
    kept("service «a» : PatchSets { grant Status }"),
    "the `PatchSets` service `a` needs a grant of exactly one `Files` service, and has a grant of something else",
  ],
});

test("patches-without-files is not reported for a grant of an unknown name", async () => {
  expect(await messagesOf("patches-without-files", kept("service a : PatchSets { grant nots }"))).toEqual([]);
});

expectRefused("grant-above-trust", {
  "a holder that is more trusted": [
    boards(
      "service far : Board { label internal/reviewed } service near : Board { label internal/system  grant «far» }",
    ),
    "the data of `far` is only `reviewed`, but `near`, which has a grant of it, would return this data as `system`; lower the integrity in the label of the holder to `reviewed`",
  ],
  "a range, of which the less trusted bound counts": boards(
    "service far : Board { label internal/system .. internal/untrusted } service near : Board { label internal/reviewed  grant «far» }",
  ),
});

expectAccepted("grant-above-label, kept", {
  "a holder at the same level with other trust": boards(
    `service far : Board { label internal:{hr}/system } service near : Board { label secret:{hr}/untrusted  grant far }`,
  ),
});

expectRefused("grant-wider", {
  "a parent address, beside a folder, which does not limit addresses": boards(
    `service far : Board { grant Fetch scope "https://a.example/api", "/notes" }
     service near : Board { grant far scope «"https://a.example"», "https://a.example/api/v1", "/notes/new" }`,
  ),
  "one scope of two grants": boards(
    `service far : Board { grant Fetch scope "/a"  grant HttpEndpoint scope "/b" }
     service near : Board { grant far scope "/a/x", "/b", «"/c"» }`,
  ),
  "the root folder": boards(
    'service far : Board { grant Fetch scope "/a" } service near : Board { grant far scope «"/"» }',
  ),
});

expectAccepted("grant-wider, kept", {
  "a folder below the root": boards(
    'service far : Board { grant Fetch scope "/" } service near : Board { grant far scope "/a/b" }',
  ),
  "an address, for a service that is limited to folders": boards(
    'service far : Board { grant Fetch scope "/a" } service near : Board { grant far scope "https://a.example" }',
  ),
  "scopes for a service without scopes": boards(
    'service far : Board { grant Fetch } service near : Board { grant far scope "/a", "https://a.example" }',
  ),
});

test("grant-wider names some of the possible scopes, of the same kind as the requested scope", async () => {
  const text = boards(
    `service far : Board { grant Fetch scope "/a", "https://a.example", "/b", "/c", "/d" }
     service near : Board { grant far scope "/e" }`,
  );
  expect(await messagesOf("grant-wider", text)).toEqual([
    ["`/e` grants more rights than `far` itself has", "limit the scope to `/a`, `/b`, `/c`"],
  ]);
});

test("grant-above-label names the labels of both services, and other findings about grants name the service or interface", async () => {
  const text = boards(
    `service far : Board { label secret:{hr} } service near : Board { label internal  grant far  grant far  grant Kiosk }`,
    "consent far.*",
  ).replace("interface Board", "interface Kiosk { method look : readOnly }  interface Board");
  expect((await messagesOf("grant-above-label", text))[0]?.[0]).toBe(
    "`near` has a grant of `far`; the label `secret:{hr}` of the granted service is above the label `internal` of `near`",
  );
  expect((await messagesOf("grant-twice", text))[0]?.[0]).toBe("one service has two grants of `far`");
  expect((await messagesOf("grant-not-provided", text))[0]?.[0]).toBe("no program of the image provides `Kiosk`");
  expect((await messagesOf("grant-unused", text))[0]?.[0]).toContain("no session can use `near`");
});

const upstream = (clock: string, journal: string) =>
  upstreamPage({
    services: `service clock : Clock { exec "clock"  ${clock} }  service journal : Logs { exec "journal"  ${journal} }`,
  });

expectRefused(
  "grant-above-label",
  {
    "an export of a program on upstream's kernel": upstream(
      'grant kernel.endpoint scope "exported"  label secret',
      "label internal  grant «clock»",
    ),
  },
  PROGRAMS,
);

expectAccepted(
  "grant-twice, grant-wider, grant-unused, kept",
  {
    "one kernel source under two names": upstream(
      "",
      'grant kernel.timer scope "as one"  grant kernel.timer scope "as two"',
    ),
    "two exports of one service": upstream(
      'grant kernel.endpoint scope "exported"  grant kernel.wall_clock scope "exported"',
      'grant clock scope "export endpoint"  grant clock scope "export wall_clock", "as time"',
    ),
    "a program that no session calls, but upstream's init starts": upstreamPage({
      services: 'service clock : Clock { exec "clock" }  service journal : Logs { exec "journal"  grant kernel.timer }',
      sessions: "session operator { kind operator  models { auto canned }  permit { auto clock.* } }",
    }),
  },
  PROGRAMS,
);

const ROBOTS = (name: string) =>
  `session ${name} { kind service  permit { auto readOnly  forbidden mutatingLocal }
     suppress ActionPlans.*, Board.*  quota { 100 calls per hour  12 prompts per hour } }`;
const robots = (services: string, name = "robots") =>
  renderFactsPage({
    top: "interface Board { method post : mutatingLocal  method wipe : destructive }",
    services: `service clock : Clock {}  ${services}`,
    sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly, mutatingLocal  forbidden destructive } } ${ROBOTS(name)}`,
    rest: END,
  });

expectUnsaid("grant-twice", {
  "a session, which another law reports": robots(
    "service plans : ActionPlans { label public/reviewed  grant robots  grant robots }",
  ),
});

test("grant-cycle is not reported for a service with the name of a session", async () => {
  const text = robots(
    "service plans : ActionPlans { label public/reviewed  grant board }  service board : Board { label public/reviewed  grant plans }",
    "board",
  );
  expect(await messagesOf("grant-cycle", text)).toEqual([]);
});
