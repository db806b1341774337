// Names of files in the output folder.

export const IMAGE_NAME = "system.iso";

/** This folder's files are named by their content, so the files of an earlier build are removed. */
export const LAYOUT_FOLDER = "system.oci";
