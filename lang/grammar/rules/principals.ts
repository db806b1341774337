import type { PrincipalNode, Proof } from "../../tree/index.ts";
import { InterfaceGrammar } from "./interfaces.ts";
import type { Rule } from "./reading.ts";
import { getKeywordType } from "./token-types.ts";

export class PrincipalGrammar extends InterfaceGrammar {
  principal: Rule<PrincipalNode> = this.declareRule("principal", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("principal"));
    const name = this.SUBRULE(this.name);
    const { elements: proofs, damaged } = this.block(this.proof);
    return { kind: "principal", name, doc, proofs, damaged, span: this.closeSpan(start) };
  });

  proof: Rule<Proof> = this.declareRule("proof", () => {
    const start = this.start();
    const kind = this.parseOneOf<Proof["kind"]>([
      { ALT: () => this.takeKeyword("ssh") },
      { ALT: () => this.takeKeyword("passkey") },
      { ALT: () => this.takeKeyword("passphrase") },
    ]);
    const value = this.SUBRULE(this.words);
    return { kind, value, span: this.closeSpan(start) };
  });
}
