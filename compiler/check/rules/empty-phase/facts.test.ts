import { expect, test } from "vitest";
import { accepts, compilePage, page, refuses } from "../../../testing/facts.ts";

const SESSION =
  "session operator { kind operator  models { auto canned }  permit { auto readOnly  forbidden destructive } }";
const tasks = (rest: string, session = SESSION) => page({ sessions: `${session} ${rest}` });

refuses("empty-phase", {
  "a task without phases": tasks("task «t» in operator { only destructive }"),
  "a phase whose tools are all forbidden": tasks(
    "task t in operator { phase look { only readOnly }  phase «mend» { only destructive } }",
  ),
});

accepts("empty-phase, kept", {
  "a worker that has nothing where it is started": tasks(
    "task t in operator { phase look { only notes.read }  phase less { only notes.list } }  worker w in operator { only notes.read }",
  ).replace("phase less { only", "phase less after consent { only"),
});

test("empty-phase says whether it is a phase or a task, and in which session", async () => {
  const { diagnostics } = await compilePage(
    tasks(
      "task t in operator { only destructive }  task u in operator { phase p { only destructive }  phase q after consent { only readOnly } }",
    ),
  );
  const found = diagnostics.filter(({ code }) => code === "empty-phase").map(({ message }) => message);
  expect(found).toEqual([
    expect.stringMatching(/task `t`.*`operator`|`operator`.*task `t`/),
    expect.stringMatching(/phase `p`.*`operator`|`operator`.*phase `p`/),
  ]);
});

test.each([
  ["part of a task", tasks("task t in operator { only destructive quot { 5 } }")],
  [
    "part of a session",
    tasks("task t in operator { only destructive }", SESSION.replace("permit", "quot { 5 } permit")),
  ],
  ["part of the page", tasks("task t in operator { only destructive }  servic")],
])("empty-phase is not said where %s was lost to a syntax error", async (_, text) => {
  const { diagnostics } = await compilePage(text);
  const codes = diagnostics.map(({ code }) => code);
  expect(codes).toContain("syntax");
  expect(codes).not.toContain("empty-phase");
});
