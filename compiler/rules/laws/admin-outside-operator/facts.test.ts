import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = "image { target linux  machine vm  boot operator }";
const boards = (sessions: string) =>
  renderFactsPage({
    top: "interface Board { method post : readOnly  method wipe : admin }",
    services: "service board : Board {}  service wall : Board {}",
    sessions,
    rest: END,
  });
const guest = (permit: string, rest = "") =>
  `session operator { kind guest  models { auto canned }  permit { auto readOnly  ${permit} } ${rest} }`;

expectRefused("admin-outside-operator", {
  "one of several patterns of a line": boards(guest("consent board.post, «board.wipe»")),
  "a condition that allows some arguments": boards(guest('auto «board.post» where line == "a" else forbidden')).replace(
    "post : readOnly  method wipe : admin",
    "post : admin  method wipe : readOnly",
  ),
});

expectRefused("widens-parent", {
  "one method in a task, which admin-outside-operator does not report": boards(
    `${guest("")} task t in operator { permit { auto readOnly  consent «board.wipe» } }`,
  ),
});

expectRefused("rule-never-matches", {
  "a category without tools, which admin-outside-operator does not report": renderFactsPage({
    sessions: "session operator { kind guest  models { auto canned }  permit { auto readOnly  consent «admin» } }",
  }),
});

expectAccepted("admin-outside-operator, kept", {
  "an operator": boards(guest("auto admin").replace("kind guest", "kind operator")),
  "administration that a guest is forbidden": boards(guest("forbidden admin")),
  "a broad line": boards(guest("auto Board.*").replace("auto readOnly", "")),
  "a task that narrows what its session widens for one of two services": boards(
    `${guest("", 'widen { consent board.wipe } because "CHG-7: visitors clean the board"')}
     task t in operator { permit { auto readOnly  consent admin } }`,
  ),
});

expectRefused("rule-never-matches", {
  "a pattern without tools, which admin-outside-operator does not report": boards(guest("auto «board.wpe»")),
});

test("admin-outside-operator names the tool and the session kind, and offers a widening only for sessions", async () => {
  const found = async (sessions: string) =>
    (await compilePage(boards(sessions))).diagnostics.filter(({ code }) => code === "admin-outside-operator");
  const [said] = await found(guest("auto admin"));
  expect(said?.message).toContain("`board.wipe`");
  expect(said?.message).toContain("guest");
  expect(said?.help).toContain("widen");
  const [inTask] = await found(`${guest("")} task t in operator { permit { auto readOnly  consent admin } }`);
  expect(inTask?.help).not.toBe(said?.help);
});

test("admin-outside-operator is not reported for a session without a kind, which another law reports", async () => {
  const { diagnostics } = await compilePage(boards(guest("auto admin").replace("kind guest", "")));
  expect(diagnostics.map(({ code }) => code)).toEqual(["session-without-kind"]);
});
