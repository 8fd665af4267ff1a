/** Environment variables that deployment files still set although the change removed the last code that reads them. */
import type { Check, Found } from '../check.ts';
import { fileClassOf } from '../code/file-class.ts';
import { type Change, type Line, removedLines } from '../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../code/review-code.ts';
import { shellWord } from '../code/shell-word.ts';

const MAX_NAMES = 60;
const MAX_SHOWN = 3;
const MENTIONS_ENVIRONMENT = /env/i;
/** Programs, libraries, images and platforms read these on their own. */
const READ_BY_OTHERS =
  /^(AIRFLOW|ANSIBLE|ANTHROPIC|APP|ARM|ASPNETCORE|AWS|AZURE|BUNDLE|BUN|CELERY|CGO|CI|CLOUDFLARE|CODECOV|COMPOSE|COVERAGE|CUDA|CYPRESS|DATABASE|DB|DD|DENO|DJANGO|DOCKER|DOTNET|ELASTIC|ELECTRON|ESLINT|FLASK|FLY|FORCE|GCLOUD|GCP|GEM|GH|GIT|GITHUB|GITLAB|GOOGLE|GO|GRADLE|GRAFANA|GUNICORN|HF|HEROKU|HOST|HTTP|HTTPS|JAVA|JDK|JEST|JVM|KAFKA|KUBE|KUBERNETES|LANG|LC|LD|LOG|MAVEN|MINIO|MONGO|MYSQL|NETLIFY|NEW_RELIC|NEXT(?!_PUBLIC_)|NEXTAUTH|NGINX|NO|NODE|NPM|NUXT|NVIDIA|OPENAI|OTEL|PG|PHP|PIP|PLAYWRIGHT|PNPM|POETRY|PORT|POSTGRES|PRISMA|PUPPETEER|PYTEST|PYTHON|RABBITMQ|RACK|RAILS|RAY|REDIS|RUBY|RUNNER|RUST|S6|SBT|SENTRY|SERVER|SKIP|SPRING|SQLALCHEMY|SSH|SSL|STORYBOOK|TELEMETRY|TF|TORCH|TURBO|TWINE|UV|UVICORN|VERCEL|VIRTUAL|VITEST|WEB|XDG|YARN)(_|\d*$)|^(PG|PYTHON|GO|DEBUG|RUST)[A-Z]*$|_PROXY$/;
const DOCKERFILE = /(^|\/)(Dockerfile|Containerfile)[^/]*$|\.dockerfile$/i;
const COMPOSE = /(^|\/)(docker-)?compose[^/]*\.ya?ml$/;
/** Words that no prefix of a whole program begins with. */
const NO_PREFIX = /^(enable|disable|use|allow|max|min|is|has|show|hide|default|skip|with|no)$/;
const MANIFEST =
  /(^|\/)(package\.json|pyproject\.toml|Pipfile|setup\.(py|cfg)|requirements[^/]*\.(txt|in)|go\.mod|Gemfile|Cargo\.toml|pom\.xml|composer\.json)$|\.(gradle|csproj)$/;
const ENV_FILE = /(^|\/)(\.env(\.[^/]*)?|[^/]*\.env(\.\w+)?|env\.\w+)$/;

export const unreadEnvironment: Check = {
  name: 'unread_environment_variable',
  reviewer: 'documentation_drift',
  looksFor: 'environment variables that deployment files set but code no longer reads',
  isOffByDefault: true,
  async run(change, code) {
    const gone = await listRemovedReads(change, code);
    if (gone.size === 0) return [];
    const { lines, truncated } = await code.find('head', [...gone.keys()], { wholeWords: true });
    if (truncated) return [];
    const results: Found[] = [];
    for (const [name, read] of gone) {
      const named = lines.filter(({ text }) => isWordIn(text, name));
      if (named.some((line) => mayRead(line, name))) continue;
      const settings = await listSettings(code, named, name);
      if (settings.length === 0 || (await isReadUnderAnotherName(code, name))) continue;
      const [{ line, path }] = settings as [FoundLine];
      const more = settings.length > 1 ? ` and ${settings.length - 1} more` : '';
      results.push({
        claim: 'unused',
        subject: name,
        title: `${name} is still set but no longer read`,
        scenario: `${path}:${line}${more} still set${more === '' ? 's' : ''} ${name}, and nothing in this repository reads it after this change: whoever sets it gets no effect and no error.`,
        ...{ file: read.path, side: 'base', line: read.line.number, quote: read.line.text },
        evidence: settings.slice(0, MAX_SHOWN).map((each) => ({
          ...{ side: 'head', path: each.path, line: each.line, quote: each.text.trim() },
        })),
        command: `git grep -nw -e ${shellWord(name)} ${change.head.slice(0, 12)}`,
      });
    }
    return results;
  },
};

interface RemovedRead {
  path: string;
  line: Line;
}

