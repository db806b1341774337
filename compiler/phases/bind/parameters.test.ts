// Tests the parameters of tasks: how they are declared, used in rules, compared, and stored in the tables.
import { expect, test } from "vitest";
import { compilePolicy, expectAccepted, expectRefused, renderFactsPage } from "../../dev/fixtures/facts.ts";

const page = (task: string, line = "only notes.write", rest = "") =>
  renderFactsPage({
    sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly  auto notes.write } }
      task tidy${task} in operator { ${line} } ${rest}`,
  });

const where = (parameter: string, check: string) =>
  page(`(${parameter})`, `permit { auto notes.write where ${check} else forbidden }`);

expectRefused("parameter-unfit", {
  "money without a currency": [page("(«limit: money»)"), "an amount of money has a currency; write `limit: money EUR`"],
  "a text with a currency": [page("(«name: text EUR»)"), "`text` has no currency; write `name: text`"],
  "a long name": [page(`(«${"n".repeat(65)}: text»)`), "its name has more than 64 bytes"],
  "a ninth one": [
    page(`(${"abcdefgh".split("").map((name) => `${name}: text`)}, «i: text»)`),
    "the parameter `i` cannot be used: a task has at most 8 parameters",
  ],
});

expectRefused("currency-unknown", {
  "a currency that there is not": page("(limit: money «eur»)"),
});

expectRefused("duplicate-name", {
  "two of one name": page("(folder: text, «folder»: size)"),
});

expectRefused("wrong-word", {
  "a type that is none, with the nearest": [page("(folder: «txt»)"), "did you mean `text`?"],
});

expectRefused("unknown-name", {
  "a parameter that the task does not have": [
    where("folder: text", "path under task.«foldr»"),
    "there is no parameter of operator.tidy named `foldr`; did you mean `folder`?",
  ],
  "a task without any": [
    page("", "permit { auto notes.write where path under task.«folder» else forbidden }"),
    "write it behind the task: `(folder: text)`",
  ],
  "that of another task": page(
    "(folder: text)",
    "permit { auto notes.write where path under task.folder else forbidden }",
    ["task file in operator { permit { auto notes.write where path under task.«folder» else forbidden } }"].join(""),
  ),
});

expectRefused("parameter-outside-task", {
  "a line of a session": renderFactsPage({
    sessions: `session operator { kind operator  models { auto canned }
      permit { auto readOnly  auto notes.write where path under «task.folder» else forbidden } }
      task tidy(folder: text) in operator { only notes.write }`,
  }),
  "a floor of a session": renderFactsPage({
    sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly  auto notes.write }
      when integrity <= untrusted { atLeast consent notes.write where content == «task.words» } }`,
  }),
  "a worker of a session": renderFactsPage({
    sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly  auto notes.write } }
      worker digest in operator { permit { auto notes.write where content in ["a", «task.words»] else forbidden } }`,
  }),
});

expectRefused("where-wrong-type", {
  "a number for a folder": where("folder: number", "«path under task.folder»"),
  "a text for a size": where("most: text", "«size(content) <= task.most»"),
  "a date for a text": where("day: date", "«content == task.day»"),
  "an order of texts": where("name: text", "«content < task.name»"),
  "a duration for a date": where("wait: duration", "«date(content) < task.wait»"),
  "a number where a text begins": where("most: number", "«content startsWith task.most»"),
  "one of a list that does not fit": where("name: text, most: size", '«content in ["a", task.most]»'),
});

expectAccepted("values of each type", {
  "a folder": where("folder: text", "path under task.folder"),
  "a text, alone and beside others": where("name: text", 'content == task.name and content in ["a", task.name]'),
  "its beginning and its end": where("name: text", "content startsWith task.name and content endsWith task.name"),
  "a size": where("most: size", "size(content) <= task.most"),
  "a number for a size": where("most: number", "size(content) < task.most"),
  "a date and a duration": where(
    "day: date, wait: duration",
    "date(content) < task.day and duration(content) <= task.wait",
  ),
  "a phase": page(
    "(folder: text)",
    "phase look { permit { auto notes.write where path under task.folder else forbidden } }",
  ),
  "a floor": page(
    "(name: text)",
    "when integrity <= untrusted { atLeast consent notes.write where content != task.name }",
  ),
  "a parameter that no line names": page("(name: text)"),
});

test("the rows of a task and of its phases and workers, also in extending sessions, have the task's parameters; other rows have none", async () => {
  const text = page(
    "(folder: text, limit: money EUR)",
    "phase look { only notes.read }  phase write after consent { only notes.write }",
    "session night extends operator {}",
  );
  const { tables } = await compilePolicy(text);
  const parameters = [
    { name: "folder", kind: "text", currency: "" },
    { name: "limit", kind: "money", currency: "EUR" },
  ];
  for (const row of tables.rows)
    expect([row.task, row.parameters]).toEqual([row.task, row.task === "" ? [] : parameters]);
  expect(tables.rows.filter(({ task }) => task === "tidy")).toHaveLength(4);
});
