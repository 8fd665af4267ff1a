/** Thrown where a pattern holds something that we do not read, or that ripgrep would refuse: nothing is known then. */

export class NotUnderstood extends Error {}
