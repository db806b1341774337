import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const test = (step: string) => renderFactsPage({ top: `test "a" { as operator  ${step} }` });

expectRefused("test-unknown-argument", {
  "a misspelt name": test('call notes.read { «paht»: "a" } expect auto'),
  "a misspelt name in quotes": test('call notes.read { «"paht"»: "a" } expect auto'),
  "two misspelt names": test('call notes.read { «one»: "a", path: "a", «two»: 1 } expect auto'),
  "a misspelt name in a call that the page forbids": test('call notes.read { «paht»: "a" } expect forbidden'),
});

expectAccepted("test-unknown-argument, kept", {
  "an argument of the tool": test('call notes.read { path: "a" } expect auto'),
  "a wrong value for an argument": test("call notes.read { path: 1 } expect invalidArguments"),
  "an unknown argument in a test that expects it to be refused": test(
    'call notes.read { paht: "a" } expect invalidArguments',
  ),
  "a call of an unknown tool": test('call no.tool { paht: "a" } expect unknownTool'),
});
