/** Thrown when a pattern contains something that we can't parse or that ripgrep would reject: nothing is known then. */

export class NotUnderstood extends Error {}
