/** who_uses: which repositories use a package, route, event, table, contract, variable or symbol, and who provides it. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { showPathOnLine } from '../../../platform/core/text/path-text.ts';
import { RECORD, readCode, sessionArguments, sessionWarning } from '../code-tool.ts';
import type { Part, Piece } from '../text/budget.ts';
import { createFences } from '../text/fence.ts';
import { moreSentence, openPage, PAGE_ARGUMENTS, pagedReply, pageLines } from '../text/paged-reply.ts';
import { defineTool, READS } from '../tool.ts';

const OPERATION = 'find-uses';
type Found = Operations[typeof OPERATION]['output'];

interface PlacesPiece extends Piece {
  section: string;
}

export const whoUses = defineTool({
  name: 'who_uses',
  title: 'Find who uses something',
  description: {
    does: 'Find who uses and who provides a package, HTTP route, event, table, contract, environment variable or symbol, in all repositories and inside each, at their default branches.',
    use: 'before you change or remove something that others may depend on.',
    returns:
      'text: providers, consumers in other repositories, and uses inside the providers, each as `repository path:line`. If no use is found, lines with the text. It says which kinds of use it can’t see.',
    next: '`remote_read_file` at a place; `remote_grep` to look for uses that have no literal name.',
  },
  operations: [OPERATION, RECORD],
  hints: READS,
  input(fieldsOf) {
    const { kind, name } = fieldsOf(OPERATION);
    return z.object({ name, kind, ...PAGE_ARGUMENTS, ...sessionArguments(fieldsOf) });
  },
  output: undefined,
  async run(given, context) {
    const { kind, name } = given;
    const opened = openPage('who_uses', given);
    const found = await readCode(context, 'who_uses', given, () => context.run(OPERATION, { kind, name }));
    const pieces = [
      ...piecesOf('Providers', found.providers),
      ...piecesOf('Consumers', found.outside),
      ...piecesOf('Uses inside the providers', found.inside),
      ...found.textMatches.map(textPiece),
    ];
    const pin = createHash('sha256').update(JSON.stringify(pieces)).digest('hex').slice(0, 16);
    if (opened.pin !== undefined && opened.pin !== pin) {
      throw invalidRequest([
        { path: 'cursor', message: 'is for results that have changed; call again without `cursor`' },
      ]);
    }
    const fences = createFences(pieces.map(({ text }) => text));
    const warning = sessionWarning(given);
    return pagedReply(opened, {
      output: undefined,
      pieces,
      pin,
      render(parts, end) {
        const more = found.isComplete ? null : 'Some repositories are not listed; ask for one `kind`.';
        return [
          countSentence(found),
          ...found.notSeen,
          ...(warning ? [`warning: ${warning}`] : []),
          ...pageLines(end, moreSentence(end, more)),
          ...(parts.length === 0 ? [] : [fences.notice, fences.around('places', writeParts(parts))]),
        ].join('\n');
      },
    });
  },
});

function countSentence({ inside, isAmbiguous, outside, providers, textMatches }: Found): string {
  const count = (list: readonly unknown[]) =>
    list.length === 1 ? '1 repository' : `${list.length} repositories`;
  if (isAmbiguous) return `Defined in ${count(providers)}.`;
  if (providers.length + outside.length + inside.length === 0) {
    return textMatches.length === 0
      ? 'Nothing that you can see provides, uses or mentions this name. Check its spelling, or look for a part of it with `remote_grep`.'
      : `No definition or use is known, but the text occurs in ${count(textMatches)}: read these lines to see what they are.`;
  }
  if (outside.length + inside.length === 0) {
    const text =
      textMatches.length === 0
        ? 'and its text occurs nowhere'
        : `but its text occurs in ${count(textMatches)}, its definition included`;
    return `Provided by ${count(providers)}. No use is known, ${text}.`;
  }
  const own = inside.length === 0 ? '' : ` Uses inside ${count(inside)} that provide it.`;
  return `Provided by ${count(providers)}, used by ${count(outside)} that ${outside.length === 1 ? 'does' : 'do'} not provide it.${own}`;
}

/** A line for each place, complete in itself, because a page can end after any of them. */
function piecesOf(section: string, repositories: Found['outside']): PlacesPiece[] {
  return repositories.map(({ morePlaces, places, repoId, repoName }) => {
    const lines = places.map(({ detail, kind, line, name, path }) => {
      const about = [kind, oneLine(name), ...(detail ? [oneLine(detail)] : [])].join(' ');
      return `${repoName} ${showPathOnLine(path)}:${line} · ${about}`;
    });
    const more = morePlaces === 0 ? [] : [`${repoName}: ${morePlaces} more`];
    return { key: `${section} ${repoId}`, section, text: [...lines, ...more].join('\n') };
  });
}

function textPiece({ lines, moreLines, repoId, repoName }: Found['textMatches'][number]): PlacesPiece {
  const section = 'Lines with this text';
  const shown = lines.map(
    ({ line, path, text }) => `${repoName} ${showPathOnLine(path)}:${line} · ${oneLine(text)}`,
  );
  const more = moreLines === 0 ? [] : [`${repoName}: at least ${moreLines} more`];
  return { key: `${section} ${repoId}`, section, text: [...shown, ...more].join('\n') };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** Each section with its title. */
function writeParts(parts: readonly Part<PlacesPiece>[]): string {
  const sections = Map.groupBy(parts, ({ piece }) => piece.section);
  return [...sections]
    .map(([section, ofOne]) => [`${section}:`, ...ofOne.map(({ text }) => text.trimEnd())].join('\n'))
    .join('\n\n');
}
