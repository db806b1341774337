export { exportPage, importPage } from "./exchange.ts";
export { pageSchema } from "./schema.ts";
export { readYaml, renderYaml } from "./yaml.ts";
