/** Columns of a line, in UTF-16 code units as editors count. Comments and texts that are longer are not broken. */
export const WIDTH = 120;

export const INDENT = "  ";

/** Additional indentation of a line that continues an element. */
export const CONTINUED = "    ";
