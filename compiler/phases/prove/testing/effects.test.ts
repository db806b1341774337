// Tests every pair of a call and an effect, in small random systems with services, grants, plans, a task and a worker. If a call of the
// session can cause an effect, the effect is never proved impossible, unless the assertion says `directly`.
//
// The test computes the effects from the generated choices only, and shares no code with the prover.
import fc from "fast-check";
import { expect, test } from "vitest";
import { reflectStandard } from "../../reflect/index.ts";
import { prove } from "../index.ts";
import { meaningOf } from "./compiled.ts";
import { DESCRIBED } from "./interfaces.ts";

type Mode = "auto" | "consent" | "stepUp" | "forbidden";
const STRICTNESS: readonly Mode[] = ["auto", "consent", "stepUp", "forbidden"];
const stricter = (one: Mode, other: Mode) => (STRICTNESS.indexOf(one) < STRICTNESS.indexOf(other) ? other : one);

/**
 * Services, each with its interface and the services of which it may have a grant. A service is declared after the
 * services in its list.
 */
const SERVICES = {
  papers: { face: "Files", grantable: [] },
  vault: { face: "Files", grantable: ["papers"] },
  changes: { face: "PatchSets", grantable: ["papers", "vault"] },
  plans: { face: "ActionPlans", grantable: [] },
  clerk: { face: "Vault", grantable: ["papers", "vault", "changes", "plans"] },
  desk: { face: "Store", grantable: ["changes", "plans", "clerk"] },
} as const;
type Name = keyof typeof SERVICES;
const NAMES = Object.keys(SERVICES) as Name[];

/** Methods of each interface, and whether they are read-only. */
const METHODS: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  Files: { read: true, list: true, write: false, delete: false },
  PatchSets: { list: true, show: true, propose: false, apply: false, discard: false },
  ActionPlans: { submit: false },
  Vault: { peek: true, drop: false },
  Store: { look: true, put: false },
};
const TOOLS = NAMES.flatMap((name) => Object.keys(METHODS[SERVICES[name].face] ?? {}).map((one) => `${name}.${one}`));

const anyModes = fc.array(fc.constantFrom<Mode>("auto", "consent", "stepUp", "forbidden", "forbidden"), {
  minLength: TOOLS.length,
  maxLength: TOOLS.length,
});
const anySystem = fc.record({
  grants: fc.record(
    Object.fromEntries(NAMES.map((name) => [name, fc.subarray([...SERVICES[name].grantable] as Name[])])) as {
      [name in Name]: fc.Arbitrary<Name[]>;
    },
  ),
  operator: anyModes,
  robots: anyModes,
  task: anyModes,
  worker: anyModes,
});
type AnySystem = typeof anySystem extends fc.Arbitrary<infer T> ? T : never;

/** The session and the task that the random assertions are about. */
const PLACES = ["operator", "operator.tidy"] as const;
const FORMS = ["", " ungated", " directly", " ungated directly"] as const;

function render(system: AnySystem): string {
  const permit = (modes: readonly Mode[]) => `permit { ${TOOLS.map((tool, at) => `${modes[at]} ${tool}`).join("  ")} }`;
  const services = NAMES.map((name) => {
    const granted = name === "plans" ? ["robots"] : grantsOf(system, name);
    // A service with a program of the page can store files and also have grants of other services. The patch store of
    // the image has a grant of exactly one file service.
    const exec = ["vault", "clerk", "desk"].includes(name) ? 'exec "own.js"' : "";
    const grants = granted.map((one) => `grant ${one}`).join("  ");
    return `service ${name} : ${SERVICES[name].face} { ${exec}  label public/reviewed  ${grants} }`;
  });
  const claims = PLACES.flatMap((place) =>
    TOOLS.flatMap((tool) => FORMS.map((form) => `assert never call ${tool}${form} for ${place}`)),
  );
  // An action of a plan names a method, such as `read`, and not a tool. If several advertised tools have the method,
  // the gate refuses the action. A forbidden tool is advertised too, so this page suppresses forbidden tools.
  const hidden = TOOLS.filter((tool) => modeOf(system.robots, tool) === "forbidden");
  return `system sample version "1.0.0" {
    use std.tools
    interface Vault { method peek : readOnly  method drop : destructive }
    interface Store { method look : readOnly  method put : mutatingLocal }
    ${services.join("\n")}
    backend canned { stub clearance secret }
    session operator { kind operator  models { auto canned }  ${permit(system.operator)} }
    task tidy in operator { ${permit(system.task)} }
    worker digest in operator.tidy { ${permit(system.worker)} }
    session robots { kind service  ${permit(system.robots)}  ${hidden.length === 0 ? "" : `suppress ${hidden.join(", ")}`} }
    ${claims.join("\n")}
    image { target linux  machine vm  boot operator }
  }`;
}

/** Returns the grants that the test chose for a service. The service `changes` accepts only one grant. */
function grantsOf({ grants }: AnySystem, name: Name): readonly Name[] {
  return name === "changes" ? grants.changes.slice(0, 1) : grants[name];
}

interface Effect {
  readonly tool: string;
  readonly gate: Mode;
}

