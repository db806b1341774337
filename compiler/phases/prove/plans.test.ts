// A plan makes another session act for the submitter, so claims about the submitter are also checked for that session.
import { expect, test } from "vitest";
import { isError } from "../../../lang/diagnostics/index.ts";
import { compilePage } from "../../dev/fixtures/facts.ts";
import { type Proof, prove } from "./index.ts";
import { told } from "./testing/render-proofs.ts";

interface Parts {
  readonly operator?: string;
  readonly robots?: string;
  readonly services?: string;
  readonly boss?: string;
  readonly kind?: string;
}

/**
 * A page with plans. By default the session `operator` must not call `papers.write`, but a plan that it submits may.
 */
const page = (parts: Parts, ...claims: readonly string[]) => `system sample version "1.0.0" {
  use std.tools
  service papers : Files { state 1 MiB  label public/reviewed }
  service plans : ActionPlans { label public/reviewed  grant robots }
  ${parts.services ?? ""}
  backend canned { stub clearance secret }
  session boss { kind operator  models { auto canned }  permit { auto readOnly  ${parts.boss ?? ""} } }
  session operator { kind ${parts.kind ?? "operator"}  models { auto canned }
    permit { ${parts.operator ?? "forbidden papers.write  auto plans.submit"} } }
  session robots { kind service
    permit { ${parts.robots ?? "auto papers.write  auto papers.read"} }
    suppress plans.*
    quota { 20 calls per hour  3 prompts per hour } }
  ${claims.map((claim) => `assert ${claim}`).join("\n  ")}
  storage { disk "capos-data" }  image { target linux  machine vm  boot boss }
}`;

