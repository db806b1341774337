import { expect, test } from "vitest";
import { chooseDisplay } from "./display.ts";

const SEAT = { environment: {}, inputIsTerminal: true, firmware: "bios" } as const;
const WINDOWS = { DISPLAY: ":0" };
const ALL = ["none", "gtk", "sdl", "curses"];

test("a screen is a window if possible, and otherwise text in the terminal", () => {
  expect(chooseDisplay({ ...SEAT, environment: WINDOWS }, ALL)).toEqual({ ok: true, value: "gtk" });
  expect(chooseDisplay({ ...SEAT, environment: WINDOWS }, ["sdl"])).toEqual({ ok: true, value: "sdl" });
  expect(chooseDisplay(SEAT, ALL)).toEqual({ ok: true, value: "curses" });
  expect(chooseDisplay({ ...SEAT, environment: WINDOWS }, ["curses"])).toEqual({ ok: true, value: "curses" });
});

test.each([
  ["UEFI draws no text", { ...SEAT, firmware: "uefi" } as const, ALL, "there are none here"],
  ["there is no terminal", { ...SEAT, inputIsTerminal: false }, ALL, "there are none here"],
  ["QEMU has no windows", { ...SEAT, environment: WINDOWS, firmware: "uefi" } as const, ["curses"], "qemu-system-gui"],
])("a screen that cannot be shown is refused, with a hint: %s", (_, seat, known, why) => {
  const found = chooseDisplay(seat, known);
  expect(found).toMatchObject({ ok: false, reason: expect.stringContaining(why) });
  expect(found).toMatchObject({ reason: expect.stringContaining("`console serial`") });
});
