// Tests claims that are neither proved nor refuted, each with its reason. Some of these claims would be proved if the
// prover did not ignore quotas.
import { expect, test } from "vitest";
import { foundOn, provenPage } from "./testing/render-proofs.ts";

const LOCAL = "backend b0 { stub clearance secret }";
const DAY = "session day { kind operator  clearance secret  models { auto b0 }";

test("a claim whose counterexamples only a quota blocks is undetermined, and the reason names the quota", async () => {
  const page = `${LOCAL} service s : Store { label secret/reviewed }  service w : Desk { grant Fetch }
    ${DAY} permit { auto readOnly, w.post } quota { 1 calls per conversation } }
    assert never flow secret to w
    assert never call w.post`;
  expect(await foundOn(page)).toEqual(["blocked only by quota `1 calls per conversation`", "day: w.post auto"]);
});

test("quotas count prompts before phases in the same way as prompts before calls", async () => {
  const page = `${LOCAL} service w : Desk { grant Fetch }
    ${DAY} permit { consent w.post } }
    task send in day { quota { 1 prompts per task }  phase look { }  phase post after consent { only w.post } }
    assert never call w.post for day.send`;
  expect(await foundOn(page)).toEqual(["day.send: w.post consent"]);
  const narrow = page.replace("phase look { }", "phase look { suppress w.* }");
  expect(await foundOn(narrow)).toEqual(["blocked only by quota `1 prompts per task`"]);
});

test("each step of a witness is a separate turn, so quotas per turn block nothing", async () => {
  const page = `${LOCAL} service s : Store { label secret/reviewed }  service w : Desk { grant Fetch }
    ${DAY} permit { auto readOnly, w.post } quota { 1 calls per turn } }
    assert never flow secret to w`;
  expect(await foundOn(page)).toEqual(["day: s.look auto → secret/reviewed, w.post auto"]);
});

test("arguments that were neither found nor ruled out prove nothing and refute nothing", async () => {
  const many = Array.from({ length: 13 }, (_, index) => `path == "p${index}"`).join(" and ");
  const page = `${LOCAL} service s : Store { label public/reviewed }
    ${DAY} permit { auto s.put where ${many} else forbidden } }
    assert never call s.put
    assert never call s.put for night`;
  const night = `session night { kind operator  models { auto b0 }  permit { auto s.put } }`;
  // The session `night` allows `s.put` without conditions, so a counterexample there needs no arguments. It is the
  // witness of both claims, even if a counterexample in `day` is shorter.
  expect(await foundOn(`${night} ${page}`)).toEqual(["night: s.put auto", "night: s.put auto"]);
  expect(await foundOn(page.replace(" for night", ""))).toEqual([
    "of s.put, more than 12 conditions decide about it",
    "of s.put, more than 12 conditions decide about it",
  ]);
});

/** Returns services, each with its own compartment, so that conversations may have any set of compartments. */
function apart(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  const services = names.map((name) => `service s${name} : Store { label secret:{${name}}/reviewed }`);
  return `compartments { ${names.join(", ")} } ${services.join("\n")}
    service all : Vault { label public/reviewed .. secret:{${names.join(", ")}}/untrusted }
    ${LOCAL} ${DAY} permit { auto readOnly } }`;
}

test("a row with too many labels is reported with its compartments, and a claim that was already refuted stays refuted", async () => {
  const found = await foundOn(`${apart(17)} assert never call all.drop  assert never call all.peek`);
  const names = Array.from({ length: 17 }, (_, index) => `c${index}`).toSorted();
  const why = `\`day\` has more than 65536 labels: its conversations may hold any of {${names.join(", ")}}`;
  expect(found).toEqual([why, "day: all.peek auto"]);
});

test("a search beyond its limit of steps reports this and stops", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
  const all = `secret:{${names.join(", ")}}`;
  const sessions = Array.from({ length: 60 }, (_, index) => `session d${index} extends day { }`);
  const page = `compartments { ${names.join(", ")} }  backend b0 { stub clearance ${all} }
    ${names.map((name) => `service s${name} : Store { label secret:{${name}}/reviewed }`).join("\n")}
    session day { kind operator  clearance ${all}  models { auto b0 }  permit { auto readOnly, mutatingLocal } }
    ${sessions.join("\n")}
    assert never flow secret:{c0} to sc1
    assert never call sc0.look`;
  const why = `there is more to look at than can be looked at: conversations may hold any of {${names.toSorted().join(", ")}}`;
  expect(await foundOn(page)).toEqual([why, "d0: sc0.look auto"]);
});

test("compartments that no label distinguishes count as one, however many there are", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `c${index}`).join(", ");
  const page = `compartments { ${names} }
    service all : Vault { label public/reviewed .. secret:{${names}}/untrusted }
    backend b0 { stub clearance secret:{${names}} }
    session day { kind operator  clearance secret:{${names}}  models { auto b0 }  permit { auto readOnly } }
    assert never call all.drop
    assert never flow secret:{${names}} to b0`;
  const { own, mergedLabels } = await provenPage(page);
  expect(own.map(({ verdict }) => verdict.kind)).toEqual(["proved", "refuted"]);
  expect(mergedLabels).toBe(12);
});
