/** Parses GitHub Flavored Markdown into our own tree; rejects what is too deep or too large. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { refuseObviouslyDeep, TooMuch } from '../limits.ts';
import type { Parsed } from '../tree.ts';
import { convertTree } from './convert.ts';
import { recordSourcePieces } from './source-pieces.ts';

const SYNTAX = gfm();
/** Without the second pass that searches text for addresses: it loses positions, and the syntax extension finds them too. */
const NODES = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));

export function parseMarkdown(source: string): Parsed {
  try {
    refuseObviouslyDeep(source);
    const sourcePieces = recordSourcePieces();
    // The parser drops a byte order mark, which would shift every position by one. A line break there has no meaning.
    const root = fromMarkdown(source.replace(/^\uFEFF/, '\n'), {
      extensions: [SYNTAX],
      mdastExtensions: [...NODES, sourcePieces.extension],
    });
    return { kind: 'tree', tree: convertTree(source, root, sourcePieces) };
  } catch (error) {
    // Any other error, such as a stack overflow, is caused by the text.
    return { kind: 'refused', reason: error instanceof TooMuch ? error.reason : 'broken' };
  }
}
