// Names in the output folder.

export const IMAGE_NAME = "system.iso";

/** A folder of its own, whose files are named by what they hold: what an earlier build left there goes. */
export const LAYOUT_FOLDER = "system.oci";
