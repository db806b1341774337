// Certificates for tests, as small as TLS accepts. The certificates are made here, so that a test states who signed
// what and for which dates.

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface Identity {
  readonly name: string;
  readonly key: KeyObject;
  /** PEM. */
  readonly certificate: string;
  readonly keyText: string;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
}

interface Wanted {
  readonly name: string;
  readonly from?: string;
  readonly until?: string;
  /** The signer. If `by` is absent, the certificate is signed with its own key, as an authority's certificate is. */
  readonly by?: Identity;
}

export function createIdentity({ name, from = "2020-01-01", until = "2100-01-01", by }: Wanted): Identity {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const algorithm = encodeDer(0x30, encodeObjectId([1, 2, 840, 10045, 4, 3, 2])); // ecdsa-with-SHA256
  const body = encodeDer(
    0x30,
    encodeDer(0xa0, encodeDer(0x02, Buffer.of(2))),
    encodeDer(0x02, Buffer.from(`0${name.length.toString(16).padStart(3, "0")}`.padStart(8, "1"), "hex")),
    algorithm,
    encodeCommonName(by?.name ?? name),
    encodeDer(0x30, encodeTime(from), encodeTime(until)),
    encodeCommonName(name),
    spki,
    encodeDer(0xa3, encodeDer(0x30, ...encodeExtensions(name, by === undefined ? "authority" : "server"))),
  );
  const signature = sign("sha256", body, by?.key ?? privateKey);
  const whole = encodeDer(0x30, body, algorithm, encodeDer(0x03, Buffer.of(0), signature));
  const keyText = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { name, key: privateKey, certificate: encodePem(whole), keyText, publicKey: spki };
}

function encodeExtensions(name: string, role: "authority" | "server"): Uint8Array[] {
  const address = /^[\d.]+$/.test(name)
    ? encodeDer(0x87, Buffer.from(name.split(".").map(Number)))
    : encodeDer(0x82, Buffer.from(name));
  const names = encodeDer(0x30, encodeObjectId([2, 5, 29, 17]), encodeDer(0x04, encodeDer(0x30, address)));
  const authority = encodeDer(
    0x30,
    encodeObjectId([2, 5, 29, 19]),
    encodeDer(0x01, Buffer.of(255)),
    encodeDer(0x04, encodeDer(0x30, encodeDer(0x01, Buffer.of(255)))),
  );
  return role === "authority" ? [authority, names] : [names];
}

function encodeCommonName(name: string): Uint8Array {
  return encodeDer(
    0x30,
    encodeDer(0x31, encodeDer(0x30, encodeObjectId([2, 5, 4, 3]), encodeDer(0x0c, Buffer.from(name)))),
  );
}

/** Returns a GeneralizedTime, which can hold any year. */
function encodeTime(day: string): Uint8Array {
  return encodeDer(0x18, Buffer.from(`${day.replaceAll("-", "")}000000Z`));
}

function encodeObjectId([first = 0, second = 0, ...rest]: readonly number[]): Uint8Array {
  const bytes = rest.flatMap((number) => {
    const digits = [number & 127];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128);
    return digits;
  });
  return encodeDer(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
}

function encodePem(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
