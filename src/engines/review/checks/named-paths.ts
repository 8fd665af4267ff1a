/** Deleted and renamed files that a Dockerfile, workflow, script or document still names. */
import { posix } from 'node:path';
import type { Check, Found } from '../check.ts';
import { isAdded, type Line, type ReviewedFile } from '../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../code/review-code.ts';
import { shellWord } from '../code/shell-word.ts';

/** Where a path is an instruction or a promise; code names its files by imports, which other checks follow. */
const NAMING =
  /(^|\/)(dockerfile[^/]*|[^/]+\.dockerfile|makefile|justfile|taskfile\.ya?ml|jenkinsfile|codeowners|procfile)$|^\.github\/workflows\/|(^|\/)\.gitlab-ci\.yml$|(^|\/)(docker-)?compose[^/]*\.ya?ml$|\.(sh|bash|md|mdx|rst|adoc)$|(^|\/)package\.json$/i;
/** Documents about the time when they were written. */
export const HISTORY =
  /(^|\/)(changelog|changes|history|news|releases?|release-notes|whatsnew|\d{4}-?\d\d-?\d\d)[^/]*(\/|$)|(^|\/)(rfcs?|adrs?|keps?|designs?|design[-_]docs?|issues?|analys[ei]s|proposals?|plans?|specs?|research|audits?|briefs|archived?|decisions|blog|_?posts)\/|(^|[/_-])(plans?|specs?|brief|audit|analysis|notes|migration|design)\.mdx?$/i;
