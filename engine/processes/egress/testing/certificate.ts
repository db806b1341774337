// Certificates for tests, as small as TLS takes them: made here, so that a test says who signed what for when.

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
  /** Who signs it; nobody else: it signs itself, as an authority. */
  readonly by?: Identity;
}

export function identity({ name, from = "2020-01-01", until = "2100-01-01", by }: Wanted): Identity {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const algorithm = der(0x30, objectId([1, 2, 840, 10045, 4, 3, 2])); // ecdsa-with-SHA256
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.from(`0${name.length.toString(16).padStart(3, "0")}`.padStart(8, "1"), "hex")),
    algorithm,
    named(by?.name ?? name),
    der(0x30, time(from), time(until)),
    named(name),
    spki,
    der(0xa3, der(0x30, ...extensions(name, by === undefined))),
  );
  const signature = sign("sha256", body, by?.key ?? privateKey);
  const whole = der(0x30, body, algorithm, der(0x03, Buffer.of(0), signature));
  const keyText = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { name, key: privateKey, certificate: pem(whole), keyText, publicKey: spki };
}

function extensions(name: string, isAuthority: boolean): Uint8Array[] {
  const address = /^[\d.]+$/.test(name)
    ? der(0x87, Buffer.from(name.split(".").map(Number)))
    : der(0x82, Buffer.from(name));
  const names = der(0x30, objectId([2, 5, 29, 17]), der(0x04, der(0x30, address)));
  const authority = der(
    0x30,
    objectId([2, 5, 29, 19]),
    der(0x01, Buffer.of(255)),
    der(0x04, der(0x30, der(0x01, Buffer.of(255)))),
  );
  return isAuthority ? [authority, names] : [names];
}

function named(name: string): Uint8Array {
  return der(0x30, der(0x31, der(0x30, objectId([2, 5, 4, 3]), der(0x0c, Buffer.from(name)))));
}

/** GeneralizedTime, which holds any year. */
function time(day: string): Uint8Array {
  return der(0x18, Buffer.from(`${day.replaceAll("-", "")}000000Z`));
}

function objectId([first = 0, second = 0, ...rest]: readonly number[]): Uint8Array {
  const bytes = rest.flatMap((number) => {
    const digits = [number & 127];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
}

function pem(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
