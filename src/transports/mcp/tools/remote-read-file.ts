/** remote_read_file: numbered lines of one or several files in a repository, as text. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { text } from '../../../platform/core/operations/shapes.ts';
import { showPathOnLine } from '../../../platform/core/text/path-text.ts';
import {
  type Candidates,
  isCandidates,
  RECORD,
  readCode,
  sessionArguments,
  sessionWarning,
  writeCandidates,
} from '../code-tool.ts';
import type { Part, Piece } from '../text/budget.ts';
import { createFences } from '../text/fence.ts';
import { moreSentence, openPage, PAGE_ARGUMENTS, pagedReply, pageLines } from '../text/paged-reply.ts';
import { defineTool, READS, type ToolContext } from '../tool.ts';

const MAX_PLACES = 20;
/** A path of the greatest length, with lines. */
const PLACE_CHARACTERS = 4120;
/** Problems of a path or its lines. */
const OF_ONE_PLACE: ReadonlySet<string> = new Set(['not_found', 'invalid_request']);
/** More lines than the largest page holds: later ones are read when their page is requested. */
const MAX_LINES = 10_000;

type File = Exclude<Operations['read-file']['output'], { candidates: string[] }>;

interface Place {
  path: string;
  startLine?: number;
  endLine?: number;
}

/** A place with its file, or why there is none. */
type Read = { path: string; index: number } & ({ file: File } | { problem: string });

interface LinePiece extends Piece {
  read: Read;
  line: number;
}

export const remoteReadFile = defineTool({
  name: 'remote_read_file',
  title: 'Read files of a repository',
  description: {
    does: 'Read a file of a repository, whole or from `startLine` to `endLine`, or several `places`, without cloning it, at any branch, tag or commit.',
    use: 'after `remote_file_search` or `remote_grep` gave you the path. Of a long file, request only the lines you need, and all places in one call.',
    returns:
      'text. The line range, the number of lines and the commit, then the lines, each after its number (`12: `); none if it is binary or too large. If several repositories have this name, their full names: call again with one.',
    next: 'call again with `cursor` for the rest.',
  },
  operations: ['read-file', RECORD],
  hints: READS,
  input(fieldsOf) {
    const { endLine, path, ref, repository, startLine } = fieldsOf('read-file');
    return z.object({
      repository,
      path: path.optional().describe('From the root of the repository.'),
      ref,
      startLine,
      endLine,
      places: z
        .array(text({ min: 1, max: PLACE_CHARACTERS }))
        .min(1)
        .max(MAX_PLACES)
        .optional()
        .describe('Instead of `path`: several, such as `src/a.ts` or `src/a.ts:10-40`.'),
      ...PAGE_ARGUMENTS,
      ...sessionArguments(fieldsOf),
    });
  },
  output: undefined,
  async run(given, context) {
    const places = placesOf(given);
    const opened = openPage('remote_read_file', given);
    const [place, line] = (opened.from?.key ?? keyOf(0, 0)).split(':').map(Number) as [number, number];
    const found = await readCode(context, 'remote_read_file', given, () =>
      readPlaces(context, { ...given, commit: opened.pin }, places, { place, line }),
    );
    if (isCandidates(found)) return writeCandidates(found);
    const { commit, next, reads } = found;
    const pieces = reads.flatMap(piecesOf);
    const fences = createFences([...pieces.map((piece) => piece.text), ...reads.map(writtenWithoutLines)]);
    const warning = sessionWarning(given);
    return pagedReply(pieces.length > 0 ? opened : { ...opened, from: null }, {
      output: undefined,
      pieces,
      pin: commit,
      after: next === null ? null : { key: next, offset: 0 },
      render(parts, end) {
        const file = given.places ? undefined : (reads[0] as { file: File }).file;
        const head = file
          ? linesRead(file, parts)
          : `${places.length} ${places.length === 1 ? 'place' : 'places'}`;
        const shown = given.places ? writePlaces(parts) : parts.map((part) => part.text).join('');
        return [
          `${head}, at commit ${commit}.`,
          ...(warning ? [`warning: ${warning}`] : []),
          ...pageLines(end, moreSentence(end)),
          ...(shown === '' ? [] : [fences.notice, fences.around('code', shown.replace(/\n$/, ''))]),
        ].join('\n');
      },
    });
  },
});

