import { findLibraryService, IMPLEMENTATIONS } from "../../../../engine/lib/roles/index.ts";
import { listItems, type Model } from "../../../phases/bind/index.ts";
import type { Providers } from "../../../phases/policy/index.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import {
  serviceWithoutState,
  stateWithoutStorage,
  stateWithoutUse,
  storageWithoutDisk,
  wrongDiskName,
} from "./codes.ts";

/** Matches valid names of disks; an ext4 label has at most 16 characters. */
const DISK_NAME = /^[A-Za-z0-9_-]{1,16}$/;

/**
 * Checks that the page names a disk if services keep state. A disk without state is allowed, because the audit log is
 * stored on it too.
 */
export const rule = defineLaw({
  reports: [serviceWithoutState, stateWithoutStorage, stateWithoutUse, storageWithoutDisk, wrongDiskName],
  check: ({ model, trees, provided }, report) => {
    const written = trees.flatMap(listItems).find((item) => item.kind === "storage");
    checkServices(model, provided, report);
    if (written === undefined) checkNowhere(model, report);
    if (written === undefined || written.kind !== "storage" || written.damaged || model.damaged) return;
    const { storage } = model;
    if (storage === undefined) {
      if (!written.settings.some(({ name }) => name.text === "disk")) report(storageWithoutDisk.at(written.span, {}));
      return;
    }
    if (!DISK_NAME.test(storage.disk)) report(wrongDiskName.at(written.span, { disk: storage.disk }));
  },
});

function checkServices(model: Model, provided: Providers, report: Report): void {
  for (const { name, node, interface: face, exec } of model.services) {
    // A service with a program of the package is not checked: this program stores its own data, if the page gives it
    // a directory.
    if (exec !== undefined) continue;
    const at = node.name.span;
    const state = node.attributes.find((attribute) => attribute.kind === "state");
    if (state === undefined && findLibraryService(face.name)?.state === "must" && !node.damaged) {
      report(serviceWithoutState.at(at, { service: name }));
    }
    const provider = provided.get(face.name);
    const keeps =
      provider === undefined ||
      (IMPLEMENTATIONS[provider].keeps !== "nothing" && findLibraryService(face.name)?.state !== "none");
    if (state !== undefined && !keeps) {
      report(stateWithoutUse.at(state.span, { service: name, face: face.name }));
    }
  }
}

function checkNowhere(model: Model, report: Report): void {
  if (model.damaged) return;
  for (const { name, node } of model.services) {
    const state = node.attributes.find((attribute) => attribute.kind === "state");
    if (state !== undefined) report(stateWithoutStorage.at(state.span, { service: name }));
  }
}
