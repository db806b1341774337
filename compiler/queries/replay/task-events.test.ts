import { expect, test } from "vitest";
import { parseEvent } from "./events.ts";

test("parses a step into a task with and without the values of its parameters", () => {
  const read = (detail: string) => parseEvent("task", detail);
  const values = '{"limit":"100","recipient":"ACME: } GmbH"}';
  for (const detail of ["pay in phase look: auto", `pay in phase look with ${values}: auto`])
    expect(read(detail)).toMatchObject({ step: { task: "pay", phase: "look" }, was: { answer: "auto", isMade: true } });
  for (const consented of ["consented", "consented after 900 ms at console"])
    expect(read(`pay with ${values}: ${consented}`)).toMatchObject({
      step: { task: "pay", phase: "" },
      was: { answer: "consent" },
    });
});
