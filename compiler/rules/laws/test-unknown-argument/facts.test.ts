import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const test = (step: string) => renderFactsPage({ top: `test "a" { as operator  ${step} }` });

expectRefused("test-unknown-argument", {
  "a misspelt name": test('call notes.read { «paht»: "a" } expect auto'),
  "one in quotes": test('call notes.read { «"paht"»: "a" } expect auto'),
  "two of them": test('call notes.read { «one»: "a", path: "a", «two»: 1 } expect auto'),
  "one in a call that is to be refused by the page": test('call notes.read { «paht»: "a" } expect forbidden'),
});

expectAccepted("test-unknown-argument, kept", {
  "names of the tool": test('call notes.read { path: "a" } expect auto'),
  "a wrong value": test("call notes.read { path: 1 } expect invalidArguments"),
  "a name that is meant to be wrong": test('call notes.read { paht: "a" } expect invalidArguments'),
  "a call of no tool": test('call no.tool { paht: "a" } expect unknownTool'),
});
