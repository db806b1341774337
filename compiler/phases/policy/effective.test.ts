import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import {
  computeRemembering,
  computeTimeLimits,
  findFirstUnasked,
  getClearance,
  getModels,
  getPrincipals,
  getQuotas,
  getSessionKind,
  getStartLabel,
  getTimeouts,
} from "./effective.ts";
import { enumeratePlaces } from "./places.ts";

const DAY = `abstract session day { kind operator  principals alice  clearance internal  starts secret
  models { auto canned }  permit { auto readOnly }  timeout { 5 s per call  9 s per turn } }`;

/** Returns the session `operator` of a page with these texts of the sessions `operator` and `day`. */
async function operatorOf(operator: string, day = DAY) {
  const { sessions } = await bindModel(
    renderFactsPage({
      top: 'principal alice { ssh "keys/alice.pub" }  principal bob { ssh "keys/bob.pub" }',
      backends: "backend canned { stub }  backend spare { stub }  backend other { stub }",
      sessions: `${day} session operator ${operator}`,
    }),
  );
  const found = sessions.find(({ id }) => id === "operator");
  if (found === undefined) throw new Error("the page has an operator");
  return found;
}

test("a session inherits each missing setting from the nearest base that has it", async () => {
  const heir = await operatorOf("extends day {}");
  expect(getSessionKind(heir)?.name).toBe("operator");
  expect(getPrincipals(heir).map(({ name }) => name)).toEqual(["alice"]);
  expect([getClearance(heir)?.confidentiality, getStartLabel(heir)?.confidentiality]).toEqual([1, 2]);
  const own = await operatorOf("extends day { kind guest  principals bob  clearance public  starts public }");
  expect(getSessionKind(own)?.name).toBe("guest");
  expect(getPrincipals(own).map(({ name }) => name)).toEqual(["bob"]);
  expect([getClearance(own)?.confidentiality, getStartLabel(own)?.confidentiality]).toEqual([0, 0]);
});

test("a setting that the session and its bases lack is undefined or empty", async () => {
  const bare = await operatorOf("{}");
  expect([getSessionKind(bare), getClearance(bare), getStartLabel(bare)]).toEqual([undefined, undefined, undefined]);
  expect([getPrincipals(bare), getModels(bare), [...getQuotas(bare)], [...getTimeouts(bare)]]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

test("a clearance in a widening replaces the clearance of the session, and the last widening wins", async () => {
  const widen = (clearance: string) => `widen { ${clearance} } because "CHG-7: a week of audits"`;
  const clearance = async (...widenings: string[]) =>
    getClearance(await operatorOf(`extends day { clearance public  ${widenings.map(widen).join(" ")} }`))
      ?.confidentiality;
  expect(await clearance()).toBe(0);
  expect(await clearance("clearance secret")).toBe(2);
  expect(await clearance("clearance secret", "clearance internal")).toBe(1);
  expect(await clearance("clearance secret", "auto notes.list")).toBe(2);
  expect(await clearance("auto notes.list")).toBe(0);
});

test("a widening changes the mode of a backend in the list, and appends a backend that is not in the list", async () => {
  const operator = await operatorOf(`extends day { models { consent canned  auto other }
    widen { models { auto spare  auto canned } } because "CHG-5: a second one" }`);
  expect(getModels(operator).map(({ backend, mode }) => `${mode} ${backend.name}`)).toEqual([
    "auto canned",
    "auto other",
    "auto spare",
  ]);
});

test("timeouts are inherited separately for each scope", async () => {
  const operator = await operatorOf("extends day { timeout { 2 s per call  7 s per login } }");
  const limits = [...getTimeouts(operator)].map(([scope, { milliseconds }]) => [scope, milliseconds]);
  expect(Object.fromEntries(limits)).toEqual({ call: 2000, turn: 9000, login: 7000 });
});

test("ruling 15: a session that extends another session can only shorten the inherited `remember`, and a session declared `from` another session may replace it", async () => {
  const remembered = async (relation: string, own: string, base: string) => {
    const day = `session day { kind operator  models { auto canned }  permit { auto readOnly }  ${base} }`;
    const operator = await operatorOf(`${relation} day { ${own} }`, day);
    return computeRemembering({ session: operator, task: undefined, phase: undefined, worker: undefined, layers: [] });
  };
  const conversation = "remember conversation";
  expect(await remembered("extends", "remember turn", conversation)).toBe("turn");
  expect(await remembered("extends", conversation, "remember turn")).toBe("turn");
  expect(await remembered("extends", conversation, "")).toBe("none");
  expect(await remembered("extends", "", conversation)).toBe("conversation");
  expect(await remembered("from", conversation, "remember turn")).toBe("conversation");
  expect(await remembered("from", conversation, "")).toBe("conversation");
  expect(await remembered("from", "", "remember turn")).toBe("turn");
});

test("an inner layer cannot make a timeout longer", async () => {
  const model = await bindModel(
    renderFactsPage({
      sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly }  timeout { 2 s per call } }
        task t in operator { timeout { 5 s per call  5 s per turn }  phase a { timeout { 1 s per call  9 s per turn } } }`,
    }),
  );
  expect(enumeratePlaces(model).map((place) => Object.fromEntries(computeTimeLimits(place)))).toEqual([
    { call: 2000 },
    { call: 1000, turn: 5000 },
  ]);
});

test("a layer without `remember` does not change how long consent is remembered", async () => {
  const model = await bindModel(
    renderFactsPage({
      sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly }  remember conversation }
        task t in operator { phase a { remember turn }  phase b after consent {} }`,
    }),
  );
  expect(enumeratePlaces(model).map(computeRemembering)).toEqual(["conversation", "turn", "conversation"]);
});

test("the first backend that answers without a question is the first backend with mode `auto`, including backends of widenings", async () => {
  const first = async (models: string, widen = "") =>
    findFirstUnasked(await operatorOf(`extends day { models { ${models} } ${widen} }`))?.backend.name;
  expect(await first("consent canned  auto other  auto spare")).toBe("other");
  expect(await first("consent canned  stepUp other  forbidden spare")).toBeUndefined();
  expect(await first("consent canned", 'widen { models { auto spare } } because "CHG-5: a second one"')).toBe("spare");
});
