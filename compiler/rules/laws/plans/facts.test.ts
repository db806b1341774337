import { BESIDE, expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const QUOTA = "quota { 100 calls per hour  12 prompts per hour }";
const ROBOTS = (rest = "", quota = QUOTA) =>
  `session robots { kind service  ${rest}  permit { auto readOnly  consent mutatingLocal  forbidden destructive }
     suppress ActionPlans.*  ${quota} }`;
const OPERATOR = "session operator { kind operator  models { auto canned }  permit { auto ActionPlans.submit } }";
const FILES = "service notes : Files { state 1 MiB }";
const PLANS = (rest: string, name = "plans") => `service ${name} : ActionPlans { ${rest} }`;
const LABEL = "label public/reviewed";

/** Returns a page with action plans. The marks «», which show where a finding is expected, stay in the text. */
const plans = (rest: string, sessions = ROBOTS(), name = "plans", more = "") =>
  renderFactsPage({ services: `${FILES} ${more} ${PLANS(rest, name)}`, sessions: `${OPERATOR} ${sessions}` });

expectRefused("plans-without-session", {
  "no grant": [plans(LABEL, "", "«plans»"), "has no grant of a session"],
  "two sessions": plans(
    `${LABEL}  grant robots  grant others`,
    `${ROBOTS()} ${ROBOTS("models { auto canned }").replace("robots", "others")}`,
    "«plans»",
  ),
  "a grant of a session with a scope": [
    plans(`${LABEL}  grant robots scope "/a"`, ROBOTS(), "«plans»"),
    "must have exactly one grant, of a whole session",
  ],
  "an interface": plans(`${LABEL}  grant Files`, "", "«plans»"),
});

expectRefused("unknown-name", {
  "a service instead of a session": plans(`${LABEL}  grant «notes»`),
});

const PROGRAM = {
  ...BESIDE,
  "/clerk.js": "export default { post() {} }",
  "/plans.js": "export default { submit() {} }",
};

expectRefused(
  "plans-session-unfit",
  {
    "a session with a model": [
      plans(`${LABEL}  grant «robots»`, ROBOTS("models { auto canned }")),
      "has a model; leave `models` out: only plans propose calls in this session",
    ],
    "an abstract session": [
      plans(`${LABEL}  grant «robots»`, ROBOTS().replace("session robots", "abstract session robots")),
      "is abstract; name a session that is not abstract",
    ],
    "the session that boots": [
      plans(`${LABEL}  grant «operator»`, "").replace(
        "ActionPlans.submit }",
        `ActionPlans.submit  auto notes.read } quota { 100 calls per hour  12 prompts per hour }`,
      ),
      "is the boot session; boot a session for people",
    ],
    "a session with a login": [
      plans(
        `${LABEL}  grant «robots»`,
        `principal alice { ssh "keys/alice.pub" } ${ROBOTS("principals alice  login key")}`,
      ),
      "needs a login, which no person can do there; leave `login` out; `stepUp` asks a principal for a signature",
    ],
    "a session that another service already has": [
      plans(`${LABEL}  grant «robots»`, ROBOTS(), "second", PLANS(`${LABEL}  grant robots`)),
      "another service uses already; give each of them a session of its own",
    ],
    "a session that can submit plans": [
      plans(`${LABEL}  grant «robots»`, ROBOTS().replace("suppress ActionPlans.*", "")),
      "may itself call `plans.submit`; suppress `plans.*` there",
    ],
    "a session that can submit plans through a program of the page": plans(
      `${LABEL}  grant «robots»`,
      ROBOTS(),
      "plans",
      'service clerk : Board { exec "clerk.js"  grant plans  label public/reviewed }  interface Board { method post : mutatingLocal }',
    ),
  },
  PROGRAM,
);

expectRefused("session-without-model", {
  "another session without a model": plans(
    `${LABEL}  grant robots`,
    `${ROBOTS()} ${ROBOTS().replace("robots", "«silent»")}`,
  ),
});

expectRefused("plans-label", {
  "a service without a label": plans("grant robots", ROBOTS(), "«plans»"),
  "a range": [
    plans("label public/reviewed .. internal/reviewed  grant robots", ROBOTS(), "«plans»"),
    "public/reviewed .. internal/reviewed",
  ],
  "a session with another label at its start": plans(
    `${LABEL}  grant robots`,
    ROBOTS("starts public/untrusted"),
    "«plans»",
  ),
});

expectRefused("plans-unbounded", {
  "a quota per turn, which does not limit plans": plans(
    `${LABEL}  grant robots`,
    ROBOTS("", "quota { 100 calls per turn  12 prompts per hour }").replace("session robots", "session «robots»"),
  ),
});

expectAccepted(
  "plans, kept",
  {
    "a session with a principal who signs": plans(
      `${LABEL}  grant robots`,
      `principal alice { ssh "keys/alice.pub" } ${ROBOTS("principals alice").replace("consent mutatingLocal", "stepUp mutatingLocal")}`,
    ),
    "a session of its own": plans(`${LABEL}  grant robots`),
    "a label that equals the one at the session's start": plans(
      "label public/untrusted  grant robots",
      ROBOTS("starts public/untrusted"),
    ),
    "a session with the name of a service": plans(
      `${LABEL}  grant notes`,
      ROBOTS().replace("session robots", "session notes"),
    ),
    "a program of the page with that interface and a grant of a service": renderFactsPage({
      services: `${FILES} service plans : ActionPlans { exec "plans.js"  grant notes }`,
      sessions: OPERATOR,
    }),
  },
  PROGRAM,
);

expectUnsaid("plans-without-session", {
  "a grant of an unknown name": plans(`${LABEL}  grant robot`),
  "a grant of an unknown name beside another one": plans(`${LABEL}  grant robots  grant robot`),
  "a syntax error in the page": plans(LABEL, `${ROBOTS()} sessio`),
});

expectUnsaid("plans-unbounded", {
  "a syntax error in the session": plans(`${LABEL}  grant robots`, ROBOTS("", "quot { 100 calls per hour }")),
  "a session that does not execute plans": renderFactsPage({ permit: "auto readOnly  consent readOnly" }),
});

const CUT_OFF = { "/robots.cap": "session robots { kind service  models { auto } }" };

expectUnsaid(
  "plans-unbounded",
  { "a session with a syntax error in another file": plans(`${LABEL}  grant robots`, 'use "robots.cap"') },
  CUT_OFF,
);
