/** Keys that configuration files still set although the change removed the last code that reads them. */
import type { Check, Found } from '../../check.ts';
import { fileClassOf } from '../../code/file-class.ts';
import { addedLines, type Change, isAdded, type Line, removedLines } from '../../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

const MAX_KEYS = 60;
const MAX_SHOWN = 3;
const MIN_CHARACTERS = 5;
const MAX_LINE_CHARACTERS = 1000;
const KEY = '([A-Za-z][\\w-]*(?:\\.[A-Za-z][\\w-]*)*)';
/** Calls, tags and annotations that read a key by its name. */
const READS: { file: RegExp; pattern: RegExp }[] = [
  {
    file: /\.go$/,
    pattern: new RegExp(
      `\\b(?:viper|koanf|conf\\w*|cfg|ko?|v)\\.(?:Get\\w*|IsSet|String|Bool|Int|Duration|Strings|MustString)\\("${KEY}"\\)`,
      'g',
    ),
  },
  { file: /\.go$/, pattern: new RegExp(`\`[^\`]*\\b(?:yaml|toml|mapstructure|koanf|hcl|ini):"${KEY}`, 'g') },
  {
    file: /\.([cm]?[jt]sx?)$/,
    pattern: new RegExp(
      `\\b(?:config|nconf|configService)\\.(?:get|has|getOrThrow)(?:<[^>()]*>)?\\(\\s*["']${KEY}["']`,
      'g',
    ),
  },
  { file: /\.(java|kt|groovy)$/, pattern: new RegExp(`@Value\\("[^"\\n]*\\$\\{${KEY}[:}]`, 'g') },
  { file: /\.(java|kt|groovy)$/, pattern: new RegExp(`\\bgetProperty\\("${KEY}"`, 'g') },
  {
    file: /\.(java|kt|groovy)$/,
    pattern: new RegExp(`@ConditionalOnProperty\\([^)\\n]*["']${KEY}["']`, 'g'),
  },
  { file: /\.php$/, pattern: new RegExp(`\\bconfig\\(\\s*["']${KEY}["']`, 'g') },
  { file: /(^|\/)templates\/.*\.(ya?ml|tpl|txt)$/, pattern: new RegExp(`\\.Values\\.${KEY}`, 'g') },
];
const CONFIGURATION =
  /\.(ya?ml|toml|ini|conf|cfg|properties|hcl|json5?)(\.(example|sample|dist|template|tpl))?$/i;
const PHP_CONFIGURATION = /(^|\/)config\/[\w/-]+\.php$/;
/** Files whose keys are somebody else's, or about other things. */
const NO_CONFIGURATION =
  /(^|\/)(package|composer|tsconfig[^/]*|lerna|turbo|nx|angular|biome|renovate|mkdocs|pyproject|cargo|go\.work|manifest)\.\w+$|(^|\/)(locales?|lang|langs|i18n|translations?|messages|crds?|openapi|swagger|schemas?|migrations?|fixtures?|\.github|\.gitlab|\.circleci|grafana|dashboards?)(\/|[.-])|(^|\/)\.[^/]+$/i;

interface RemovedRead {
  key: string;
  path: string;
  line: Line;
}

export const unreadSettings: Check = {
  name: 'unread_setting',
  reviewer: 'documentation_drift',
  looksFor: 'keys that configuration files set but code no longer reads',
  isOffByDefault: true,
  async run(change, code) {
    const gone = await listRemovedReads(change);
    if (gone.length === 0) return [];
    const words = new Map(gone.map(({ key }) => [key, spellingsOf(lastOf(key))] as const));
    const { lines, truncated } = await code.find('head', [...new Set([...words.values()].flat())], {
      wholeWords: true,
    });
    if (truncated) return [];
    const results: Found[] = [];
    for (const read of gone) {
      const { key, line, path } = read;
      const own = anyOf(words.get(key)!);
      const named = lines.filter(({ text }) => own.test(text));
      // Laravel's own files set keys in code.
      if (
        named.some((each) => mayRead(each) && !(PHP_CONFIGURATION.test(each.path) && isSet(each, key, path)))
      )
        continue;
      const settings: FoundLine[] = [];
      for (const each of named)
        if (isSet(each, key, path) && !isAdded(change.files, each) && (await isBelow(code, each, key)))
          settings.push(each);
      const [first] = settings;
      if (!first) continue;
      results.push({
        claim: 'unused',
        subject: key,
        title: `${key} is still set but no longer read`,
        scenario: `${first.path}:${first.line} still sets ${lastOf(key)}, and nothing in this repository reads it after this change: whoever sets it gets no effect and no error.`,
        ...{ file: path, side: 'base', line: line.number, quote: line.text },
        evidence: settings.slice(0, MAX_SHOWN).map((each) => ({
          ...{ side: 'head', path: each.path, line: each.line, quote: each.text.trim() },
        })),
        command: `git grep -nw -e ${shellWord(lastOf(key))} ${change.head.slice(0, 12)}`,
      });
    }
    return results;
  },
};