const splitTool = (tool: string) => tool.split(".") as [Name, string];

function isReadOnly(tool: string): boolean {
  const [service, method] = splitTool(tool);
  return METHODS[SERVICES[service].face]?.[method] === true;
}

/**
 * Returns all effects of one call with this gate, including indirect ones. `by` is `session` if the session makes the
 * call itself, so that a person approved its arguments.
 */
function effectsOf(system: AnySystem, { tool, gate }: Effect, by: "session" | "service"): readonly Effect[] {
  const [service, method] = splitTool(tool);
  if (service === "plans") {
    const executed = ["read", "write"].flatMap((act) => {
      const files = (["papers", "vault"] as const).map((name) => `${name}.${act}`);
      const callable = files.filter((one) => modeOf(system.robots, one) !== "forbidden");
      return callable.length === 1 ? callable : [];
    });
    const acts = executed.flatMap((act) => {
      const mode = modeOf(system.robots, act);
      return effectsOf(system, { tool: act, gate: by === "session" ? stricter(gate, mode) : mode }, "session");
    });
    return [{ tool, gate }, ...acts];
  }
  if (SERVICES[service].face === "PatchSets") {
    if (method !== "apply") return [{ tool, gate }];
    const written = grantsOf(system, service).map((held) => `${held}.write`);
    return [{ tool, gate }, ...written.flatMap((one) => effectsOf(system, { tool: one, gate }, "service"))];
  }
  const usable = grantsOf(system, service).flatMap((held) => TOOLS.filter((one) => splitTool(one)[0] === held));
  const used = usable.flatMap((one) => {
    const effects = effectsOf(system, { tool: one, gate }, "service");
    if (!isReadOnly(tool) || isReadOnly(one)) return effects;
    // A read-only tool is assumed to change nothing in the services for which its own service has grants. But it may
    // submit a plan, whose actions can change other services.
    return one === "plans.submit" ? effects.slice(1) : [];
  });
  return [{ tool, gate }, ...used];
}

function modeOf(modes: readonly Mode[], tool: string): Mode {
  return modes[TOOLS.indexOf(tool)] ?? "forbidden";
}

/**
 * Returns the calls that the subject can make, with their modes. The function also returns the calls of the session's
 * task and worker, whose rules only narrow those of the session.
 */
function callsIn(system: AnySystem, place: (typeof PLACES)[number]): readonly Effect[] {
  return TOOLS.flatMap((tool) => {
    const own = modeOf(system.operator, tool);
    const inTask = stricter(own, modeOf(system.task, tool));
    const inWorker = stricter(inTask, modeOf(system.worker, tool));
    const modes = place === "operator" ? [own, inTask, inWorker] : [inTask, inWorker];
    return modes.filter((mode) => mode !== "forbidden").map((gate) => ({ tool, gate }));
  });
}

test("an effect that a call of the session can cause is never proved impossible, and a claim with `directly` covers only the session's own calls", async () => {
  const tally = { proved: 0, indirect: 0, cautious: 0 };
  await fc.assert(
    fc.asyncProperty(anySystem, async (system) => {
      const text = render(system);
      const own = DESCRIBED.filter(({ name }) => name === "Vault" || name === "Store");
      const others = reflectStandard().filter(({ name }) => !own.some((one) => one.name === name));
      const { policy, model } = await meaningOf(text, [...others, ...own], { "/own.js": "export default {};" });
      const verdicts = new Map(
        prove(policy, model)
          .results.filter(({ inherited }) => inherited === undefined)
          .map(({ words, verdict }) => [words, verdict.kind]),
      );
      const faults = PLACES.flatMap((place) => {
        const calls = callsIn(system, place);
        const all = calls.flatMap((call) => effectsOf(system, call, "session"));
        return TOOLS.flatMap((tool) =>
          FORMS.flatMap((form) => {
            const counted = form.includes("directly") ? calls : all;
            const found = counted.filter(
              (one) => one.tool === tool && (!form.includes("ungated") || one.gate === "auto"),
            );
            const words = `assert never call ${tool}${form} for ${place}`;
            const verdict = verdicts.get(words);
            if (verdict === "proved") tally.proved++;
            else if (!calls.some((one) => one.tool === tool)) tally.indirect++;
            // The prover assumes that a read-only tool can submit plans if any chain of grants leads to the plan
            // service. It does not check whether a read-only call can pass each service of the chain. So it may refute
            // a claim that holds.
            const isCautious = found.length === 0 && verdict === "refuted" && !form.includes("directly");
            if (isCautious) tally.cautious++;
            const isAgreed = verdict === (found.length > 0 ? "refuted" : "proved");
            return isAgreed || isCautious ? [] : [`${words}: ${verdict}`];
          }),
        );
      });
      expect({ text, faults }).toEqual({ text, faults: [] });
    }),
    { numRuns: Number(process.env["SYSTEMS"] ?? 40), seed: 6 },
  );
  expect(Math.min(tally.proved, tally.indirect)).toBeGreaterThan(100);
  expect(tally.cautious).toBeLessThan(tally.proved / 100);
}, 600_000);
