// Random pages: a few services, backends and sessions, and assertions of every form about them.
import type { AnyAssertion, AnyPage } from "./any-page.ts";
import { CHECKS, METHODS } from "./interfaces.ts";
import { at, type Lattice, labelText, rangeText, topText } from "./random-labels.ts";
import { type Names, quotaText, sessionText, taskText, workerText } from "./sessions.ts";

type Face = keyof typeof METHODS;
const FACES: readonly Face[] = ["Store", "Desk", "Vault"];
const SESSIONS = ["day", "night", "visitor"];
/**
 * For each interface, the meanings that the page states for the arguments of its first method and of its second method.
 */
const MEANINGS = {
  Store: ["arg path is path", "arg path is path"],
  Desk: ["arg url is url", "arg line is text arg amount is money EUR"],
  Vault: ["", ""],
} as const satisfies Record<Face, readonly [string, string]>;

export function pageText(any: AnyPage): string {
  const { lattice } = any;
  const names = namesOf(any);
  const sessions = SESSIONS.slice(0, any.sessions.length);
  const places = any.task === null ? sessions : [...sessions, `${sessions[0]}.triage`];
  const worker = any.worker?.inTask === true && any.task !== null ? "day.triage" : "day";
  const lines = [
    ...latticeText(lattice),
    "category payments : destructive",
    ...factsText(any),
    ...any.services.map((_, index) => serviceText(any, index)),
    ...any.backends.map((_, index) => backendText(any, index)),
    ...any.sessions.map((session, index) => {
      const base = index === 0 || session.relation === "" ? undefined : "day";
      return sessionText(
        names,
        { name: at(SESSIONS, index), base, more: index === 0 ? requiredText(any) : "" },
        session,
      );
    }),
    ...written(any.task, (task) => taskText(names, "day", task, releasesText(any, names, sessions, "task"))),
    ...written(any.worker, (one) => workerText(names, worker, one, any.task)),
    ...written(
      any.ingress,
      ({ into, label }) => `ingress desk : mail into ${at(places, into)} label ${labelText(lattice, label)}`,
    ),
    ...releasesText(any, names, sessions, "page"),
    ...written(any.waived, ({ name, session }) => `waive ${name} ${whose(sessions, session)} because "CHG-1"`),
    ...any.assertions.map((assertion) => assertionText(names, any, places, assertion)),
    "image { target linux  machine vm  boot day }",
  ];
  return `system sample version "1.0.0" {\n${lines.join("\n")}\n}`;
}

/** Returns `requires task` if `requires` is 0 and every session that inherits this line has the task; otherwise an empty text. */
function requiredText({ requires, task, sessions }: AnyPage): string {
  const isHad = task !== null && sessions.every(({ relation }, index) => index === 0 || relation !== "from");
  return requires === 0 && isHad ? "requires task" : "";
}

function written<T>(part: T | null, textOf: (part: T) => string): string[] {
  return part === null ? [] : [textOf(part)];
}

function whose(places: readonly string[], index: number | null): string {
  return index === null ? "" : `for ${at(places, index)}`;
}

function backendText({ backends, lattice }: AnyPage, index: number): string {
  const { remote, clearance, high } = at(backends, index);
  const kind = remote ? 'remote openai "https://llm.example"' : "stub";
  return `backend b${index} { ${kind} clearance ${high ? topText(lattice) : labelText(lattice, clearance)} }`;
}

function latticeText({ confidentiality, integrity, compartments }: Lattice): string[] {
  const sets = compartments.length === 0 ? [] : [`compartments { ${compartments.join(", ")} }`];
  return [`confidentiality { ${confidentiality.join(" < ")} }`, `integrity { ${integrity.join(" < ")} }`, ...sets];
}

function factsText({ facts, lattice }: AnyPage): string[] {
  return FACES.map((face, index) => {
    const { changing, reading, returns, sends } = at(facts, index);
    const [first, second] = METHODS[face];
    const sent = sends === null ? "" : `sends ${sends.high ? topText(lattice) : labelText(lattice, sends.label)}`;
    const given = returns === null ? "" : `returns ${rangeText(lattice, returns)}`;
    const methods = [
      `method ${first} : ${reading} ${MEANINGS[face][0]} ${given} ${sent}`,
      `method ${second} : ${changing} ${MEANINGS[face][1]} ${sent}`,
    ];
    return `interface ${face} {\n${methods.join("\n")}\n}`;
  });
}

function serviceText({ services, lattice }: AnyPage, index: number): string {
  const service = at(services, index);
  const used = service.uses === null ? index : service.uses % services.length;
  // Grant only a service that is declared earlier, so that no cycle arises.
  const grants = [...(service.networked ? ["grant Fetch"] : []), ...(used < index ? [`grant s${used}`] : [])];
  const label = service.label === null ? "" : `label ${rangeText(lattice, service.label)}`;
  return `service s${index} : ${at(FACES, service.face)} { ${label} ${grants.join(" ")} }`;
}

function namesOf({ lattice, services, backends }: AnyPage): Names {
  const methods = new Map<string, string>();
  const patterns = ["*", "readOnly", "mutatingLocal", "destructive", "outboundNet"];
  for (const [index, { face }] of services.entries()) {
    const name = at(FACES, face);
    patterns.push(`s${index}.*`, `${name}.*`);
    for (const method of METHODS[name]) {
      for (const pattern of [`s${index}.${method}`, `${name}.${method}`]) {
        methods.set(pattern, `${name}.${method}`);
        patterns.push(pattern);
      }
    }
  }
  return {
    lattice,
    patterns: [...new Set(patterns)],
    methods,
    backends: backends.map((_, index) => `b${index}`),
    checks: CHECKS,
  };
}

function releasesText(
  { releases, lattice, task }: AnyPage,
  { methods }: Names,
  sessions: readonly string[],
  where: "page" | "task",
): string[] {
  const written = releases.filter(({ inTask }) => (where === "task") === (inTask && task !== null));
  return written.map(({ act, pattern, from, high, to, gate, session }) => {
    const labels = `from ${high ? topText(lattice) : labelText(lattice, from)} to ${labelText(lattice, to)}`;
    return `${act} ${at([...methods.keys()], pattern)} ${labels} by ${gate} ${whose(sessions, session)} because "CHG-2"`;
  });
}

function assertionText(names: Names, any: AnyPage, places: readonly string[], assertion: AnyAssertion): string {
  const patterns = assertion.patterns.map((index) => at(names.patterns, index)).join(", ");
  const targets = [...names.backends, ...any.services.flatMap(({ face }, index) => [`s${index}`, at(FACES, face)])];
  // `target` is the sink of a claim about flows. For a claim about calls, `target` only decides whether the claim has
  // the word `directly`.
  const directly = assertion.target % 2 === 1 ? " directly" : "";
  const claims = {
    flow: `never flow ${labelText(names.lattice, assertion.label)} to ${at(targets, assertion.target)}`,
    trifecta: "never trifecta",
    call: `never call ${patterns}${directly}`,
    ungated: `never call ${patterns} ungated${directly}`,
    always: `always ${assertion.mode} ${patterns}${directly}`,
    limit: `limit ${quotaText(assertion.quota)}`,
  };
  const strictly = assertion.withoutReleases && assertion.form !== "limit" ? "without releases" : "";
  return `assert ${claims[assertion.form]} ${whose(places, assertion.subject)} ${strictly}`;
}
