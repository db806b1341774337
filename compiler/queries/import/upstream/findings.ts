import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import { notUpstreamManifest } from "../rules/not-upstream-manifest/codes.ts";
import { upstreamOtherwise } from "../rules/upstream-otherwise/codes.ts";
import { upstreamPolicyUnread } from "../rules/upstream-policy-unread/codes.ts";
import { upstreamUnsayable } from "../rules/upstream-unsayable/codes.ts";
import type { Listing } from "./listing.ts";

/** Collects the findings about one manifest, each at its path. The import continues after a finding. */
export class Findings {
  readonly #listing: Listing;
  readonly all: Diagnostic[] = [];

  constructor(listing: Listing) {
    this.#listing = listing;
  }

  /** Reports a value that upstream's crate would refuse. */
  reportWrong(path: string, reason: string): void {
    this.all.push(notUpstreamManifest.at(this.#listing(path), { what: path, reason }));
  }

  /** Reports a value that upstream accepts and no page can express. */
  reportUnsayable(path: string, why: string, instead: string): void {
    this.all.push(upstreamUnsayable.at(this.#listing(path), { what: path, why, instead }));
  }

  /**
   * Reports a part of the tables that cannot be converted back to lines of a page. The finding has no path of its own,
   * because tables have no paths.
   */
  reportUnread(what: string, why: string): void {
    this.all.push(upstreamPolicyUnread.at(this.#listing("$.binaries"), { what, why }));
  }

  reportDifference(path: string, why: string): void {
    this.all.push(upstreamOtherwise.at(this.#listing(path), { what: path, why }));
  }
}
