import { BESIDE, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const QUOTA = "quota { 100 calls per hour  12 prompts per hour }";
const ROBOTS = (rest = "", quota = QUOTA) =>
  `session robots { kind service  ${rest}  permit { auto readOnly  consent mutatingLocal  forbidden destructive }
     suppress ActionPlans.*  ${quota} }`;
const OPERATOR = "session operator { kind operator  models { auto canned }  permit { auto ActionPlans.submit } }";
const FILES = "service notes : Files { state 1 MiB }";
const PLANS = (rest: string, name = "plans") => `service ${name} : ActionPlans { ${rest} }`;
const LABEL = "label public/reviewed";

/** Marks that stand within what is put together here. */
const plans = (rest: string, sessions = ROBOTS(), name = "plans", more = "") =>
  renderFactsPage({ services: `${FILES} ${more} ${PLANS(rest, name)}`, sessions: `${OPERATOR} ${sessions}` });

expectRefused("plans-without-session", {
  "no grant": plans(LABEL, "", "«plans»"),
  "two sessions": plans(
    `${LABEL}  grant robots  grant others`,
    `${ROBOTS()} ${ROBOTS("models { auto canned }").replace("robots", "others")}`,
    "«plans»",
  ),
  "a part of one": plans(`${LABEL}  grant robots scope "/a"`, ROBOTS(), "«plans»"),
  "an interface": plans(`${LABEL}  grant Files`, "", "«plans»"),
});

expectRefused("unknown-name", {
  "a service is no session": plans(`${LABEL}  grant «notes»`),
});

const PROGRAM = {
  ...BESIDE,
  "/clerk.js": "export default { post() {} }",
  "/plans.js": "export default { submit() {} }",
};

expectRefused(
  "plans-session-unfit",
  {
    "one that talks": plans(`${LABEL}  grant «robots»`, ROBOTS("models { auto canned }")),
    "the one that boots": plans(`${LABEL}  grant «operator»`, "").replace(
      "ActionPlans.submit }",
      `ActionPlans.submit  auto notes.read } quota { 100 calls per hour  12 prompts per hour }`,
    ),
    "one that nobody could log in to": plans(
      `${LABEL}  grant «robots»`,
      `principal alice { ssh "keys/alice.pub" } ${ROBOTS("principals alice  login key")}`,
    ),
    "one that is another's": plans(`${LABEL}  grant «robots»`, ROBOTS(), "second", PLANS(`${LABEL}  grant robots`)),
    "one that hands in plans itself": plans(`${LABEL}  grant «robots»`, ROBOTS().replace("suppress ActionPlans.*", "")),
    "one that hands them in through a program of the page": plans(
      `${LABEL}  grant «robots»`,
      ROBOTS(),
      "plans",
      'service clerk : Board { exec "clerk.js"  grant plans  label public/reviewed }  interface Board { method post : mutatingLocal }',
    ),
  },
  PROGRAM,
);

expectRefused("session-without-model", {
  "no other session is without one": plans(
    `${LABEL}  grant robots`,
    `${ROBOTS()} ${ROBOTS().replace("robots", "«silent»")}`,
  ),
});

expectRefused("plans-label", {
  "a service that says none": plans("grant robots", ROBOTS(), "«plans»"),
  "a range": plans("label public/reviewed .. internal/reviewed  grant robots", ROBOTS(), "«plans»"),
  "a session that starts elsewhere": plans(`${LABEL}  grant robots`, ROBOTS("starts public/untrusted"), "«plans»"),
});

expectRefused("plans-unbounded", {
  "a quota of a turn is none": plans(
    `${LABEL}  grant robots`,
    ROBOTS("", "quota { 100 calls per turn  12 prompts per hour }").replace("session robots", "session «robots»"),
  ),
});

expectAccepted(
  "plans, kept",
  {
    "a session in which a principal signs": plans(
      `${LABEL}  grant robots`,
      `principal alice { ssh "keys/alice.pub" } ${ROBOTS("principals alice").replace("consent mutatingLocal", "stepUp mutatingLocal")}`,
    ),
    "a session of its own": plans(`${LABEL}  grant robots`),
    "at the label that the session says": plans(
      "label public/untrusted  grant robots",
      ROBOTS("starts public/untrusted"),
    ),
    "a session may have a service's name": plans(
      `${LABEL}  grant notes`,
      ROBOTS().replace("session robots", "session notes"),
    ),
    "a program of the page with that interface is granted services": renderFactsPage({
      services: `${FILES} service plans : ActionPlans { exec "plans.js"  grant notes }`,
      sessions: OPERATOR,
    }),
  },
  PROGRAM,
);
