import { expect, test } from "vitest";
import { type Diagnostic, isError } from "../../lang/diagnostics/index.ts";
import { bind, type Model } from "../bind/index.ts";
import { check } from "../check/index.ts";
import { type Compiled, compile } from "../compile.ts";
import { lower, type Policy, resolveSessions } from "../policy/index.ts";
import { load, memoryHost } from "../source/index.ts";
import { withoutMarks } from "./marks.ts";
import { testSurroundings } from "./surroundings.ts";

export const ALICE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBHVdrV0g0QPSle+BMRXY8NTsvMISvXo/dY48NfrIDg7 alice\n";
export const BOB = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAsKCf1Wt5YOmYEhaEZBiWIcYWaYqsuXTkCzCAtN1hb5 bob\n";

/** Files that lie beside every page of a test. */
export const BESIDE = { "/keys/alice.pub": ALICE, "/keys/bob.pub": BOB, "/replies.json": "[]" };

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function compilePage(text: string, files: Files = {}, today = "2026-01-01"): Promise<Compiled> {
  return compile(memoryHost({ ...BESIDE, ...files, "/system.cap": text }, today), "/system.cap", testSurroundings);
}

/** The same for whoever checks or tests a page: what the image cannot do yet is no error. */
function checkPage(text: string, files: Files = {}): Promise<Compiled> {
  const host = memoryHost({ ...BESIDE, ...files, "/system.cap": text });
  return compile(host, "/system.cap", { ...testSurroundings, purpose: "check" });
}

/** A whole lawful page; what is given replaces a part of it. */
export interface Parts {
  readonly top?: string;
  readonly services?: string;
  readonly backends?: string;
  readonly sessions?: string;
  readonly permit?: string;
  readonly rest?: string;
}

export function page(parts: Parts): string {
  const permit = parts.permit ?? "auto readOnly  consent mutatingLocal  forbidden destructive";
  return `system sample version "1.0.0" {
  use std.tools
  ${parts.top ?? ""}
  ${parts.services ?? "service notes : Files { state 1 MiB }"}
  ${parts.backends ?? "backend canned { stub }"}
  ${parts.sessions ?? `session operator { kind operator  models { auto canned }  permit { ${permit} } }`}
  ${parts.rest ?? 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }'}
}`;
}

/** Each marked page is refused with exactly one error of that code for each mark, there, and with no other error. */
export function refuses(code: string, pages: Readonly<Record<string, string>>, files: Files = {}): void {
  test.each(Object.entries(pages))(`${code}: %s`, async (_, marked) => {
    const { text, spans } = withoutMarks(marked);
    const { diagnostics, policy } = await (code === "not-enforced-yet" ? compilePage : checkPage)(text, files);
    expect(policy).toBeUndefined();
    expect(diagnostics.filter(isError).map(seen)).toEqual(spans.map((at) => ({ code, ...at })));
  });
}

/** Each marked page is accepted with exactly this advice. */
export function advises(code: string, pages: Readonly<Record<string, string>>, files: Files = {}): void {
  test.each(Object.entries(pages))(`${code}: %s`, async (_, marked) => {
    const { text, spans } = withoutMarks(marked);
    const { diagnostics, advice } = await checkPage(text, files);
    const found = [...diagnostics.filter(isError), ...advice.filter((diagnostic) => diagnostic.code === code)];
    expect(found.map(seen)).toEqual(spans.map((at) => ({ code, ...at })));
  });
}

/** Each page is accepted without an error. */
export function accepts(what: string, pages: Readonly<Record<string, string>>, files: Files = {}): void {
  test.each(Object.entries(pages))(`${what}: %s`, async (_, text) => {
    const { diagnostics, policy } = await checkPage(text, files);
    expect(diagnostics.filter(isError).map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
    expect(policy).toBeDefined();
  });
}

/** The policy of a page that must be lawful; its errors are the test's failure. */
export async function policyOf(text: string, files: Files = {}): Promise<Policy> {
  const { policy, diagnostics } = await compilePage(text, files);
  expect(diagnostics.filter(isError).map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  if (policy === undefined) throw new Error("neither a policy nor an error");
  return policy;
}

/** The same of a page whose lines mean something and that the target cannot enforce; nothing where it breaks another law. */
export async function policyOnPaper(text: string): Promise<Policy | undefined> {
  const { lowered, errors } = await lowering(text);
  return errors.some(({ code }) => code !== "not-enforced-yet") ? undefined : lowered();
}

/** The same of a page that may break any law, for what must hold of meaning alone. Its names have to be known. */
export async function policyWithoutLaws(text: string): Promise<Policy> {
  const { lowered, unbound } = await lowering(text);
  expect(unbound.map(({ message }) => message)).toEqual([]);
  return lowered();
}

/** The model of a page that may break any law. Its names have to be known. */
export async function modelOf(text: string, files: Files = {}): Promise<Model> {
  const { model, unbound } = await binding(text, files);
  expect(unbound.map(({ message }) => message)).toEqual([]);
  return model;
}

async function binding(text: string, files: Files) {
  const host = memoryHost({ ...BESIDE, ...files, "/system.cap": text });
  const { package: read, diagnostics: unread } = await load(host, "/system.cap");
  const { model, diagnostics } = bind(read, testSurroundings.described);
  return { host, read, model, unbound: [...unread, ...diagnostics].filter(isError) };
}

async function lowering(text: string) {
  const { provided } = testSurroundings;
  const { host, read, model, unbound } = await binding(text, {});
  const resolution = resolveSessions(model);
  const broken = check({ model, resolution, trees: read.pages, provided, today: host.today }).filter(isError);
  return { unbound, errors: [...unbound, ...broken], lowered: () => lower(model, resolution, provided).policy };
}

function seen({ code, span }: Diagnostic): { code: string; start: number; end: number } {
  return { code, start: span.start, end: span.end };
}
