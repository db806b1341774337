import { getText, makeSpan } from "../../../lang/text/index.ts";
import type { Name } from "../../../lang/tree/index.ts";
import { type Context, noteUse } from "./context.ts";
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

/** Returns the settings unchanged. Laws resolve the names in them later, because services are not bound yet. */
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

/** Reads a value of the setting `restart`, such as `NAME on-failure`. */
export function restartWords({ text }: Name): { readonly service: string; readonly when: string } {
  const [, service = text, when = ""] = /^(.*) (\S+)$/s.exec(text) ?? [];
  return { service, when };
}

/**
 * Records the uses of services in `restart` and `exits`, so that an editor renames them too. Laws report unknown
 * services.
 */
export function noteServices(context: Context, { restart, exits }: BoundUpstream, services: ReadonlySet<string>): void {
  if (exits !== undefined && services.has(exits.text)) noteUse(context, "service", exits.text, exits.span);
  for (const at of restart) {
    const { service } = restartWords(at);
    const { source, start, end } = at.span;
    const quotes = getText(at.span).startsWith('"') ? 1 : 0;
    const span = makeSpan(source, start + quotes, Math.min(end, start + quotes + service.length));
    // A name in quotes may contain an escape sequence. On the page it is then longer than the service's name, so its
    // place is not recorded.
    if (services.has(service) && getText(span) === service) noteUse(context, "service", service, span);
  }
}
