/** find_symbol: where a name is defined and used, in one repository or in all of them. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { showPathOnLine } from '../../../platform/core/text/path-text.ts';
import {
  isCandidates,
  RECORD,
  readCode,
  sessionArguments,
  sessionWarning,
  writeCandidates,
} from '../code-tool.ts';
import { createFences } from '../text/fence.ts';
import {
  leftOutLines,
  leftOutSentence,
  moreSentence,
  openPage,
  PAGE_ARGUMENTS,
  pagedReply,
  pageLines,
} from '../text/paged-reply.ts';
import { defineTool, READS } from '../tool.ts';

const OPERATION = 'find-symbol';
type Repository = Extract<
  Operations[typeof OPERATION]['output'],
  { leftOut: string[] }
>['repositories'][number];

export const findSymbol = defineTool({
  name: 'find_symbol',
  title: 'Find a symbol',
  description: {
    does: 'Find where a function, class, type, constant or method is defined and used: in one repository at any ref, or in all at their default branches.',
    use: 'to go to a definition, or to see what calls something before you change it.',
    returns:
      'text: definitions, then references, each as `repository path:line`. Comments and strings don’t count; same names are listed together.',
    next: '`remote_read_file` at a place.',
  },
  operations: [OPERATION, RECORD],
  hints: READS,
  input(fieldsOf) {
    const { kind, name, ref, repository } = fieldsOf(OPERATION);
    return z.object({ name, repository, ref, kind, ...PAGE_ARGUMENTS, ...sessionArguments(fieldsOf) });
  },
  output: undefined,
  async run(given, context) {
    const { kind, name, ref, repository } = given;
    const opened = openPage('find_symbol', given);
    const found = await readCode(context, 'find_symbol', given, () =>
      context.run(OPERATION, { kind, name, ref, repository }),
    );
    if (isCandidates(found)) return writeCandidates(found);
    const pieces = found.repositories.map((each) => ({
      key: each.repository.id,
      text: writeRepository(each),
    }));
    const pin = createHash('sha256').update(JSON.stringify(pieces)).digest('hex').slice(0, 16);
    if (opened.pin !== undefined && opened.pin !== pin) {
      throw invalidRequest([
        { path: 'cursor', message: 'is for results that have changed; call again without `cursor`' },
      ]);
    }
    const fences = createFences([...pieces.map(({ text }) => text), found.leftOut.join(' ')]);
    const warning = sessionWarning(given);
    const count = (of: 'definitions' | 'references', more: 'moreDefinitions' | 'moreReferences') =>
      found.repositories.reduce((sum, each) => sum + each[of].length + each[more], 0);
    const [definitions, references] = [
      count('definitions', 'moreDefinitions'),
      count('references', 'moreReferences'),
    ];
    return pagedReply(opened, {
      output: undefined,
      pieces,
      pin,
      render(parts, end) {
        const text = parts.map((part) => part.text.trimEnd()).join('\n');
        const leftOut = end.nextCursor ? [] : found.leftOut;
        return [
          definitions + references === 0
            ? 'Nothing has this name. Check its spelling, or look for it with `remote_grep`.'
            : `${definitions} ${definitions === 1 ? 'definition' : 'definitions'}, ${references} ${references === 1 ? 'reference' : 'references'}.`,
          ...(warning ? [`warning: ${warning}`] : []),
          ...pageLines(end, moreSentence(end, leftOutSentence(leftOut))),
          ...(text === '' && leftOut.length === 0 ? [] : [fences.notice]),
          ...(text === '' ? [] : [fences.around('places', text)]),
          ...leftOutLines(fences, leftOut),
        ].join('\n');
      },
    });
  },
});

/** Every line is complete in itself, because a page can end after any of them. */
function writeRepository({
  definitions,
  moreDefinitions,
  moreReferences,
  references,
  repository: { name },
}: Repository): string {
  const more = moreDefinitions + moreReferences;
  return [
    ...definitions.map(({ container, kind, line, path }) => {
      const of = container === null ? '' : ` of ${container.replaceAll(/\s+/g, ' ')}`;
      return `${name} ${showPathOnLine(path)}:${line} · definition, ${kind}${of}`;
    }),
    ...references.map(({ line, path }) => `${name} ${showPathOnLine(path)}:${line}`),
    ...(more > 0 ? [`${name}: ${more} more`] : []),
  ].join('\n');
}
