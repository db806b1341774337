import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION = (name: string, rest: string) =>
  `session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const TASK = "task triage in operator { only Files.read }";

expectRefused("session-without-task", {
  "a session that requires a task and has none": renderFactsPage({ sessions: SESSION("operator", "«requires task»") }),
  "a session that requires a task, beside a session with tasks": renderFactsPage({
    sessions: `${SESSION("operator", "")} ${SESSION("night", "«requires task»")} ${TASK}`,
  }),
  "a session that inherits the requirement and no task, at its name": renderFactsPage({
    sessions: `abstract ${SESSION("base", "requires task")} session «operator» extends base {}`,
  }),
  "a session that copies the requirement from another one, whose tasks it does not have": renderFactsPage({
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
  "a session with a task of the session that it extends": renderFactsPage({
    sessions: `${SESSION("operator", "")} session night extends operator { requires task } ${TASK}`,
  }),
  "an abstract session without tasks, and one that adds them": renderFactsPage({
    sessions: `abstract ${SESSION("base", "requires task")} session operator extends base {} ${TASK}`,
  }),
});

expectUnsaid("session-without-task", {
  "a task that a syntax error hides": renderFactsPage({
    sessions: `${SESSION("operator", "requires task")} tas triage in operator { only Files.read }`,
  }),
});
