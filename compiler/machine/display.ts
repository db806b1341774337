// Chooses the display of a machine's own screen: a window, if this computer can show windows. Otherwise the screen is
// shown as text in the terminal, which only works with BIOS.

import { spawnSync } from "node:child_process";
import type { Result } from "../../engine/lib/result/result.ts";
import type { FirmwareName } from "./firmware.ts";
import type { Display } from "./qemu.ts";

interface Seat {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly inputIsTerminal: boolean;
  readonly firmware: FirmwareName;
}

const WINDOWS = ["gtk", "sdl"] as const;

/**
 * Chooses the display of the guest's screen: a window if QEMU can open one, otherwise, with BIOS, text in the terminal.
 * Fails with the reason if neither is possible. `known` contains the displays that this QEMU supports.
 */
export function chooseDisplay(
  { environment, inputIsTerminal, firmware }: Seat,
  known: readonly string[],
): Result<Display> {
  const hasWindows = [environment["DISPLAY"], environment["WAYLAND_DISPLAY"]].some((name) => (name ?? "") !== "");
  const window = hasWindows ? WINDOWS.find((name) => known.includes(name)) : undefined;
  if (window !== undefined) return { ok: true, value: window };
  if (firmware === "bios" && inputIsTerminal && known.includes("curses")) return { ok: true, value: "curses" };
  const without = hasWindows ? "QEMU opens none without Debian's package qemu-system-gui" : "there are none here";
  return {
    ok: false,
    reason: `the image's console is its screen, which is drawn in a window, and ${without}: ${INSTEAD}`,
  };
}

const INSTEAD = "with --firmware bios it can be text in a terminal, and a page with `console serial` needs no screen";

export function listDisplays(qemu: string): readonly string[] {
  const { stdout } = spawnSync(qemu, ["-display", "help"], { encoding: "utf8" });
  return (stdout ?? "").split("\n").map((line) => line.trim());
}
