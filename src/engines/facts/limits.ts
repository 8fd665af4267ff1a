/** The limits on what is extracted from one file. */

/** Larger files are counted, but not read. */
export const MAX_FILE_BYTES = 1024 * 1024;
/** Parsing stops after this time. */
export const MAX_PARSE_MS = 2000;
/** How many brackets can be open at once. Code that people wrote has a few dozen. */
export const MAX_NESTING = 500;
/** Classes and modules within each other. */
export const MAX_CONTAINERS = 50;
/** Files with longer lines on average are minified or data. */
export const MAX_AVERAGE_LINE = 400;
export const MAX_FACTS = 2000;
export const MAX_SYMBOLS = 10_000;
export const MAX_IMPORTS = 2000;
export const MAX_IMPORTED_NAMES = 1000;
/** Names that are used in a file, and places of all of them together. */
export const MAX_USED_NAMES = 20_000;
export const MAX_USES = 100_000;
/** Names and words of a file, and of a commit. */
export const MAX_WORDS = 3000;
export const MAX_COMMIT_WORDS = 60_000;
export const MAX_WORD_CHARACTERS = 80;
/** Nobody looks for longer names. */
export const MAX_NAME_CHARACTERS = 200;
export const MAX_MODULE_CHARACTERS = 500;
