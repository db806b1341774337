export { NO_SECRETS, readSecrets } from "./sealed.ts";
