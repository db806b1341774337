/** The origin of a text in a conversation. */
export type Origin =
  /** Text that was typed at the console in this conversation. */
  | { readonly which: "person" }
  /** Text that the person at the console pasted with bracketed paste. */
  | { readonly which: "pasted" }
  /** A value of the page. */
  | { readonly which: "page" }
  /** A value that a person typed for a parameter of the task; it counts like a value of the page. */
  | { readonly which: "parameter"; readonly name: string }
  /** A text or a number in a successful result. */
  | {
      readonly which: "result";
      /** `contacts.find` */
      readonly tool: string;
      /** Names of members from the result inwards, joined by `.`; lists add no name. Empty if the result is a text. */
      readonly field: string;
      /** Integrity level of the result's label. */
      readonly integrity: number;
    }
  /**
   * A text or a number in a call's arguments. An argument is never the source of a value, but shows to which call a
   * record belongs.
   */
  | { readonly which: "argument"; readonly tool: string; readonly field: string }
  /**
   * Arguments of a call that may have changed a service's data. If a later result contains these arguments, it is not
   * their source, because the conversation wrote them itself.
   */
  | { readonly which: "written"; readonly service: string };
