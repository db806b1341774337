export { NO_SECRETS, readSecrets, type Secrets } from "./sealed.ts";
export { type SecretUse, secretUses } from "./uses.ts";