async function proofsOf(
  text: string,
): Promise<{ own: string[]; inherited: Map<string, string>; all: readonly Proof[] }> {
  const { understood, diagnostics } = await compilePage(text, PROGRAM);
  const faults = diagnostics.filter(isError).filter(({ code }) => !VERDICTS.has(code));
  expect(faults.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  const lowered = understood?.lowered;
  if (lowered === undefined) throw new Error("the page means nothing");
  const { results } = prove(lowered.policy, understood?.model ?? never());
  const said = ({ verdict }: Proof) =>
    verdict.kind === "refuted" ? told(lowered.policy.tables.lattice, verdict.witness) : verdict.kind;
  return {
    own: results.filter(({ inherited }) => inherited === undefined).map(said),
    inherited: new Map(results.flatMap((one) => (one.inherited === undefined ? [] : [[one.inherited, said(one)]]))),
    all: results,
  };
}

function never(): never {
  throw new Error("no model");
}

const VERDICTS = new Set(["assertion-refuted", "flow-leak", "ungated-exit", "proof-undetermined"]);
const PROGRAM = { "/clerk.js": "export default { post() {}, wipe() {} }" };
const CLERK =
  'interface Board { method post : mutatingLocal  method wipe : readOnly }  service clerk : Board { exec "clerk.js"  label public/reviewed  grant plans }';

test("a plan that makes a call which its submitter must not make refutes the claim, and the witness contains the submission", async () => {
  const { own, all } = await proofsOf(page({}, "never call papers.write for operator"));
  expect(own).toEqual(["operator: plans.submit auto | robots: papers.write auto"]);
  const [{ verdict } = { verdict: undefined }] = all;
  expect(verdict?.kind === "refuted" && verdict.sentence).toBe(
    "`papers.write` runs at `auto` in `robots`, by a plan: `plans.submit` runs at `auto` in `operator` and hands it in",
  );
});

test("a claim is also refuted if a service that the session may use submits a plan that breaks the claim", async () => {
  const parts = { operator: "forbidden papers.write, plans.submit  consent clerk.post", services: CLERK };
  const { own } = await proofsOf(
    page(parts, "never call papers.write for operator", "never call papers.write ungated for operator"),
  );
  // The person who approves the clerk's call does not see the clerk's plan.
  const way = "operator: clerk.post consent | robots: papers.write auto";
  expect(own).toEqual([way, way]);
});

test("a call of a plan counts as approved if a person read the whole plan or approves the call itself", async () => {
  const claims = ["never call papers.write ungated for operator", "always stepUp papers.write for operator"];
  const asked = await proofsOf(page({ operator: "forbidden papers.write  consent plans.submit" }, ...claims));
  expect(asked.own).toEqual(["proved", "operator: plans.submit consent | robots: papers.write auto"]);
  const asking = await proofsOf(page({ robots: "consent papers.write" }, ...claims));
  expect(asking.own).toEqual(["proved", "operator: plans.submit auto | robots: papers.write consent"]);
});

test("a claim counts uses through grants of the services that a plan calls, and a proof about direct calls names these uses", async () => {
  const services = `service own : Files { exec "clerk.js"  label public/reviewed  grant papers }
    service clerk : Board { exec "clerk.js"  label public/reviewed  grant plans }
    interface Board { method post : mutatingLocal }`;
  const parts = { operator: "auto plans.submit, clerk.post", robots: "auto own.write", services };
  const claims = ["never call papers.write for operator", "never call papers.write directly for operator"];
  const { own, all } = await proofsOf(page(parts, ...claims));
  expect(own).toEqual(["operator: plans.submit auto | robots: own.write auto (papers.write)", "proved"]);
  const [first, second] = all.map(({ verdict }) => verdict);
  expect(first?.kind === "refuted" && first.sentence).toBe(
    "`own.write` runs at `auto` in `robots` and may use `papers.write` by a grant of `own`, by a plan: `plans.submit` runs at `auto` in `operator` and hands it in",
  );
  const way = "may hand in a plan that calls `own.write` in `robots`";
  expect(second?.kind === "proved" && second.uncounted).toEqual([`\`plans.submit\` ${way}`, `\`clerk.post\` ${way}`]);
});

test("a claim stays proved if no plan can break it, or if the session submits no plan", async () => {
  const claims = ["never call papers.write for operator", "never call papers.delete for operator"];
  const proved = ["proved", "proved"];
  const none = async (parts: Parts) => (await proofsOf(page(parts, ...claims))).own;
  expect(await none({ operator: "forbidden papers.write, plans.submit", boss: "auto plans.submit" })).toEqual(proved);
  expect(await none({ robots: "auto papers.read  forbidden papers.write" })).toEqual(proved);
  // The gate accepts no plan that deletes a file.
  expect(await none({ robots: "auto papers.delete  forbidden papers.write" })).toEqual(proved);
  // If two tools match an action, the gate accepts neither of them.
  const two = { services: "service others : Files { state 1 MiB  label public/reviewed }", robots: "auto Files.write" };
  expect(await none(two)).toEqual(proved);
});

test("the prover follows data that is released into a plan to the services that the plan writes", async () => {
  const secret = `service vault : Files { state 1 MiB  label secret/reviewed }
    declassify plans.submit from secret to public by consent for operator because "a test"`;
  const operator = "auto vault.read, plans.submit";
  const session = (rest: Parts) =>
    page(
      { services: secret, operator, ...rest },
      "never flow secret to papers for operator",
      "never flow secret to papers",
    ).replace("kind operator  models { auto canned }\n", "kind operator  clearance secret  models { auto canned }\n");
  expect((await proofsOf(session({}))).own).toEqual([
    "operator: vault.read auto → secret/reviewed, plans.submit consent released",
    "operator: vault.read auto → secret/reviewed, plans.submit consent released",
  ]);
  expect((await proofsOf(session({ robots: "auto papers.read" }))).own).toEqual(["proved", "proved"]);
});

test("in an anonymous session, a read-only call must not change data by submitting a plan", async () => {
  const found = async (robots: string) =>
    (await proofsOf(page({ kind: "anonymous", operator: "auto clerk.wipe", services: CLERK, robots }))).inherited.get(
      "anonymous-asks",
    );
  expect(await found("auto papers.write")).toBe("operator: clerk.wipe auto | robots: papers.write auto");
  expect(await found("consent papers.write")).toBe("proved");
});
