// Names of files in the output folder.

export const IMAGE_NAME = "system.iso";

/**
 * The files in this folder are named by their digests, so new files do not replace the files of an earlier build.
 * Therefore a build removes these files first.
 */
export const LAYOUT_FOLDER = "system.oci";