async function listRemovedReads(change: Change, code: ReviewCode): Promise<Map<string, RemovedRead>> {
  const gone = new Map<string, RemovedRead>();
  for (const file of change.files) {
    if (file.fileClass !== 'code' || file.change === 'added' || DOCKERFILE.test(file.path)) continue;
    const removed = removedLines(file).filter(({ text }) => /[A-Z]_/.test(text));
    if (removed.length === 0) continue;
    const path = file.oldPath ?? file.path;
    if (!MENTIONS_ENVIRONMENT.test((await code.read('base', path)) ?? '')) continue;
    const byNumber = new Map(removed.map((line) => [line.number, line] as const));
    for (const { kind, line, name, role } of (await code.facts('base', path))?.facts ?? []) {
      const at = byNumber.get(line);
      const isOwn =
        kind === 'environment' && role === 'uses' && name.includes('_') && !READ_BY_OTHERS.test(name);
      if (at && isOwn && !gone.has(name)) gone.set(name, { path, line: at });
      if (gone.size >= MAX_NAMES) return gone;
    }
  }
  return gone;
}

/** Whether something on the line can read it: code of any kind, and settings that put it elsewhere. */
function mayRead({ path, text }: FoundLine, name: string): boolean {
  const kind = fileClassOf(path);
  if (kind === 'docs' || ENV_FILE.test(path)) return isPutElsewhere(text, name);
  if (DOCKERFILE.test(path)) return isPutElsewhere(text, name) || /^\s*RUN\b/.test(text);
  return kind !== 'data' || isPutElsewhere(text, name);
}

/** `OTHER=${NAME}` reads it; `NAME=${NAME:-default}` only passes it on. */
function isPutElsewhere(text: string, name: string): boolean {
  const reads = new RegExp(
    `\\$\\{?\\{?\\s*(?:(?:env|vars|secrets)\\.)?${name}\\b|%${name}%|\\b(?:env|vars|secrets|inputs|Values)\\.${name}\\b`,
  );
  if (!reads.test(text)) return false;
  return !new RegExp(`^\\s*(?:-\\s*)?(?:ENV\\s+|export\\s+)?["']?${name}["']?\\s*[:=]`).test(text);
}

async function listSettings(code: ReviewCode, named: FoundLine[], name: string): Promise<FoundLine[]> {
  const settings: FoundLine[] = [];
  for (const [path, own] of Map.groupBy(named, (line) => line.path)) {
    if (fileClassOf(path) === 'docs' && !ENV_FILE.test(path)) continue;
    const facts = (await code.facts('head', path))?.facts ?? [];
    const lines = new Set(
      facts
        .filter((fact) => fact.kind === 'environment' && fact.role === 'provides' && fact.name === name)
        .map(({ line }) => line),
    );
    // Examples that are ready to be switched on.
    const isExample = (text: string) =>
      COMPOSE.test(path) && new RegExp(`^\\s*#\\s*(?:-\\s*)?["']?${name}["']?\\s*[:=]`).test(text);
    settings.push(...own.filter(({ line, text }) => lines.has(line) || isExample(text)));
  }
  return settings;
}

/** Libraries of settings read `APP_MAIL_HOST` as `mail_host`, `mailHost`, `mail.host` or by a prefix. */
async function isReadUnderAnotherName(code: ReviewCode, name: string): Promise<boolean> {
  const parts = name.toLowerCase().split('_').filter(Boolean);
  const rests = NO_PREFIX.test(parts[0] ?? '') ? [parts] : parts.map((_, index) => parts.slice(index));
  const spelled = [...new Set(rests.filter((rest) => rest.length > 1).flatMap(spellings))];
  const isIn = (text: string, word: string) =>
    // `mail.host` alone is a member of an object, and a path has nothing to do with it.
    new RegExp(
      word.includes('.')
        ? `["'\`]${RegExp.escape(word)}["'\`]`
        : `(?<![\\w/-])${word}(?![\\w/-]|\\.(?:css|js|html)\\b)`,
    ).test(text);
  const words = await code.find('head', spelled, { wholeWords: true, maxLines: 500 });
  if (words.lines.some(({ path, text }) => isCode(path) && spelled.some((word) => isIn(text, word))))
    return true;
  // `sentence-transformers` reads SENTENCE_TRANSFORMERS_HOME itself.
  const packages = parts.flatMap((_, index) =>
    index > 1 ? ['-', '_'].map((between) => parts.slice(0, index).join(between)) : [],
  );
  const manifests = await code.find('head', packages, { wholeWords: true, maxLines: 500 });
  if (manifests.lines.some(({ path }) => MANIFEST.test(path))) return true;
  const prefixes = parts.slice(0, -1).map(
    (_, index) =>
      `${parts
        .slice(0, index + 1)
        .join('_')
        .toUpperCase()}_`,
  );
  const starts = prefixes.flatMap((prefix) =>
    ['"', "'", '`', '$', '{', '%', '#'].map((end) => `${prefix}${end}`),
  );
  const { lines } = await code.find('head', starts, { wholeWords: false, maxLines: 200 });
  return lines.some(({ path }) => isCode(path));
}

function spellings(parts: string[]): string[] {
  const upper = (part: string) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`;
  const pascal = parts.map(upper).join('');
  const camel = `${parts[0]}${parts.slice(1).map(upper).join('')}`;
  return [
    parts.join('_').toUpperCase(),
    parts.join('_'),
    parts.join('-'),
    parts.join('.'),
    camel,
    pascal,
    parts.join(''),
  ];
}

function isCode(path: string): boolean {
  const kind = fileClassOf(path);
  return (
    (kind === 'code' || kind === 'test' || kind === 'vendored' || kind === 'generated') &&
    !DOCKERFILE.test(path)
  );
}

function isWordIn(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text);
}
