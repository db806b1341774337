export { classifySqlFault } from "./faults.ts";
export { type Row, Sql, type Word } from "./sql.ts";
export { transact } from "./transact.ts";
