// The names that the gate and the prover still have for results; everything else imports them from where they are.

export { accept, type Result as Checked, refuse } from "../result/result.ts";
