import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import { notUpstreamManifest } from "../rules/not-upstream-manifest/codes.ts";
import { upstreamOtherwise } from "../rules/upstream-otherwise/codes.ts";
import { upstreamPolicyUnread } from "../rules/upstream-policy-unread/codes.ts";
import { upstreamUnsayable } from "../rules/upstream-unsayable/codes.ts";
import type { Listing } from "./listing.ts";

/** What is found of one manifest, each at its path: nothing ends the search for more. */
export class Findings {
  readonly #listing: Listing;
  readonly all: Diagnostic[] = [];

  constructor(listing: Listing) {
    this.#listing = listing;
  }

  /** Upstream's crate would refuse it. */
  reportWrong(path: string, reason: string): void {
    this.all.push(notUpstreamManifest.at(this.#listing(path), { what: path, reason }));
  }

  /** Upstream takes it, and no page gives it. */
  reportUnsayable(path: string, why: string, instead: string): void {
    this.all.push(upstreamUnsayable.at(this.#listing(path), { what: path, why, instead }));
  }

  /** Of the tables, which have no paths of their own. */
  reportUnread(what: string, why: string): void {
    this.all.push(upstreamPolicyUnread.at(this.#listing("$.binaries"), { what, why }));
  }

  reportDifference(path: string, why: string): void {
    this.all.push(upstreamOtherwise.at(this.#listing(path), { what: path, why }));
  }
}