/** Sections of documents that list what was done. */
const HISTORY_HEADING = /^#{1,6}\s.*\b(changelog|history|release notes|files? (changed|modified))\b/i;
/** Before a path, in a shell: whether there is such a file, or that it is left out. The script then works without it. */
const ASKS = /\s(?:-[defrs]\s+|--(?:ignore|exclude|deselect|skip)[\w-]*[= ])["']?(?:\.\/)?$/;
/** Tests of scripts name files as examples. */
const SCRIPT_TEST = /(^|[/_.-])tests?[/_.-][^/]*(\/.*)?\.(sh|bash)$/i;
/** Only these can be out of date and still of use: a script that names a file which is gone fails. */
const DOCUMENT = /\.(md|mdx|rst|adoc)$/i;
/** Documents that are read and kept up to date because people and agents follow them. */
const GUIDE =
  /(^|\/)(readme|agents|claude|gemini|contributing|review|skill|copilot-instructions)[^/]*\.\w+$|^\.(github|claude|cursor|agents|codex|gemini)\//i;
/** Before and after a path that a document links or shows. */
const LINK_START = /\]\(\s*<?[^\s()<>]*$|\b(?:href|src)=["'][^"']*$|^\s*\[[^\]]+\]:\s*<?[^\s<>]*$/;
const RELATIVE_LINK = /\]\(\s*<?([^\s()<>#/][^\s()<>#]*)/g;
/** Separates two paths in a text. */
const NO_PATH = /[^\w@./-]+/;
/** The share of the paths in a document that may be gone already. If it is larger, the document is not kept up to date. */
const MAX_GONE = 0.2;
const MAX_PATHS = 200;
const MAX_EVIDENCE = 10;
const MIN_CHARACTERS = 8;

export const namedPaths: Check = {
  name: 'named_path_gone',
  reviewer: 'documentation_drift',
  looksFor: 'deleted or renamed files that scripts, workflows and documents still name',
  async run(change, code) {
    const gone = change.files.filter(isGone).slice(0, MAX_PATHS);
    if (gone.length === 0) return [];
    const paths = gone.map((file) => file.oldPath ?? file.path);
    const documents = paths.filter((path) => DOCUMENT.test(path)).map((path) => posix.basename(path));
    const [{ lines }, linking, files, before] = await Promise.all([
      code.find('head', paths, { wholeWords: false }),
      code.find('head', [...new Set(documents)], { wholeWords: false }),
      code.listFiles('head'),
      code.listFiles('base'),
    ]);
    const present = new Set(files);
    // Whoever wrote an added line knew that the file is gone.
    const isOld = (line: FoundLine) => !isAdded(change.files, line);
    const old = lines.filter(isOld);
    const oldLinks = linking.lines.filter((line) => DOCUMENT.test(line.path) && isOld(line));
    const isKept = keptDocuments(code, before);
    /** By what names them: one finding for all files that are gone from a document. */
    const found = new Map<string, Found>();
    for (const file of gone) {
      const path = file.oldPath ?? file.path;
      if (present.has(path)) continue;
      const asking = new Set(lines.flatMap((line) => (asks(line, path) ? [line.path] : [])));
      const naming = old.filter(
        (line) => !asking.has(line.path) && names(line, path) && !meansAnother(line, path, present),
      );
      const named = await firstPromise(
        code,
        [...naming, ...oldLinks.filter((line) => links(line, path))],
        isKept,
      );
      const first = named && (await firstLine(code, path));
      if (!named || !first || (await comesAndGoes(code, path))) continue;
      const place = { side: 'head' as const, path: named.path, line: named.line, quote: named.text.trim() };
      const other = found.get(named.path);
      if (other) {
        if (other.evidence.length === 1) other.scenario += ' It names other files that are gone, too.';
        if (other.evidence.length < MAX_EVIDENCE) other.evidence.push(place);
        continue;
      }
      found.set(named.path, {
        claim: 'missing',
        subject: path,
        title: `${path} is ${file.change === 'renamed' ? 'renamed' : 'deleted'} but still named`,
        scenario: `${named.path}:${named.line} names ${path}, which is no longer there${file.change === 'renamed' ? `: it is ${file.path} now` : ''}.`,
        file: path,
        side: 'base',
        line: first.number,
        quote: first.text,
        evidence: [place],
        command: `git grep -nF -e ${shellWord(named.text.includes(path) ? path : posix.basename(path))} ${change.head.slice(0, 12)}`,
      });
    }
    return [...found.values()];
  },
};

/** Whether a document is kept up to date: what it names was there before the change. */
function keptDocuments(code: ReviewCode, before: string[]): (path: string) => Promise<boolean> {
  const there = new Set(before);
  const folders = new Set(before.map((path) => path.split('/')[0]!));
  return async (path) => {
    if (!DOCUMENT.test(path)) return true;
    const words = ((await code.read('base', path)) ?? '')
      .split(NO_PATH)
      .map((word) => word.replace(/\.$/, ''));
    const named = [...new Set(words)].filter(
      (word) => word.includes('/') && /\.\w{1,5}$/.test(word) && folders.has(word.split('/', 1)[0]!),
    );
    return named.filter((word) => !there.has(word)).length <= named.length * MAX_GONE;
  };
}

/** The first line that is not in a list of what was done, nor in a document that nobody keeps up to date. */
async function firstPromise(
  code: ReviewCode,
  lines: FoundLine[],
  isKept: (path: string) => Promise<boolean>,
): Promise<FoundLine | undefined> {
  for (const each of lines) {
    if (!(await isKept(each.path))) continue;
    const above = /\.mdx?$/i.test(each.path)
      ? ((await code.read('head', each.path)) ?? '').split('\n').slice(0, each.line)
      : [];
    const heading = above.findLast((text) => /^#{1,6}\s/.test(text));
    if (heading === undefined || !HISTORY_HEADING.test(heading)) return each;
  }
  return undefined;
}

/** Whether code beside it names it in quotes: a program reads, writes or deletes it, so documents may speak of it while it isn't there. */
async function comesAndGoes(code: ReviewCode, path: string): Promise<boolean> {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)];
  if (!/\.(md|mdx|txt|json|ya?ml|toml)$/i.test(name)) return false;
  const { lines } = await code.find('head', [name], { wholeWords: false });
  return lines.some(
    ({ path: where, text }) =>
      where.startsWith(folder) &&
      !NAMING.test(where) &&
      new RegExp(`["'\`]${RegExp.escape(name)}["'\`]`).test(text),
  );
}

/** The first line of the file as it was: there is no line to point to where it is gone. */
async function firstLine(code: ReviewCode, path: string): Promise<Line | undefined> {
  const lines = (await code.read('base', path))?.split('\n') ?? [];
  const index = lines.findIndex((text) => text.trim() !== '');
  return index === -1 ? undefined : { number: index + 1, text: lines[index]! };
}

function isGone({ change, fileClass, oldPath, path }: ReviewedFile): boolean {
  const old = oldPath ?? path;
  return (
    (change === 'deleted' || change === 'renamed') &&
    ['code', 'docs', 'data', 'test'].includes(fileClass) &&
    old.includes('/') &&
    // Releases add and delete them.
    !/(^|\/)\.changeset\//.test(old) &&
    old.length >= MIN_CHARACTERS
  );
}

function asks({ text }: FoundLine, path: string): boolean {
  const at = text.indexOf(path);
  return at !== -1 && ASKS.test(text.slice(0, at));
}

/**
 * `src/index.ts` in `packages/api/Dockerfile` is `packages/api/src/index.ts`, and `../guides/a.md` in `docs/b/` links
 * `docs/guides/a.md`, although `src/index.ts` and `guides/a.md` were deleted.
 */
function meansAnother({ path: where, text }: FoundLine, path: string, present: ReadonlySet<string>): boolean {
  const folders = where.split('/').slice(0, -1);
  if (folders.some((_, index) => present.has([...folders.slice(0, index + 1), path].join('/')))) return true;
  const at = text.indexOf(path);
  const start = /[^\s()<>"']*$/.exec(text.slice(0, at))![0];
  return DOCUMENT.test(where) && present.has(posix.join(where, '..', start + path));
}

/** `[the guide](./guide.md)` in the folder of the guide, and `../guide.md` below it. */
function links({ path: where, text }: FoundLine, path: string): boolean {
  return (
    !HISTORY.test(where) &&
    [...text.matchAll(RELATIVE_LINK)].some(([, target]) => posix.join(where, '..', target!) === path)
  );
}

/** The whole path, not a part of a longer one; not in a comment or a history of changes. */
function names({ path: where, text }: FoundLine, path: string): boolean {
  if (!DOCUMENT.test(where) && /^\s*#/.test(text)) return false;
  if (!NAMING.test(where) || HISTORY.test(where) || SCRIPT_TEST.test(where)) return false;
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + path.length, at + path.length + 2);
    if (DOCUMENT.test(where) && !GUIDE.test(where) && !LINK_START.test(text.slice(0, at))) continue;
    const startsHere = !/[\w/.@-]$/.test(before) || /(^|[^\w.])\.\/$|^\/$|[\s"'(`=]\/$/.test(before);
    const endsHere = !/^[\w/-]|^\.\w/.test(after);
    if (startsHere && endsHere) return true;
  }
  return false;
}
