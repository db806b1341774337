import fc from "fast-check";
import { expect, test } from "vitest";
import { derivePublicKey, openWith, sealTo } from "./hpke.ts";

const hex = (text: string): Buffer => Buffer.from(text, "hex");

/** RFC 9180, A.2.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305, base mode, sequence number 0. */
const RFC = {
  binding: { info: hex("4f6465206f6e2061204772656369616e2055726e"), data: hex("436f756e742d30") },
  ephemeral: hex("f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600"),
  encapsulated: hex("1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"),
  privateKey: hex("8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb"),
  publicKey: hex("4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a"),
  message: hex("4265617574792069732074727574682c20747275746820626561757479"),
  sealed: hex("1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"),
};

test("matches the test vector of RFC 9180", () => {
  const { binding, ephemeral, encapsulated, privateKey, publicKey, message, sealed } = RFC;
  expect(derivePublicKey(privateKey)).toEqual(publicKey);
  expect(sealTo(publicKey, message, binding, ephemeral)).toEqual({ encapsulated, sealed });
  expect(openWith(privateKey, { encapsulated, sealed }, binding)).toEqual({ ok: true, value: message });
});

test("property: only the right key with the same bound data opens a sealed message", () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const bytes = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(key, key, bytes, bytes, fc.nat(), (one, other, message, data, at) => {
      const binding = { info: Buffer.from("info"), data };
      const sealed = sealTo(derivePublicKey(one), message, binding);
      expect(openWith(one, sealed, binding)).toEqual({ ok: true, value: Buffer.from(message) });
      const isOther = !derivePublicKey(one).equals(derivePublicKey(other));
      expect(openWith(other, sealed, binding).ok).toBe(!isOther);
      expect(openWith(one, sealed, { ...binding, data: Buffer.concat([data, Buffer.of(0)]) }).ok).toBe(false);
      expect(openWith(one, sealed, { ...binding, info: Buffer.from("inf") }).ok).toBe(false);
      const flipped = Buffer.from(sealed.sealed);
      const place = at % flipped.length;
      flipped[place] = (flipped[place] ?? 0) ^ 1;
      expect(openWith(one, { ...sealed, sealed: flipped }, binding).ok).toBe(false);
    }),
    { numRuns: 20 },
  );
});

test("refuses malformed sealed messages, including a point of small order", () => {
  const { privateKey, binding, sealed } = RFC;
  for (const encapsulated of [Buffer.alloc(0), Buffer.alloc(31), Buffer.alloc(32), Buffer.alloc(33, 9)]) {
    expect(openWith(privateKey, { encapsulated, sealed }, binding).ok).toBe(false);
  }
  expect(openWith(privateKey, { encapsulated: RFC.encapsulated, sealed: Buffer.alloc(15) }, binding).ok).toBe(false);
});
