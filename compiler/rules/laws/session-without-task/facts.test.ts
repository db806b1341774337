import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION = (name: string, rest: string) =>
  `session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const TASK = "task triage in operator { only Files.read }";

expectRefused("session-without-task", {
  "a session that requires a task and has none": renderFactsPage({ sessions: SESSION("operator", "«requires task»") }),
  "one beside a session that has tasks": renderFactsPage({
    sessions: `${SESSION("operator", "")} ${SESSION("night", "«requires task»")} ${TASK}`,
  }),
  "one that inherits the line and no task, at its name": renderFactsPage({
    sessions: `abstract ${SESSION("base", "requires task")} session «operator» extends base {}`,
  }),
  "one that takes the line from another, whose tasks are not its own": renderFactsPage({
    sessions: `${SESSION("operator", "requires task")} session «night» from operator {} ${TASK}`,
  }),
});

expectRefused("duplicate-entry", {
  "a second line": renderFactsPage({
    sessions: `${SESSION("operator", "requires task  «requires task»")} ${TASK}`,
  }),
});

expectAccepted("session-without-task, kept", {
  "a session with a task": renderFactsPage({ sessions: `${SESSION("operator", "requires task")} ${TASK}` }),
  "one with the task of what it extends": renderFactsPage({
    sessions: `${SESSION("operator", "")} session night extends operator { requires task } ${TASK}`,
  }),
  "an abstract one without tasks, and one that brings them": renderFactsPage({
    sessions: `abstract ${SESSION("base", "requires task")} session operator extends base {} ${TASK}`,
  }),
});

expectUnsaid("session-without-task", {
  "where the task was lost": renderFactsPage({
    sessions: `${SESSION("operator", "requires task")} tas triage in operator { only Files.read }`,
  }),
});
