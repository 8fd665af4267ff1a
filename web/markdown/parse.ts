/** Parses Markdown as GitHub writes it into our own tree; what is too deep or too large is refused. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { convertTree } from './convert.ts';
import { refuseObviouslyDeep, TooMuch } from './limits.ts';
import { recordSourcePieces } from './source-pieces.ts';
import type { Parsed } from './tree.ts';

const SYNTAX = gfm();
/** Without the search for addresses in finished text: it forgets where the text stood, and the syntax finds them too. */
const NODES = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));

export function parseMarkdown(source: string): Parsed {
  try {
    refuseObviouslyDeep(source);
    const sourcePieces = recordSourcePieces();
    // The parser leaves a byte order mark out and would count every place one too low. An empty line means nothing there.
    const root = fromMarkdown(source.replace(/^\uFEFF/, '\n'), {
      extensions: [SYNTAX],
      mdastExtensions: [...NODES, sourcePieces.extension],
    });
    return { kind: 'tree', tree: convertTree(source, root, sourcePieces) };
  } catch (error) {
    // Whatever else happens (such as an overflowing stack) happens because of the text.
    return { kind: 'refused', reason: error instanceof TooMuch ? error.reason : 'broken' };
  }
}
