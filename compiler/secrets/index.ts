export { NO_SECRETS, readSecrets, type Secrets } from "./sealed.ts";
export { originOf, type SecretUse, secretUses } from "./uses.ts";
