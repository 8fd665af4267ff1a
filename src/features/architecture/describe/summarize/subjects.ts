/** Finds subjects in the words of file and folder names: `app/Models/PiggyBank.php` is about a piggy bank. */
import { splitName } from '../../find/split-words.ts';
import type { Place } from './write-sentence.ts';

/** Words that say what kind of code a file has, not what it is about. */
const KIND_WORDS = new Set(
  `abstract action actions adapter api app apps base bin client cmd common component components config configuration const constants
  container context controller controllers core data db default dto entities entity enum enums error errors exception exceptions
  factory factories file files form forms func function functions handler handlers helper helpers hook hooks impl index init
  inc includes interface interfaces internal item items js lib libs list main manager managers middleware misc mod model models
  module modules module new node object options package packages page pages pkg plugin private props provider providers public query request requests
  resource resources response route router routes routing schema script scripts server service services setup shared src source sources
  state static store stub style styles template templates test tests tool tools trait transformer ts type types util utils validator values
  view viewmodel views vo web www en us de fr it es pt ru zh ja ko nl pl tr uk ar cs da fi he hu id nb ro sv th vi lang locale locales i18n
  translations migrations migration php java kotlin python go rust ruby csharp cs py rs main resources com org net io github
  crates crate details engine engines urls show edit update create created destroy delete remove add new old linux windows unix darwin common deprecated extension extensions
  program programs strings loading layout layouts stories build pagination serializer serializers panels gettext
  entry registry initial auto root commands help version fix check command plugins tasks run runner json yaml xml html css text string number
  a an and as by for from in of on the to with get set is has v1 v2 v3 alpha beta use types dist doc docs`.split(
    /\s+/,
  ),
);
const MAX_SUBJECT_WORDS = 4;
const MAX_FILES_COUNTED = 60_000;

export interface Subject {
  name: string;
  files: number;
  /** The first file that is about it. */
  place: Place;
}

/** Subjects of most files first. Names in `without` are left out, such as the repository's own. */
export function findSubjects(paths: readonly string[], without: readonly string[] = []): Subject[] {
  const subjects = new Map<string, Subject & { last: string; own: number }>();
  const leftOut = new Set(without.map((name) => phraseOf(name)));
  for (const path of paths.slice(0, MAX_FILES_COUNTED)) {
    const segments = path.split('/');
    for (const [index, segment] of segments.entries()) {
      const isFile = index === segments.length - 1;
      const name = phraseOf(isFile ? segment.replace(/\..*$/s, '') : segment);
      if (name === '' || leftOut.has(name)) continue;
      const known = subjects.get(name);
      // A file in a folder of its own name is counted once.
      if (known?.last === path) continue;
      if (known) {
        known.files += 1;
        known.last = path;
        if (isFile) known.own += 1;
      } else {
        subjects.set(name, { name, files: 1, own: isFile ? 1 : 0, last: path, place: { path, line: 1 } });
      }
    }
  }
  return [...subjects.values()]
    .sort((left, right) => weight(right) - weight(left) || (left.name < right.name ? -1 : 1))
    .map(({ files, name, place }) => ({ name, files, place }));
}

/** A large folder is one subject, however many files it has; names that many files share say more. */
function weight({ files, own }: { files: number; own: number }): number {
  return Math.log2(1 + files) + Math.min(own, 8);
}

function phraseOf(name: string): string {
  const words = splitName(name).parts.filter(
    (word) => word.length > 1 && !KIND_WORDS.has(word) && !/^\d+$/.test(word),
  );
  return words.length > MAX_SUBJECT_WORDS ? '' : words.join(' ');
}
