export { classifySqlFault } from "./faults.ts";
export { type Row, Sql, type Word } from "./sql.ts";
export { FOREIGN, NO_TABLES, OPTIONS, readSchema } from "./tables.ts";
export { transact } from "./transact.ts";
