// Names of files in the output folder.

export const IMAGE_NAME = "system.iso";

/** The files in this folder are named by their digests, so a build first removes the files of an earlier build. */
export const LAYOUT_FOLDER = "system.oci";
