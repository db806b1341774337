import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION = (name: string, rest = "") =>
  `session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const TASK = "task triage in operator { only Files.read }";
const INGRESS = (into: string) => `ingress desk : mail "desk@example.net" into ${into} label public/untrusted`;

const page = (...parts: readonly string[]) => renderFactsPage({ sessions: parts.join(" ") });

expectRefused("ingress-begins-nothing", {
  "into a session that requires a task": [
    page(SESSION("operator", "requires task"), TASK, INGRESS("«operator»")),
    "the session `operator` requires a task; name a session that does not require one",
  ],
  "into one that inherits the line": page(
    SESSION("operator", "requires task"),
    "session night extends operator {}",
    TASK,
    INGRESS("«night»"),
  ),
  "into a task with parameters": [
    page(SESSION("operator"), "task tidy(folder: text) in operator { only Files.read }", INGRESS("«operator.tidy»")),
    "the task `operator.tidy` has parameters, whose values only a person may choose; name a task without parameters",
  ],
});

expectAccepted("an ingress that begins something", {
  "a session that requires no task": page(SESSION("operator"), TASK, INGRESS("operator")),
  "a task, also of a session that requires one": page(SESSION("operator", "requires task"), TASK, INGRESS("triage")),
});
