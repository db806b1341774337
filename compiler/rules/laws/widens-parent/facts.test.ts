import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const BASE = `abstract session base { kind operator  principals alice  clearance internal:{hr}/reviewed  starts internal/reviewed
  models { stepUp canned  auto spare }  permit { auto readOnly  consent Files.write  stepUp notes.delete }
  quota { 5 calls per turn }  timeout { 5 s per call } suppress drafts.list }`;
const heir = (rest: string, base = BASE) =>
  renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub" }  compartments { hr, pay }',
    services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
    backends: `backend canned { stub  clearance secret:{hr, pay} }  backend spare { stub  clearance secret:{hr, pay} }
      ${rest.includes("other") ? "backend other { stub  clearance secret:{hr, pay} }" : ""}`,
    sessions: `${base} session operator extends base { ${rest} }`,
  });

expectRefused("widens-parent", {
  "a higher level of clearance": heir("clearance «secret:{hr}/reviewed»"),
  "another compartment": heir("clearance «internal:{pay}/reviewed»"),
  "a clearance that requires less trust": heir("clearance «internal:{hr}/untrusted»"),
  "a lower label at the start": heir("starts «public/reviewed»"),
  "a more trusted label at the start": heir("starts «internal/system»"),
  "a backend that the parent lacks, and one at a looser mode": heir(
    "models { «consent canned»  stepUp spare  «auto other» }",
  ),
  "a larger quota and a longer timeout": heir("quota { «6 calls per turn» }  timeout { «6 s per call» }"),
  "another kind": heir("«kind guest»"),
  "a line for a single method": heir("permit { auto «notes.write» }"),
  "one of several patterns of a line": heir("permit { auto readOnly, «Files.write» }"),
});

expectAccepted("widens-parent, kept, one thing at a time", {
  "the same settings as the parent": heir(`kind operator  clearance internal:{hr}/reviewed  starts internal/reviewed
    models { stepUp canned  auto spare }  quota { 5 calls per turn }  timeout { 5 s per call }  permit { consent notes.write }`),
  "stricter settings than the parent": heir(
    "clearance internal/system  models { stepUp canned  consent spare }  quota { 4 calls per turn }",
  ),
  "a higher and less trusted label at the start": heir("starts internal:{hr}/untrusted"),
  "a label at the start without trust of its own": heir("starts internal"),
  "a label at the start, if the parent has none": heir(
    "starts public/system",
    BASE.replace("starts internal/reviewed", ""),
  ),
  "limits that the parent lacks": heir("quota { 9 prompts per turn  9 calls per login }  timeout { 9 s per turn }"),
  "a line for a suppressed tool": heir("permit { consent notes.write, Files.list }"),
});

test("widens-parent names the wider setting and the parent's setting", async () => {
  const { diagnostics } = await compilePage(
    heir(`clearance secret  starts public  kind guest  models { consent canned  stepUp spare  auto other }
      permit { auto notes.write  auto drafts.delete }  quota { 6 calls per turn }  timeout { 6 s per call }`),
  );
  const found = diagnostics.filter(({ code }) => code === "widens-parent").map(({ message }) => message);
  expect(found).toEqual([
    "the clearance is wider than in `base`, which has `internal:{hr}/reviewed`",
    "the label at the start is wider than in `base`, which has `internal/reviewed`",
    "the kind `guest` is wider than in `base`, which has `kind operator`, which is fixed",
    "`consent` for the backend `canned` is wider than in `base`, which has `stepUp`",
    "`auto` for the backend `other` is wider than in `base`, which has no such backend",
    "`auto` for `notes.write` is wider than in `base`, which has `consent Files.write`",
    "`auto` for `drafts.delete` is wider than in `base`, which has no rule for the tool, so that it never runs",
    "the quota is wider than in `base`, which has `5 calls per turn`",
    "the time limit is wider than in `base`, which has 5000 ms per call",
  ]);
});

const logins = (base: string, own: string) =>
  renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub"  passphrase "alice" }',
    sessions: `abstract session base { kind operator  principals alice  ${base}  models { auto canned }  permit { auto readOnly } }
      session operator extends base { ${own} }`,
  });

expectRefused("widens-parent", {
  "a login with a passphrase, if the parent requires a key": [
    logins("login key", "«login passphrase»"),
    "`login passphrase` is wider than in `base`, which has `login key`",
  ],
});

expectAccepted("widens-parent, kept, of a login", {
  "a login with a key, if the parent requires a passphrase": logins("login passphrase", "login key"),
  "the same": logins("login passphrase", "login passphrase"),
  "a login, if the parent has none": logins("", "login passphrase"),
  "an inherited login": logins("login key", ""),
});

test("widens-parent names the session or task that contains a task, a phase or a worker", async () => {
  const { diagnostics } = await compilePage(
    renderFactsPage({
      permit: "auto readOnly  consent mutatingLocal",
      rest: `task t in operator { permit { auto notes.write }  phase p { permit { auto notes.write } } }
        worker w in t { permit { auto notes.write } }
        storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
    }),
  );
  const found = diagnostics.filter(({ code }) => code === "widens-parent");
  expect(found.map(({ message }) => /wider than in `([^`]*)`/.exec(message)?.[1])).toEqual([
    "operator",
    "operator.t",
    "operator.t",
  ]);
  for (const { help } of found) expect(help).not.toContain("widen");
});

test("widens-parent is not reported for a session or a task with a syntax error", async () => {
  const codes = async (text: string) => (await compilePage(text)).diagnostics.map(({ code }) => code);
  expect(await codes(heir("clearance secret quot { 5 }"))).not.toContain("widens-parent");
  const task = renderFactsPage({
    rest: 'task t in operator { permit { auto notes.write } quot { 5 } } storage { disk "capos-data" } image { target linux machine vm boot operator }',
  });
  expect(await codes(task)).not.toContain("widens-parent");
});
