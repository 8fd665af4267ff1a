/** The anchors' door: reading what a comment points to, and following it into another text. */
export { anchorAt, readAnchor } from './anchor.ts';
export { compareTexts, differsInWhiteSpaceOnly, type Placement, portAnchor } from './port-anchor.ts';
