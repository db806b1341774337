import { expect, test } from "vitest";
import type { Secret } from "../../../engine/lib/wire/generated/egress.ts";
import { derivePublicKey } from "../../../engine/processes/egress/hpke.ts";
import { encodeSecret, sealSecret } from "../../../engine/processes/egress/sealing.ts";
import { compile } from "../../compile.ts";
import { createMemoryHost } from "../../phases/source/index.ts";

const PAGE = `system s {
  use std.tools
  backend canned { stub }
  service status : HttpEndpoint { grant HttpEndpoint scope "https://status.example.net", "token vault.status" }
  session operator { kind operator  models { auto canned }  permit { consent outboundNet } }
  storage { disk "capos-data" }
  network { address dhcp }
  image { target linux  machine vm  boot operator }
}`;
const SEALED = sealSecret(
  "status",
  "https://status.example.net",
  [derivePublicKey(Buffer.alloc(32, 1))],
  Buffer.from("sk-live-0123456789"),
);

async function built(secret: Secret) {
  const host = createMemoryHost({ "/system.cap": PAGE, "/secrets/status.sealed": encodeSecret(secret) });
  const { policy, diagnostics } = await compile(host, "/system.cap");
  return { secrets: policy?.secrets.map(encodeSecret), codes: diagnostics.map(({ code }) => code) };
}

test("a credential that is sealed for the page's server goes into the policy unchanged", async () => {
  expect(await built(SEALED)).toEqual({ secrets: [encodeSecret(SEALED)], codes: [] });
});

test("a build refuses a seal with which egress would not start", async () => {
  const [copy] = SEALED.copies;
  for (const change of [
    { schemaVersion: 2 },
    { copies: [] },
    { copies: Array.from({ length: 17 }, () => ({ ...copy, recipient: Buffer.alloc(32) })) },
    { copies: [{ ...copy, recipient: Buffer.alloc(31) }] },
  ]) {
    const spoiled = Object.assign({}, SEALED, change);
    expect(await built(spoiled)).toEqual({ secrets: undefined, codes: ["secret-unfit"] });
  }
});
