/** The BUSINESS_LOGIC domain: what the repository is for, what its code is about, and where. */
import { languageOf, titleOfLanguage } from '../../../../../engines/facts/index.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isMigration, isStyle, isTool, isTranslation } from '../kinds-of-paths.ts';
import { exampleFolders } from '../main-folders.ts';
import { readReadme } from '../read-readme.ts';
import { findSubjects } from '../subjects.ts';
import { type Listed, listSentence, placesOf } from '../write-sentence.ts';

/** Nobody would say that a program is written in one of these. */
const NO_CODE = new Set([
  'json',
  'markdown',
  'restructuredtext',
  'toml',
  'xml',
  'yaml',
  'css',
  'html',
  'proto',
  'graphql',
  'bash',
  'sql',
]);
/** A share of all files of code. */
const MIN_SHARE_OF_LANGUAGE = 0.1;
/** In larger code a single file says little about what it is about. */
const MIN_FILES_OF_SUBJECT = 3;
const SMALL_CODE = 30;

/** As beyond the names of a list. */
const MAX_FOUND = 1800;

/** By the number of languages. */
const MAX_FOLDERS = [0, 5, 4, 2];
/** A single one is a detail of something else. */
const MIN_FEATURES = 2;

export function describeBusinessLogic(code: DescribedCode): (Sentence | null)[] {
  const readme = readReadme(code.readme);
  const sources = code.sources.filter(
    (path) => !isStyle(path) && !isMigration(path) && !isTool(path) && !isTranslation(path),
  );
  const paths = sources.length > 0 ? sources : code.sources;
  const where = languagesSentence(paths);
  const subjects = subjectsOf(paths, code)
    .map(({ text }) => text)
    .join(' ');
  const isNew = ({ text }: Listed) => !readme.description?.text.toLowerCase().includes(text.toLowerCase());
  const features = readme.features.filter(isNew);
  return [
    features.length < MIN_FEATURES
      ? null
      : listSentence('According to its README: ', features, {
          some: 'According to its README, among others: ',
          separator: '; ',
          isMain: true,
        }),
    // Names of files say little to a reader, and still find the repository.
    where && { ...where, alsoFound: `${where.alsoFound ?? ''} ${subjects}`.slice(0, MAX_FOUND) },
  ];
}

/** Each language with folders of its own: which other places have such code depends on what counts, so that none are called its main ones. */
function languagesSentence(paths: readonly string[]): Sentence | null {
  const languages = languagesOf(paths);
  const places = languages.map((language) => ({
    language,
    folders: exampleFolders(paths.filter((path) => languageOf(path) === language)).slice(
      0,
      MAX_FOLDERS[languages.length],
    ),
  }));
  const shown = places.filter(({ folders }) => folders.length > 0);
  if (shown.length === 0) return null;
  const text = shown
    .map(({ folders, language }, index) => {
      const title = titleOfLanguage(language);
      const names = folders.map(({ text }) => text).join(', ');
      return index === 0 ? `It has ${title} code in ${names}` : `${title} code in ${names}`;
    })
    .join('; ');
  return { text: `${text}.`, evidence: placesOf(shown.flatMap(({ folders }) => folders)) };
}

/** Languages of at least a tenth of the code, the most used first. */
function languagesOf(paths: readonly string[]): string[] {
  const byLanguage = Map.groupBy(paths, languageOf);
  const known = [...byLanguage].filter(([language]) => language && !NO_CODE.has(language));
  const files = known.reduce((sum, [, each]) => sum + each.length, 0);
  return known
    .filter(([, each]) => each.length >= files * MIN_SHARE_OF_LANGUAGE)
    .sort(([, left], [, right]) => right.length - left.length)
    .slice(0, 3)
    .map(([language]) => language!);
}

/** Subjects of the code. Those whose words were all listed before add nothing. */
export function subjectsOf(paths: readonly string[], code: DescribedCode): Listed[] {
  const listed = new Set<string>();
  const own = code.shortName.toLowerCase();
  const minFiles = paths.length > SMALL_CODE ? MIN_FILES_OF_SUBJECT : 1;
  return findSubjects(paths, code.name.split('/')).flatMap(({ files, name, place }) => {
    const words = name.split(' ').map((word) => word.replace(/(?<=..)s$/, ''));
    if (
      files < minFiles ||
      words.some((word) => word.startsWith(own)) ||
      words.every((word) => listed.has(word))
    )
      return [];
    for (const word of words) listed.add(word);
    return [{ text: name, place }];
  });
}
