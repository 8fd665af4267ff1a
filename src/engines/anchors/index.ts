/** Anchors: finding the text that a comment quotes, and following it into another version. */
export { anchorAt, readAnchor } from './anchor.ts';
export { compareTexts, differsInWhiteSpaceOnly, type Placement, portAnchor } from './port-anchor.ts';
