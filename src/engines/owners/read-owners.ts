/** Reads a CODEOWNERS file by the rules of its code host. */
import {
  type Dialect,
  MAX_BYTES,
  MAX_LINES,
  type OwnersFile,
  Problems,
  type Section,
} from './owners-file.ts';
import { readGiteaSections } from './read-gitea.ts';
import { readGitHubSections } from './read-github.ts';
import { readGitLabSections } from './read-gitlab.ts';

const READERS: Record<Dialect, (text: string, problems: Problems) => Section[]> = {
  github: readGitHubSections,
  gitlab: readGitLabSections,
  gitea: readGiteaSections,
};

export function readOwners(dialect: Dialect, text: string): OwnersFile {
  const problems = new Problems();
  if (Buffer.byteLength(text) > MAX_BYTES) {
    problems.add(null, 'The file is larger than 3 MB and is not read');
    return { dialect, sections: [], problems: problems.list };
  }
  if (text.split('\n', MAX_LINES + 1).length > MAX_LINES)
    problems.add(MAX_LINES + 1, `Only the first ${MAX_LINES} lines are read`);
  const sections = READERS[dialect](text, problems);
  return { dialect, sections, problems: problems.list };
}

/** A file by its path alone, if its host is not known: only GitLab has sections, and only Gitea’s folders have expressions. */
export function dialectOf(path: string, text: string): Dialect {
  if (/^\.(?:gitea|forgejo)\//.test(path)) return 'gitea';
  if (path.startsWith('.gitlab/') || /^\^?\[[^\]\n]+\]/m.test(text)) return 'gitlab';
  return 'github';
}
