/** remote_read_file: lines of a file in a repository, as text. */
import { z } from 'zod';
import { Problem } from '../../../platform/core/errors/errors.ts';
import {
  isCandidates,
  RECORD,
  readCode,
  sessionArguments,
  sessionWarning,
  writeCandidates,
} from '../code-tool.ts';
import { createFences } from '../text/fence.ts';
import { moreSentence, openPage, PAGE_ARGUMENTS, pagedReply, pageLines } from '../text/paged-reply.ts';
import { defineTool, READS } from '../tool.ts';

export const remoteReadFile = defineTool({
  name: 'remote_read_file',
  title: 'Read a file of a repository',
  description: {
    does: 'Read a file of a repository, whole or from `startLine` to `endLine`, without cloning it, at any branch, tag or commit.',
    use: 'after `remote_file_search` or `remote_grep` gave you the path. Of a long file, request only the lines you need.',
    returns:
      'text. The line range, the number of lines and the commit, then the lines; none if it is binary or too large. If several repositories have this name, their full names: call again with one.',
    next: 'call again with `cursor` for the rest.',
  },
  operations: ['read-file', RECORD],
  hints: READS,
  input(fieldsOf) {
    const { endLine, path, ref, repository, startLine } = fieldsOf('read-file');
    return z.object({
      repository,
      path: path.describe('From the root of the repository.'),
      ref,
      startLine,
      endLine,
      ...PAGE_ARGUMENTS,
      ...sessionArguments(fieldsOf),
    });
  },
  output: undefined,
  async run(given, context) {
    const { endLine, path, repository } = given;
    const opened = openPage('remote_read_file', given);
    const ref = opened.pin ?? given.ref;
    const startLine = opened.from ? Number(opened.from.key) : given.startLine;
    const found = await readCode(context, 'remote_read_file', given, () =>
      context.run('read-file', { repository, path, ref, startLine, endLine }).catch(nameFolderTools),
    );
    if (isCandidates(found)) return writeCandidates(found);
    const { commit, kind, size, text, totalLines } = found;
    const pieces = (text === '' ? [] : text.split(/(?<=\n)/)).map((line, index) => ({
      key: String(found.startLine + index),
      text: line,
    }));
    const fences = createFences([text]);
    const warning = sessionWarning(given);
    return pagedReply(pieces.length > 0 ? opened : { ...opened, from: null }, {
      output: undefined,
      pieces,
      pin: commit,
      after: found.truncated ? { key: String(found.endLine + 1), offset: 0 } : null,
      render(parts, end) {
        const [first, last] = [parts[0], parts.at(-1)];
        const shown = parts.map((part) => part.text).join('');
        const isInsideLine = first !== undefined && first.start > 0;
        const what =
          totalLines === null
            ? `A file of ${size} bytes (${kind})`
            : first && last
              ? `Lines ${first.piece.key} to ${last.piece.key} of ${totalLines}${isInsideLine ? `, starting within line ${first.piece.key}` : ''}${kind === 'text' ? '' : ` (${kind})`}`
              : writeNoLines(totalLines, found.startLine);
        return [
          `${what}, at commit ${commit}.`,
          ...(warning ? [`warning: ${warning}`] : []),
          ...pageLines(end, moreSentence(end)),
          ...(shown === '' ? [] : [fences.notice, fences.around('code', shown.replace(/\n$/, ''))]),
        ].join('\n');
      },
    });
  },
});

function writeNoLines(totalLines: number, startLine: number): string {
  if (totalLines === 0) return 'The file is empty';
  return `The file has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}; there is no line ${startLine}`;
}

/** Adds the tools that read a folder to the operation's error, which names none. */
function nameFolderTools(error: unknown): never {
  if (error instanceof Problem && error.code === 'not_found' && / is not a file\.$/.test(error.message)) {
    throw new Problem(
      'not_found',
      `${error.message} To list the files of a folder, call \`remote_file_search\` with a pattern such as \`folder/**\`; to search in it, call \`remote_grep\`.`,
      { cause: error },
    );
  }
  throw error;
}
