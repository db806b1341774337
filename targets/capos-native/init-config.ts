// `initConfig`: which program holds what. No schema fixes this shape, only the decoding code of the crate capos-config 0.1.0
// (src/manifest.rs, FromCueValue of InitBootstrapConfig, ServiceEntry, CapRef). What is as upstream assumes is left out.

import type { CueValue } from "../../engine/lib/wire/upstream/generated/upstream.ts";
import type { UpstreamCap, UpstreamPlan, UpstreamService } from "../contract/upstream-plan.ts";
import { cueList, cueNumber, cueRecord, cueText } from "./cue.ts";

/** The first process is the one that the kernel carries, as upstream's documentation asks for. */
const INIT_BINARY = "init";

export function initConfigOf({ init, services, exits }: UpstreamPlan): CueValue {
  return cueRecord({
    init: cueRecord({ binary: cueText(INIT_BINARY), caps: cueList(init.map(capOf)) }),
    services: services.length === 0 ? undefined : cueList(services.map(serviceOf)),
    exitWhenServiceExits: exits === "" ? undefined : cueText(exits),
  });
}

function serviceOf({ name, binary, caps, exports, restart }: UpstreamService): CueValue {
  return cueRecord({
    name: cueText(name),
    binary: cueText(binary),
    caps: caps.length === 0 ? undefined : cueList(caps.map(capOf)),
    exports: exports.length === 0 ? undefined : cueList(exports.map(cueText)),
    restart: restart === "never" ? undefined : cueText(restart),
  });
}

function capOf({ name, source, badge, discloses }: UpstreamCap): CueValue {
  return cueRecord({
    name: cueText(name),
    source: sourceOf(source),
    badge: badge === 0n ? undefined : cueNumber(badge),
    disclosureScope: discloses.length === 0 ? undefined : cueList(discloses.map(cueText)),
  });
}

function sourceOf(source: UpstreamCap["source"]): CueValue {
  switch (source.kind) {
    case "kernel":
      return cueRecord({ kernel: cueText(source.kernel.name) });
    case "service":
      return cueRecord({
        service: cueRecord({ service: cueText(source.service), export: cueText(source.export) }),
      });
  }
}
