import { BESIDE, expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

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
  "no grant": [plans(LABEL, "", "«plans»"), "is granted no session"],
  "two sessions": plans(
    `${LABEL}  grant robots  grant others`,
    `${ROBOTS()} ${ROBOTS("models { auto canned }").replace("robots", "others")}`,
    "«plans»",
  ),
  "a part of one": [
    plans(`${LABEL}  grant robots scope "/a"`, ROBOTS(), "«plans»"),
    "is granted something else than one session, whole",
  ],
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
    "one that talks": [
      plans(`${LABEL}  grant «robots»`, ROBOTS("models { auto canned }")),
      "has a model; leave `models` out: what is proposed there comes from plans alone",
    ],
    "one that nobody can be in": [
      plans(`${LABEL}  grant «robots»`, ROBOTS().replace("session robots", "abstract session robots")),
      "nobody can be in; name a session that is not abstract",
    ],
    "the one that boots": [
      plans(`${LABEL}  grant «operator»`, "").replace(
        "ActionPlans.submit }",
        `ActionPlans.submit  auto notes.read } quota { 100 calls per hour  12 prompts per hour }`,
      ),
      "is the one that boots; boot a session that people are in",
    ],
    "one that nobody could log in to": [
      plans(
        `${LABEL}  grant «robots»`,
        `principal alice { ssh "keys/alice.pub" } ${ROBOTS("principals alice  login key")}`,
      ),
      "nobody could log in to; leave `login` out; `stepUp` asks a principal for a signature",
    ],
    "one that is another's": [
      plans(`${LABEL}  grant «robots»`, ROBOTS(), "second", PLANS(`${LABEL}  grant robots`)),
      "another service has already; give each of them a session of its own",
    ],
    "one that hands in plans itself": [
      plans(`${LABEL}  grant «robots»`, ROBOTS().replace("suppress ActionPlans.*", "")),
      "may itself call `plans.submit`; suppress `plans.*` there",
    ],
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
  "a range": [
    plans("label public/reviewed .. internal/reviewed  grant robots", ROBOTS(), "«plans»"),
    "public/reviewed .. internal/reviewed",
  ],
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

expectUnsaid("plans-without-session", {
  "beside a grant of what nobody knows": plans(`${LABEL}  grant robot`),
  "beside one of two grants of what nobody knows": plans(`${LABEL}  grant robots  grant robot`),
  "where part of the page was lost": plans(LABEL, `${ROBOTS()} sessio`),
});

expectUnsaid("plans-unbounded", {
  "where part of the page was lost": plans(`${LABEL}  grant robots`, ROBOTS("", "quot { 100 calls per hour }")),
  "of a session that no plans are executed in": renderFactsPage({ permit: "auto readOnly  consent readOnly" }),
});

const CUT_OFF = { "/robots.cap": "session robots { kind service  models { auto } }" };

expectUnsaid(
  "plans-unbounded",
  { "of a session that was cut off in a file of its own": plans(`${LABEL}  grant robots`, 'use "robots.cap"') },
  CUT_OFF,
);
