// A stage of `make test-images`: a whole conversation with capc's own weights, in a machine. On an emulated processor
// each token takes seconds, so the stage reports `not run`.

import { chooseAccelerator } from "../../machine/accelerator.ts";
import { findQemu } from "../../machine/qemu.ts";
import { boot, nameOf } from "./boot.ts";
import { type Stage, skipStage } from "./stage.ts";

/** Script with the speaking model, as a path relative to the checkout. */
export const SPEAKING = "examples/offline-agent/conversation.chat";

export function createSpeakingStage(image: string): Stage {
  return {
    name: nameOf(SPEAKING),
    run: async () => {
      const qemu = findQemu();
      const accelerator = qemu === undefined ? undefined : chooseAccelerator(qemu, undefined);
      if (accelerator?.name !== "kvm") return skipStage(accelerator?.because ?? "there is no QEMU");
      return boot(SPEAKING, image).run();
    },
  };
}
