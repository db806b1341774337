import type { Model } from "../../../bind/index.ts";
import { defineLaw, type Report } from "../../law.ts";
import { serviceWithoutState, stateWithoutStorage, storageUnused, storageWithoutDisk, wrongDiskName } from "./codes.ts";

/** The longest label of ext4. */
const DISK_NAME = /^[A-Za-z0-9_-]{1,16}$/;

/** Interfaces that are nothing without a directory. */
const KEEPS_FILES = new Set(["Files"]);

/** State is kept on the disk that the page names, and the disk is there for state. */
export const rule = defineLaw({
  reports: [serviceWithoutState, stateWithoutStorage, storageUnused, storageWithoutDisk, wrongDiskName],
  check: ({ model, trees }, report) => {
    const written = trees
      .flatMap((tree) => tree.items.flatMap((item) => (item.kind === "system" ? item.items : [item])))
      .find((item) => item.kind === "storage");
    checkServices(model, written !== undefined, report);
    if (written === undefined || written.kind !== "storage" || written.damaged) return;
    const { storage } = model;
    if (storage === undefined) {
      if (!written.settings.some(({ name }) => name.text === "disk")) report(storageWithoutDisk.at(written.span, {}));
      return;
    }
    if (!DISK_NAME.test(storage.disk)) report(wrongDiskName.at(written.span, { disk: storage.disk }));
    const used = model.services.some(({ node }) => node.attributes.some(({ kind }) => kind === "state"));
    if (!used && !model.damaged) report(storageUnused.at(written.span, {}));
  },
});

function checkServices(model: Model, hasStorage: boolean, report: Report): void {
  for (const { name, node, interface: face } of model.services) {
    const at = node.name.span;
    const state = node.attributes.find((attribute) => attribute.kind === "state");
    if (state === undefined && KEEPS_FILES.has(face.name) && !node.damaged) {
      report(serviceWithoutState.at(at, { service: name }));
    }
    if (state !== undefined && !hasStorage && !model.damaged)
      report(stateWithoutStorage.at(state.span, { service: name }));
  }
}
