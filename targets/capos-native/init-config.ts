// Builds `initConfig`, which states which program holds which capability. No schema describes the form of this value. The form follows the
// decoding code of the crate capos-config 0.1.0 (src/manifest.rs, FromCueValue of InitBootstrapConfig, ServiceEntry, CapRef). Upstream's
// default values are left out.

import type { CueValue } from "../../engine/lib/wire/upstream/generated/upstream.ts";
import type { UpstreamCap, UpstreamPlan, UpstreamService } from "../contract/upstream-plan.ts";
import { createCueList, createCueNumber, createCueRecord, createCueText } from "./cue.ts";

/** Name of the first process. Upstream's documentation requires that the first process is the program `init`, which the kernel contains. */
const INIT_BINARY = "init";

export function initConfigOf({ init, services, exits }: UpstreamPlan): CueValue {
  return createCueRecord({
    init: createCueRecord({ binary: createCueText(INIT_BINARY), caps: createCueList(init.map(encodeCap)) }),
    services: services.length === 0 ? undefined : createCueList(services.map(encodeService)),
    exitWhenServiceExits: exits === "" ? undefined : createCueText(exits),
  });
}

function encodeService({ name, binary, caps, exports, restart }: UpstreamService): CueValue {
  return createCueRecord({
    name: createCueText(name),
    binary: createCueText(binary),
    caps: caps.length === 0 ? undefined : createCueList(caps.map(encodeCap)),
    exports: exports.length === 0 ? undefined : createCueList(exports.map(createCueText)),
    restart: restart === "never" ? undefined : createCueText(restart),
  });
}

function encodeCap({ name, source, badge, discloses }: UpstreamCap): CueValue {
  return createCueRecord({
    name: createCueText(name),
    source: encodeSource(source),
    badge: badge === 0n ? undefined : createCueNumber(badge),
    disclosureScope: discloses.length === 0 ? undefined : createCueList(discloses.map(createCueText)),
  });
}

function encodeSource(source: UpstreamCap["source"]): CueValue {
  switch (source.kind) {
    case "kernel":
      return createCueRecord({ kernel: createCueText(source.kernel.name) });
    case "service":
      return createCueRecord({
        service: createCueRecord({ service: createCueText(source.service), export: createCueText(source.export) }),
      });
  }
}
