/** Tools for a model: bounded reads of the one repository at the reviewed commit. Nothing else, and nothing is written. */
import { z } from 'zod';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { ModelTool } from '../converse.ts';
import type { Fence } from './fence.ts';

const MAX_LINES = 400;
const MAX_MATCHES = 60;
const MAX_FILES = 100;
const MAX_REFERENCES = 50;
const MAX_CHARACTERS = 16_000;
const MAX_PATH_CHARACTERS = 1000;
const MAX_PATTERN_CHARACTERS = 500;

export interface CodePlace {
  code: Pick<CodeReader, 'read'>;
  repositoryId: string;
  /** The reviewed commit. */
  commit: string;
  call: Call;
  /** Masks secrets in everything that the model reads. */
  mask(text: string): Promise<string>;
}

const Path = z.string().min(1).max(MAX_PATH_CHARACTERS);

export function createCodeTools(place: CodePlace, fence: Fence): Record<string, ModelTool> {
  const { call, code, commit, repositoryId } = place;
  const tool = <Input>(
    description: string,
    input: z.ZodType<Input>,
    run: (input: Input) => Promise<string>,
  ): ModelTool => ({
    description,
    input,
    async run(given: never) {
      try {
        const text = await place.mask(await run(given as Input));
        return fence.around('Result:', text.slice(0, MAX_CHARACTERS));
      } catch (error) {
        if (error instanceof Problem) return fence.around('Not possible:', error.message);
        throw error;
      }
    },
  });
  return {
    read_file: tool(
      `Reads lines of a file of the repository, at most ${MAX_LINES} at once.`,
      z.object({
        path: Path,
        startLine: z.number().int().min(1).optional(),
        endLine: z.number().int().min(1).optional(),
      }),
      async ({ endLine, path: given, startLine = 1 }) => {
        const path = cleanPath(given);
        if (path === undefined) return noSuch(given);
        const last = Math.max(startLine, endLine ?? startLine + MAX_LINES - 1);
        const range = { startLine, endLine: last, maxLines: MAX_LINES };
        const file = await code.read('readFile', repositoryId, { commit, path, ...range }, call);
        if (!('text' in file)) return noSuch(given);
        if (file.kind !== 'text') return `${path} is not a text file.`;
        return file.text
          .split('\n')
          .map((line, at) => `${file.startLine + at}  ${line}`)
          .join('\n');
      },
    ),
    grep: tool(
      `Finds lines by a regular expression in ripgrep's syntax, at most ${MAX_MATCHES}.`,
      z.object({
        pattern: z.string().min(1).max(MAX_PATTERN_CHARACTERS),
        path: Path.optional().describe('A folder or file. Default: everything.'),
      }),
      async ({ path: given = '', pattern }) => {
        const path = given === '' ? '' : cleanPath(given);
        if (path === undefined) return noSuch(given);
        const limits = { maxLines: MAX_MATCHES, maxBytes: MAX_CHARACTERS };
        const query = { commit, pattern, path, order: 'code_first', withRanges: false, ...limits } as const;
        const found = await code.read('searchCode', repositoryId, query, call);
        if (found.kind === 'bad_pattern') return `Invalid pattern: ${found.message}`;
        if (found.kind === 'no_path') return noSuch(given);
        const lines = found.files.flatMap((file) =>
          file.lines
            .filter(({ isMatch }) => isMatch)
            .map(({ number, text }) => `${file.path}:${number}: ${text}`),
        );
        return [...lines, ...(found.moreLines ? ['… and more'] : [])].join('\n') || 'No matches.';
      },
    ),
    find_files: tool(
      `Finds files by a glob such as src/**/*.ts, at most ${MAX_FILES}.`,
      z.object({ glob: z.string().min(1).max(MAX_PATTERN_CHARACTERS) }),
      async ({ glob }) => {
        const found = await code.read('findFiles', repositoryId, { commit, glob, limit: MAX_FILES }, call);
        if ('kind' in found) return `Invalid glob: ${found.message}`;
        return found.items.join('\n') || 'No files.';
      },
    ),
    symbols: tool(
      'Lists what a file defines, with line numbers.',
      z.object({ path: Path }),
      async ({ path: given }) => {
        const path = cleanPath(given);
        const facts = path && (await code.read('fileFacts', repositoryId, { commit, path }, call));
        if (!facts) return noSuch(given);
        return (
          facts.symbols
            .map(
              ({ container, endLine, kind, line, name }) =>
                `${line}-${endLine}  ${kind} ${container ? `${container}.` : ''}${name}`,
            )
            .join('\n') || 'Nothing was recognized.'
        );
      },
    ),
    users_of: tool(
      `Finds where a name is defined and used, at most ${MAX_REFERENCES} uses.`,
      z.object({ name: z.string().min(1).max(200) }),
      async ({ name }) => {
        const limits = { maxDefinitions: 10, maxReferences: MAX_REFERENCES };
        const found = await code.read('findSymbols', repositoryId, { commit, name, ...limits }, call);
        return (
          [
            ...found.definitions.map(({ kind, line, path }) => `${path}:${line}: defined as ${kind}`),
            ...found.references.map(({ line, path }) => `${path}:${line}: used`),
            ...(found.moreReferences > 0 ? [`… and ${found.moreReferences} more uses`] : []),
          ].join('\n') || 'Nothing defines or uses this name.'
        );
      },
    ),
  };
}

/** A path inside of the repository; undefined for any other. */
function cleanPath(given: string): string | undefined {
  const path = given.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  const isInside = path !== '' && !path.startsWith('/') && !path.includes('\0');
  return isInside && !path.split('/').some((part) => part === '..' || part === '.') ? path : undefined;
}

function noSuch(path: string): string {
  return `${path} is not a file or folder of this repository at the reviewed commit.`;
}
