import type { PrincipalNode, Proof } from "../../tree/index.ts";
import { InterfaceGrammar } from "./interfaces.ts";
import type { Rule } from "./reading.ts";
import { word } from "./token-types.ts";

export class PrincipalGrammar extends InterfaceGrammar {
  principal: Rule<PrincipalNode> = this.rule("principal", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("principal"));
    const name = this.SUBRULE(this.name);
    const { elements: proofs, damaged } = this.block(this.proof);
    return { kind: "principal", name, doc, proofs, damaged, span: this.since(start) };
  });

  proof: Rule<Proof> = this.rule("proof", () => {
    const start = this.start();
    const kind = this.oneOf<Proof["kind"]>([
      { ALT: () => this.says("ssh") },
      { ALT: () => this.says("passkey") },
      { ALT: () => this.says("passphrase") },
    ]);
    const value = this.SUBRULE(this.words);
    return { kind, value, span: this.since(start) };
  });
}
