/** Maximum columns of a line, in UTF-16 code units as editors count. Longer comments and texts are not broken. */
export const WIDTH = 120;

export const INDENT = "  ";

/** Additional indentation of a line that continues an element. */
export const CONTINUED = "    ";
