/** The limits on what is extracted from one file. */

/** Larger files are counted, but not read. */
export const MAX_FILE_BYTES = 1024 * 1024;
/** Parsing stops after this time; the file then has facts only from its text. */
export const MAX_PARSE_MS = 2000;
/** Real code has at most a few dozen levels; ten syntax nodes for each. */
export const MAX_DEPTH = 1000;
export const MAX_FACTS = 2000;
export const MAX_SYMBOLS = 10_000;
export const MAX_IMPORTS = 2000;
/** Names that are used in a file, and places of all of them together. */
export const MAX_USED_NAMES = 20_000;
export const MAX_USES = 100_000;
/** Longer identifiers are cut out: nobody looks for them. */
export const MAX_NAME_CHARACTERS = 200;
