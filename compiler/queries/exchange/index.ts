export { exportPage, importPage } from "./exchange.ts";
export { pageSchema } from "./schema.ts";
export { readYaml, yamlText } from "./yaml.ts";
