export { NO_SECRETS, readSecrets, type Secrets } from "./sealed.ts";
