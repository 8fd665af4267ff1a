/** Reads types with their members from one file, and where it uses members of some names. */
import { readErrors } from '../free-names/read-names.ts';
import { languageOf } from '../language.ts';
import { MAX_FILE_BYTES } from '../limits.ts';
import { loadGrammar } from '../parse.ts';
import type { FileMembers } from './file-members.ts';
import { readGoMembers } from './go-members.ts';
import { readJavaMembers } from './java-members.ts';

const READERS = { java: readJavaMembers, go: readGoMembers };

/** Null when nothing can be said: another language, a syntax error, too large. */
export async function readMembers(
  { path, text }: { path: string; text: string },
  wanted: ReadonlySet<string>,
): Promise<FileMembers | null> {
  const language = languageOf(path);
  if ((language !== 'java' && language !== 'go') || text.length > MAX_FILE_BYTES) return null;
  const loaded = await loadGrammar(language);
  const tree = loaded.parse(text);
  try {
    if (!tree) return null;
    const unread = tree.rootNode.hasError ? readErrors(tree.rootNode, loaded) : [];
    return unread && { ...READERS[language](tree.rootNode, wanted), unread };
  } finally {
    tree?.delete();
  }
}
