/** The BUSINESS_LOGIC domain: what the repository is for, what its code is about, and where. */
import { titleOfLanguage } from '../../../../../engines/facts/index.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { folderOf } from '../find-parts.ts';
import { isStyle, isUi } from '../kinds-of-paths.ts';
import { readReadme } from '../read-readme.ts';
import { findSubjects } from '../subjects.ts';
import { count, type Listed, listSentence } from '../write-sentence.ts';

const MAX_FOLDERS = 12;
/** Nobody would say that a program is written in one of these. */
const TEXT_FORMATS = new Set(['json', 'markdown', 'restructuredtext', 'toml', 'xml', 'yaml']);

const joined = (words: string[]) => new Intl.ListFormat('en').format(words);

export function describeBusinessLogic(code: DescribedCode): (Sentence | null)[] {
  const readme = readReadme(code.readme);
  const logic = code.sources.filter((path) => !isStyle(path) && !isUi(path));
  const sources = logic.length > 0 ? logic : code.sources.filter((path) => !isStyle(path));
  const { languages } = code.facts;
  const inCode = languages.filter(({ language }) => !TEXT_FORMATS.has(language));
  const written = (inCode.length > 0 ? inCode : languages)
    .slice(0, 4)
    .map(({ language }) => titleOfLanguage(language));
  const folders = foldersOf(sources.length > 0 ? sources : code.paths);
  return [
    listSentence('According to its README: ', readme.features, {
      isMain: true,
      maxCharacters: 1400,
      maxItems: 24,
    }),
    listSentence('Its code is mostly about ', subjectsOf(sources, code), {
      maxCharacters: 1600,
      maxItems: 110,
    }),
    listSentence(written.length > 0 ? `Written in ${joined(written)}, mainly in ` : 'Mainly in ', folders),
    listSentence('It consists of the parts ', partsOf(code), { maxItems: 40 }),
    listSentence('Its README has sections on ', readme.sections, { maxCharacters: 500, maxItems: 16 }),
  ];
}

/** Subjects of the code. Those whose words were all listed before add nothing. */
export function subjectsOf(paths: readonly string[], code: DescribedCode): Listed[] {
  const listed = new Set<string>();
  return findSubjects(paths, code.name.split('/')).flatMap(({ name, place }) => {
    const words = name.split(' ');
    if (words.every((word) => listed.has(word))) return [];
    for (const word of words) listed.add(word);
    return [{ text: name, place }];
  });
}

function foldersOf(paths: readonly string[]): Listed[] {
  const byFolder = Map.groupBy(paths, folderOf);
  return [...byFolder]
    .sort(([, left], [, right]) => right.length - left.length)
    .slice(0, MAX_FOLDERS)
    .map(([folder, files]) => ({
      text: `${folder === '' ? 'the root' : `\`${folder}\``} (${count(files.length, 'file')})`,
      place: { path: files[0]!, line: 1 },
    }));
}

function partsOf({ facts, parts }: DescribedCode): Listed[] {
  return parts.toSorted().flatMap((part) => {
    const shown = facts.facts.find(
      ({ kind, path, role }) =>
        role === 'provides' && (kind === 'package' || kind === 'infrastructure') && folderOf(path) === part,
    );
    return shown ? [{ text: `\`${part}\``, place: shown }] : [];
  });
}
