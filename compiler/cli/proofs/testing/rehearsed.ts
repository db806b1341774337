// Plays a script against a rehearsal instead of a machine: the same player types, and the console's output is simulated.

import type { Rehearsal, Scene } from "../../../dev/in-process/rehearsal.ts";
import { playScript, type Signer } from "../../../machine/chat/play.ts";
import type { Script } from "../../../machine/chat/script.ts";
import type { Verdict } from "../../../machine/chat/verdict.ts";

const LETTERS = "abc";

/** Plays a script on the rehearsal, and returns the verdicts of its claims. */
export async function playRehearsed(stage: Rehearsal, script: Script, sign: Signer): Promise<readonly Verdict[]> {
  const play = playScript(script, sign);
  const draw = (text: string): void => void play.see({ kind: "line", text });
  let scene: Scene = stage;
  for (;;) {
    const typed = play.see({ kind: "asks", for: "line" })?.replace(/\r$/, "") ?? "/exit";
    if (typed === "/exit") return play.end();
    const [, name = "", argument = ""] = /^\/(\w+) ?(.*)$/.exec(typed) ?? [];
    if (name === "session") {
      scene = stage.scene(argument);
      draw(`* session ${argument}`);
    } else if (name === "") await say(scene, typed, draw);
    else await command(scene, name, argument, play.see, draw);
  }
}

async function say(scene: Scene, line: string, draw: (text: string) => void): Promise<void> {
  for (const drawn of await scene.console.say(line)) {
    if (drawn.what !== "text") continue;
    for (const each of drawn.text.split("\n")) draw(`${drawn.speaker === "model" ? "agent> " : "* "}${each}`);
  }
}

type See = ReturnType<typeof playScript>["see"];

async function command(
  scene: Scene,
  name: string,
  argument: string,
  see: See,
  draw: (text: string) => void,
): Promise<void> {
  const answered = (challenge: string): string => {
    const asks =
      challenge === ""
        ? ({ kind: "asks", for: "approval", letters: LETTERS } as const)
        : ({ kind: "asks", for: "signature", challenge } as const);
    const typed = see(asks) ?? "";
    if (challenge !== "") draw("* signature taken");
    else if (typed === `${LETTERS}\r`) draw("* allowed");
    else throw new Error(`a question was answered with ${JSON.stringify(typed)}`);
    return challenge === "" ? "" : typed.replaceAll("\r", "\n");
  };
  scene.console.answers.push(answered);
  for (const line of await scene.command(name, argument)) draw(`* ${line}`);
  scene.console.answers.length = 0;
}
