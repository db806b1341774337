export { type PublicKey, readPublicKey } from "./public-key.ts";
export { readSigner } from "./signer.ts";
export { type SignatureFault, verifySshsig } from "./verify.ts";
