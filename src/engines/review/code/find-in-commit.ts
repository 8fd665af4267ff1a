/** Finds lines of a commit by their text: with the index if there is one, else with git. */
import { showPath } from '../../../platform/core/text/path-text.ts';
import { GitFailure, readOutput, splitOutput } from '../../git/index.ts';
import { findLines, type RepositoryReader } from '../../search/index.ts';
import { mayHaveTests, TEST_PATHS } from './file-class.ts';
import type { FindOptions, FoundLines } from './review-code.ts';

const MAX_PATH_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 4 * 1024;
const MAX_FOUND_LINES = 5000;
/** git gets them as arguments. */
const MAX_TEXTS = 1000;

interface CommitPlace {
  gitDir: string;
  commit: string;
  signal: AbortSignal;
}

export async function findInCommit(
  reader: RepositoryReader,
  place: CommitPlace,
  texts: string[],
  { inTests = false, leavesOutCommon, maxLines = MAX_FOUND_LINES, wholeWords }: FindOptions,
): Promise<FoundLines> {
  if (texts.length === 0) return { lines: [], truncated: false, tooCommon: [] };
  const truncated = texts.length > MAX_TEXTS;
  const some = texts.slice(0, MAX_TEXTS);
  const limits = { maxLines, maxBytes: MAX_LINE_BYTES };
  const { commit, signal } = place;
  const accepts = inTests ? mayHaveTests : undefined;
  const query = { commit, texts: some, wholeWords, leavesOutCommon, accepts, ...limits };
  const found = await findLines(reader, query, signal);
  if (found === undefined) {
    const plain = await grep(place, some, { inTests, maxLines, wholeWords });
    return { ...plain, truncated: plain.truncated || truncated };
  }
  return {
    lines: found.lines.slice(0, maxLines),
    truncated: truncated || found.lines.length > maxLines,
    tooCommon: found.tooCommon,
  };
}

async function grep(
  { commit, gitDir, signal }: CommitPlace,
  texts: string[],
  { inTests, maxLines, wholeWords }: Required<Omit<FindOptions, 'leavesOutCommon'>>,
): Promise<FoundLines> {
  const found: FoundLines = { lines: [], truncated: false, tooCommon: [] };
  const args = ['grep', '-n', '-z', '-I', '-F', '--no-color', '--full-name', ...(wholeWords ? ['-w'] : [])];
  for (const text of texts) args.push('-e', text);
  const output = readOutput([...args, commit, '--', ...(inTests ? TEST_PATHS : [])], { gitDir, signal });
  try {
    for await (const line of splitOutput(output, 10, MAX_PATH_BYTES + MAX_LINE_BYTES)) {
      if (found.lines.length === maxLines) {
        found.truncated = true;
        break;
      }
      addLine(found, line, commit, inTests ? mayHaveTests : undefined);
    }
  } catch (error) {
    // git exits with 1 when nothing matches.
    if (!(error instanceof GitFailure && error.reason === 'exit' && error.exitCode === 1)) throw error;
  }
  return found;
}

/** `<commit>:<path>`, the number and the text, with zero bytes between them. */
function addLine(found: FoundLines, line: Buffer, commit: string, accepts?: (path: string) => boolean): void {
  const pathEnd = line.indexOf(0);
  const numberEnd = line.indexOf(0, pathEnd + 1);
  if (pathEnd === -1 || numberEnd === -1) return;
  const path = showPath(Buffer.from(line.subarray(commit.length + 1, pathEnd)));
  if (accepts && !accepts(path)) return;
  found.lines.push({
    path,
    line: Number(line.toString('latin1', pathEnd + 1, numberEnd)),
    text: line.toString('utf8', numberEnd + 1, numberEnd + 1 + MAX_LINE_BYTES),
  });
}
