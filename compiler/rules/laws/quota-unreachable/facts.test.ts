import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const session = (rest: string, permit = "auto readOnly  consent mutatingLocal") =>
  `session operator { kind operator  models { auto canned }  permit { ${permit} } ${rest} }`;
const tasks = (rest: string, quota: string) =>
  renderFactsPage({ sessions: session(`quota { ${quota} }`), rest: `${rest} ${END}` });

expectRefused("quota-unreachable", {
  "a larger quota than one of the task and one of the session": [
    tasks(
      "task mend in operator { quota { 3 calls per conversation  «5 calls per turn» } }",
      "9 calls per conversation",
    ),
    "`3 calls per conversation` is used up before",
  ],
  "a larger quota than the one of the session per task": [
    tasks("task mend in operator { quota { «5 calls per turn» } }", "3 calls per task"),
    "`3 calls per task` is used up before",
  ],
  "a quota per task in a session without tasks": [
    renderFactsPage({ sessions: session("quota { «3 calls per task» }") }),
    "no task can begin here",
  ],
  "a quota per call": [
    renderFactsPage({ sessions: session("quota { «3 calls per call» }") }),
    "each call counts only once",
  ],
  "a quota for a category without tools that can run": [
    renderFactsPage({ sessions: session("quota { «3 destructive per turn» }") }),
    "no tool of `destructive` can run here",
  ],
  "a quota for prompts if all tools that would ask are suppressed": [
    renderFactsPage({
      sessions: `abstract session base { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }
        session operator extends base { suppress mutatingLocal  quota { «5 prompts per turn» } }`,
    }),
    "no call here asks a person",
  ],
});

const PLANS = renderFactsPage({
  services: `service notes : Files { state 1 MiB }  service plans : ActionPlans { label public/reviewed  grant robots }`,
  sessions: `session operator { kind operator  models { auto canned }  permit { auto ActionPlans.submit } }
    session robots { kind service  permit { auto readOnly  forbidden mutatingLocal, destructive }
      suppress ActionPlans.*  quota { 100 calls per hour  12 prompts per hour } }`,
});

expectAccepted("quota-unreachable, kept, of prompts and of tasks", {
  "a quota for prompts in a session that executes plans, which may ask": PLANS,
  "a quota for prompts if one of two backends asks": renderFactsPage({
    backends: "backend canned { stub }  backend spare { stub  clearance internal }",
    services: "service notes : Files { state 1 MiB  label internal/reviewed }",
    sessions: session("clearance internal  quota { 5 prompts per turn }", "auto readOnly").replace(
      "auto canned",
      "auto canned  consent spare",
    ),
  }),
  "a quota per task in a session whose parent has the task": renderFactsPage({
    sessions: `abstract session base { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal }  quota { 9 calls per task } }
      session operator extends base { quota { 3 calls per task } }`,
    rest: `task mend in base { only readOnly } ${END}`,
  }),
  "a quota of a task in an abstract session": renderFactsPage({
    sessions: `${session("")} abstract session base { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }`,
    rest: `task mend in base { quota { 3 calls per task } } ${END}`,
  }),
});