async function listRemovedReads(change: Change): Promise<RemovedRead[]> {
  const gone = new Map<string, RemovedRead>();
  const kept = new Set<string>();
  for (const file of change.files) {
    const path = file.oldPath ?? file.path;
    const readers = READS.filter((each) => each.file.test(path));
    if (
      readers.length === 0 ||
      file.change === 'added' ||
      file.fileClass === 'test' ||
      file.fileClass === 'vendored'
    )
      continue;
    const keysIn = (text: string) =>
      text.length > MAX_LINE_CHARACTERS
        ? []
        : readers.flatMap(({ pattern }) => [...text.matchAll(pattern)].map(([, key]) => key!));
    for (const { text } of addedLines(file)) for (const key of keysIn(text)) kept.add(key);
    for (const line of removedLines(file))
      for (const key of keysIn(line.text))
        if (isTelling(key) && !gone.has(key)) gone.set(key, { key, path, line });
  }
  return [...gone.values()].filter(({ key }) => !kept.has(key)).slice(0, MAX_KEYS);
}

/** A single common word at the top could mean anything. */
function isTelling(key: string): boolean {
  const last = lastOf(key);
  return (
    last.length >= MIN_CHARACTERS && (/[a-z][A-Z]|[a-z0-9][_-][a-z]/i.test(last) || key.split('.').length > 2)
  );
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function spellingsOf(word: string): string[] {
  const parts = word
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/)
    .filter(Boolean);
  const pascal = parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`).join('');
  return [
    ...new Set([
      ...[word, parts.join('_'), parts.join('-'), parts.join('_').toUpperCase(), parts.join(''), pascal],
      `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`,
    ]),
  ];
}

function anyOf(words: string[]): RegExp {
  return new RegExp(`(?<!\\w)(?:${words.map((word) => RegExp.escape(word)).join('|')})(?!\\w)`);
}

/** Anything that isn't a document or plain data, and templates of Helm. */
function mayRead({ path, text }: FoundLine): boolean {
  const kind = fileClassOf(path);
  return (kind !== 'docs' && kind !== 'data' && kind !== 'lock') || /\.Values\.|\$\{|\{\{/.test(text);
}

function isSet({ path, text }: FoundLine, key: string, reader: string): boolean {
  if (fileClassOf(path) !== 'data' && !PHP_CONFIGURATION.test(path)) return false;
  const last = RegExp.escape(lastOf(key));
  if (/\.php$/.test(reader))
    return (
      path.endsWith(`config/${key.split('.')[0]}.php`) && new RegExp(`^\\s*["']${last}["']\\s*=>`).test(text)
    );
  if (!CONFIGURATION.test(path) || NO_CONFIGURATION.test(path)) return false;
  if (/\.tpl$|(^|\/)templates\//.test(reader))
    return /(^|\/)values[\w.-]*\.ya?ml$/.test(path) && new RegExp(`^\\s*${last}\\s*:`).test(text);
  return new RegExp(`^\\s*(?:-\\s+)?["']?(?:[\\w-]+\\.)*${last}["']?\\s*[:=](?!=)`).test(text);
}

/** Whether the key is at the same place: below the names before its last one, in lines above or on its own. */
async function isBelow(code: ReviewCode, { line, path, text }: FoundLine, key: string): Promise<boolean> {
  const parents = key.split('.').slice(0, -1);
  if (PHP_CONFIGURATION.test(path)) parents.shift();
  if (parents.length === 0) return true;
  const above = ((await code.read('head', path)) ?? '').split('\n').slice(0, line - 1);
  const around = [...above, text].join('\n');
  return parents.every((parent) => anyOf([parent]).test(around));
}
