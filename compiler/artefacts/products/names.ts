// Names of files in the output folder.

export const IMAGE_NAME = "system.iso";

/** A build removes the folder's old files, because file names are digests of the content and would never be overwritten. */
export const LAYOUT_FOLDER = "system.oci";
