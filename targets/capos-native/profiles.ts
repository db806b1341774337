// Computes the resources that upstream gives to the programs of a session, and the lifetimes of logins. No line of a page states these
// numbers. So the manifest has upstream's default values (capos-config 0.1.0, src/resource_profile.rs, Default), and values of capc where
// upstream has no default. No number is 0: upstream accepts 0, but no program can run with it.

import type {
  ManifestResourceProfile,
  SessionLifetimeConfig,
} from "../../engine/lib/wire/upstream/generated/upstream.ts";
import type { Policy } from "../contract/policy.ts";
import { orderSessionRows } from "./accounts.ts";

const MEBIBYTE = 1024n * 1024n;
const SECOND_US = 1_000_000n;

/**
 * Returns upstream's resource profile for a session: its maximum memory, threads and capabilities. The profile has the
 * session's name.
 */
export function createProfile(name: string): ManifestResourceProfile {
  return {
    name,
    homeQuotaBytes: 16n * MEBIBYTE,
    tempQuotaBytes: 16n * MEBIBYTE,
    processLimit: 8,
    threadLimit: 16,
    capLimit: 64,
    memoryCommitLimitBytes: 64n * MEBIBYTE,
    frameGrantLimitPages: 256n,
    endpointQueueLimit: 32,
    inFlightCallLimit: 16,
    retired10: 0,
    ringScratchLimitBytes: 65_536n,
    logQuotaBytesPerWindow: 65_536n,
    networkProfile: "none",
    cpuBudgetUsPerWindow: SECOND_US,
    cpuWindowUs: SECOND_US,
    timerWaiterLimit: 8,
    launcherProfile: "none",
    replyScratchLimitBytes: 65_536n,
  };
}

/** Upstream's own lifetimes in milliseconds, for kinds of sessions that state no time per login. */
export const UPSTREAM_MS = { operator: 900_000, guest: 300_000, anonymous: 300_000 } as const;
type LifetimeKind = keyof typeof UPSTREAM_MS;
export const LIFETIME_KINDS: ReadonlySet<string> = new Set(Object.keys(UPSTREAM_MS));

/**
 * Returns for each kind of session the shortest lifetime that a session of this kind states. Upstream allows only one
 * lifetime for each kind.
 */
export function computeLifetimes(policy: Policy): SessionLifetimeConfig {
  const findShortest = (kind: LifetimeKind) => {
    const times = collectLoginTimes(policy, kind);
    return BigInt(times.length === 0 ? UPSTREAM_MS[kind] : Math.min(...times));
  };
  return {
    operatorMs: findShortest("operator"),
    guestMs: findShortest("guest"),
    anonymousMs: findShortest("anonymous"),
  };
}

/** Returns the times per login, in milliseconds, of the sessions of a kind that state such a time. */
export function collectLoginTimes(policy: Policy, kind: string): readonly number[] {
  return orderSessionRows(policy)
    .filter((row) => row.kind === kind && row.timeouts.loginMs > 0)
    .map(({ timeouts }) => timeouts.loginMs);
}
