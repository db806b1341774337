/** The origin of a text in a conversation. */
export type Origin =
  /** Typed at the console in this conversation. */
  | { readonly which: "person" }
  /** Pasted at the console in paste brackets. */
  | { readonly which: "pasted" }
  /** A value of the page. */
  | { readonly which: "page" }
  /** A value that a person typed for a parameter of the task; it counts as a value of the page. */
  | { readonly which: "parameter"; readonly name: string }
  /** A text or number in a successful result. */
  | {
      readonly which: "result";
      /** `contacts.find` */
      readonly tool: string;
      /** Names of members from the outermost to the leaf, joined by `.`; lists add no name. Empty if the result is a text. */
      readonly field: string;
      /** Integrity level of the result's label. */
      readonly integrity: number;
    }
  /** A text or number in a call's arguments. It is never a source itself, but relates a source to its call. */
  | { readonly which: "argument"; readonly tool: string; readonly field: string }
  /** Arguments of a call that may have changed a service's data. If later results return these words, the results are not their source. */
  | { readonly which: "written"; readonly service: string };
