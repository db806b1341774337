import type { Name } from "../../../lang/tree/index.ts";
import type { BoundUpstream } from "./model/index.ts";

/** Settings that an image of `target capos` may have in addition to `target` and `boot`. */
export const UPSTREAM_SETTINGS = [
  "kernel",
  "limine",
  "init",
  "hostname",
  "motd",
  "log",
  "restart",
  "exits",
  "tables",
] as const;
type UpstreamSetting = (typeof UPSTREAM_SETTINGS)[number];

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** Returns the settings unchanged: laws, which know the services, resolve their names. */
export function bindUpstream(
  single: (name: UpstreamSetting) => Name | undefined,
  all: (name: UpstreamSetting) => readonly Name[],
  worded: (name: "log" | "tables") => Name | undefined,
): BoundUpstream {
  return {
    kernel: single("kernel"),
    limine: single("limine"),
    init: all("init"),
    hostname: single("hostname"),
    motd: single("motd"),
    log: worded("log"),
    restart: all("restart"),
    exits: single("exits"),
    tables: worded("tables"),
  };
}