function placesOf(given: Partial<Place> & { places?: string[] }): Place[] {
  const { endLine, path, places, startLine } = given;
  if (places === undefined && path !== undefined) return [{ path, startLine, endLine }];
  if (places === undefined) throw invalidRequest([{ path: 'path', message: 'is required, or `places`' }]);
  const mixed = (['path', 'startLine', 'endLine'] as const).filter((name) => given[name] !== undefined);
  if (mixed.length > 0)
    throw invalidRequest(
      mixed.map((name) => ({
        path: name,
        message: 'must not be sent beside `places`, which has paths and lines',
      })),
    );
  return places.map((text) => {
    const [, name = text, from, to] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(text) ?? [];
    return from === undefined
      ? { path: name }
      : { path: name, startLine: Number(from), endLine: Number(to ?? from) };
  });
}

/** Reads places from one on, until there are more lines than a page holds. */
async function readPlaces(
  context: ToolContext,
  given: { commit: string | undefined; ref?: string; repository: string },
  places: Place[],
  from: { place: number; line: number },
): Promise<{ commit: string; reads: Read[]; next: string | null } | Candidates> {
  const reads: Read[] = [];
  const problems: Problem[] = [];
  let commit = given.commit;
  let lines = 0;
  for (const [index, { endLine, path, startLine }] of places.entries()) {
    if (index < from.place) continue;
    const range = { startLine: index === from.place && from.line > 0 ? from.line : startLine, endLine };
    const file = await context
      .run('read-file', { repository: given.repository, path, ref: commit ?? given.ref, ...range })
      .catch(problemOfPlace);
    if (file instanceof Problem) {
      problems.push(file);
      reads.push({ path, index, problem: file.message });
      continue;
    }
    if (isCandidates(file)) return file;
    commit = file.commit;
    reads.push({ path, index, file });
    lines += file.endLine - file.startLine + 1;
    if (file.truncated) return { commit, reads, next: keyOf(index, file.endLine + 1) };
    if (lines >= MAX_LINES && index + 1 < places.length) return { commit, reads, next: keyOf(index + 1, 0) };
  }
  // Without any file, the repository may be the unknown one.
  if (commit === undefined) throw problems[0]!;
  return { commit, reads, next: null };
}

const keyOf = (place: number, line: number) => `${place}:${line}`;

/** Names the tools that read a folder, which the operation's error does not; throws what concerns more than one place. */
function problemOfPlace(error: unknown): Problem {
  if (!(error instanceof Problem) || !OF_ONE_PLACE.has(error.code)) throw error;
  if (!/ is not a file\.$/.test(error.message)) return error;
  const hint =
    'To list the files of a folder, call `remote_file_search` with a pattern such as `folder/**`; to search in it, call `remote_grep`.';
  return new Problem(error.code, `${error.message} ${hint}`, { cause: error });
}

function piecesOf(read: Read): LinePiece[] {
  if ('problem' in read) return [{ key: keyOf(read.index, 0), text: '', atomic: true, read, line: 0 }];
  const { startLine, text: content } = read.file;
  if (content === '') return [{ key: keyOf(read.index, 0), text: '', atomic: true, read, line: 0 }];
  return content.split(/(?<=\n)/).map((line, place) => ({
    ...{ key: keyOf(read.index, startLine + place), read, line: startLine + place },
    text: `${startLine + place}: ${line}`,
  }));
}

/** Each place under a line that names it. */
function writePlaces(parts: readonly Part<LinePiece>[]): string {
  const places = Map.groupBy(parts, ({ piece }) => piece.read);
  return [...places]
    .map(([read, own]) => {
      const lines = own
        .map((part) => part.text)
        .join('')
        .replace(/\n$/, '');
      return `${headerOf(read)}${'file' in read ? linesRead(read.file, own) : read.problem}${lines && `\n${lines}`}`;
    })
    .join('\n\n');
}

const headerOf = ({ path }: Read) => `${showPathOnLine(path)}: `;
const writtenWithoutLines = (read: Read) => `${headerOf(read)}${'problem' in read ? read.problem : ''}`;

function linesRead({ kind, size, startLine, totalLines }: File, parts: readonly Part<LinePiece>[]): string {
  if (totalLines === null) return `A file of ${size} bytes (${kind})`;
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || first.piece.line === 0) return noLines(totalLines, startLine);
  const within = first.start > 0 ? `, starting within line ${first.piece.line}` : '';
  return `Lines ${first.piece.line} to ${last.piece.line} of ${totalLines}${within}${kind === 'text' ? '' : ` (${kind})`}`;
}

function noLines(totalLines: number, startLine: number): string {
  if (totalLines === 0) return 'The file is empty';
  return `The file has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}; there is no line ${startLine}`;
}
