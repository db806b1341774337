import { Type } from "typebox";

const closed = { additionalProperties: false };
const digest = Type.Union([Type.String({ pattern: "^[0-9a-f]{64}$" }), Type.Null()]);

const file = Type.Object(
  {
    path: Type.String(),
    image: digest,
    source: digest,
    where: Type.Union([Type.String(), Type.Null()], { description: "the first field or byte that differs" }),
  },
  { ...closed, description: "SHA-256 in the image and of what the page gives; null where there is no such file" },
);

const secureBoot = Type.Object(
  {
    subject: Type.String({ description: "of the certificate, as whoever made it wrote it" }),
    certificate: Type.String({ pattern: "^[0-9a-f]{64}$", description: "its SHA-256" }),
    holds: Type.Union([Type.Boolean(), Type.Null()], { description: "null where sbverify is not installed" }),
  },
  closed,
);

/** Output of `capc verify --json`. */
export const verifySchema = Type.Object(
  {
    reproduced: Type.Boolean(),
    sourceDateEpoch: Type.Integer({ minimum: 0, description: "the image's one time, used for building again" }),
    key: Type.Object({ publicKey: Type.String({ pattern: "^[0-9a-f]{64}$" }), development: Type.Boolean() }, closed),
    signatureHolds: Type.Boolean(),
    secureBoot: Type.Union([secureBoot, Type.Null()], { description: "null where the program for UEFI is not signed" }),
    difference: Type.Union([Type.Object({ says: Type.String(), holds: Type.Boolean() }, closed), Type.Null()], {
      description: "the signed record of what it means otherwise than an earlier one; null where there is none",
    }),
    files: Type.Array(file),
    firstByte: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: "where images of the same files differ all the same",
    }),
    faults: Type.Array(Type.String()),
  },
  {
    ...closed,
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "whether an image is what a page gives, as capc verify says it",
  },
);
