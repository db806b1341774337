import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const board = (sessions: string) =>
  renderFactsPage({
    top: `category payments : destructive  category transfers : payments
          interface Board { method post : transfers  method wipe : destructive }`,
    services: "service board : Board {}  service notes : Files { state 1 MiB }",
    sessions,
  });
const session = (permit: string, head = "session operator") =>
  `${head} { kind operator  models { auto canned }  permit { auto readOnly  ${permit} } }`;

expectRefused("looser-than-parent-category", {
  "a category two levels below, in one of several patterns of a line": board(
    session("consent destructive  auto mutatingLocal, «transfers», notes.list"),
  ),
  "a category whose nearest ancestor decides": board(session("auto destructive  consent payments  auto «transfers»")),
  "a category of the session that is used as defaults": board(
    `${session("consent destructive", "abstract session base")} session operator from base { permit { auto «transfers» } }`,
  ),
  "a category within an interface": board(session("consent destructive in Board  auto «transfers in Board»")),
});

expectAccepted("looser-than-parent-category, kept", {
  "a stricter subcategory": board(session("consent destructive  forbidden transfers")),
  "a category whose nearest ancestor is as loose": board(
    session("consent destructive  consent payments  consent transfers"),
  ),
  "a looser line than that of the extended session, which another law reports": board(
    `${session("consent destructive", "abstract session base")} session operator extends base { permit { auto transfers } }`,
  ),
  "a line for a single tool": board(session("consent destructive  auto board.post")),
});

test("looser-than-parent-category names both categories and the stricter rule, and proposes a widening only for sessions", async () => {
  const found = async (sessions: string) =>
    (await compilePage(board(sessions))).diagnostics.filter(({ code }) => code === "looser-than-parent-category");
  const [said] = await found(session("consent destructive  auto transfers"));
  expect(said?.message).toBe(
    "for the category `transfers` this rule is looser than `consent destructive`, although `transfers` belongs to `destructive`",
  );
  expect(said?.help).toContain("widen");
  expect(said?.related?.map(({ message }) => message)).toEqual(["the stricter line"]);
  const [inTask] = await found(
    `${session("consent destructive")} task t in operator { permit { forbidden destructive  consent transfers } }`,
  );
  expect(inTask?.help).toBe("make the rule as strict");
});
