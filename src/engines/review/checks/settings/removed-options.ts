/** Command-line options that the change removed from a program and that deployment files and scripts still pass to it. */
import type { Check, Found } from '../../check.ts';
import { fileClassOf } from '../../code/file-class.ts';
import { type Change, isAdded, type Line, removedLines } from '../../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

const MAX_OPTIONS = 60;
const MAX_SHOWN = 3;
const MIN_CHARACTERS = 4;
const MAX_LINE_CHARACTERS = 1000;
/** Lines around one that passes an option: a command of several lines, or a list of arguments. */
const LINES_ABOVE = 15;
const LINES_BELOW = 3;
const NAME = '([a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*)';
/** Calls that define an option, and the option in them. */
const QUOTED = new RegExp(`["'\`](?:-\\w(?:,\\s*|\\|))?--${NAME}(?=["'\`\\s=<[|])`, 'g');
const DEFINES =
  /\badd_argument\(|\badd_option\(|\bclick\.option\(|\btyper\.Option\(|@(?:\w+\.)?option\(|\.(?:requiredO|addO|o)ption\(|\bopts?\.on\(|\bnames\s*=|@Parameter\(/;
const IN_GO = new RegExp(
  `\\b(?:\\w*[fF]lags?(?:\\(\\))?|\\w*[fF]lagSet|pflag|fs|f)\\.(?:[A-Z]\\w*)\\(\\s*(?:&[\\w.[\\]]+,\\s*)?"${NAME}"`,
);
const IN_GO_STRUCT = new RegExp(`^\\s*(?:&?cli\\.\\w*Flag\\{\\s*)?Name:\\s*"${NAME}"`);
const IN_RUST = new RegExp(`\\blong\\s*(?:=\\s*|\\()"${NAME}"`);
const CODE = /\.(py|go|rs|[cm]?[jt]sx?|rb|java|kt|cs|php|c|cc|cpp|h|hpp|ex|exs|scala|swift|pl)$/i;
const SCRIPT =
  /(^|\/)(Dockerfile|Containerfile|Makefile|Procfile|justfile|Taskfile)[^/]*$|\.(dockerfile|sh|bash|ya?ml|service|mk|conf|ini|toml|bat|ps1|cmd)$|(^|\/)package\.json$/i;
const ABOUT_THE_PAST = /^\s*#|\b(removed?|deprecat\w*|renamed?|no longer|formerly|legacy)\b/i;
/** Folders and files that say nothing about the program. */
const NO_PROGRAM =
  /^(src|cmd|cli|lib|app|apps|main|__main__|__init__|index|internal|pkg|bin|args?|arguments|options?|opts|flags?|config|commands?|command|root|server|core|common|utils?|tools?|scripts?|management|packages|services?|backend|python|java|kotlin|com|org|net|io|run|start|entrypoint|mod|test|tests)$/i;
const MANIFESTS = ['go.mod', 'package.json', 'pyproject.toml', 'Cargo.toml'];

interface Option {
  name: string;
  path: string;
  line: Line;
}

export const removedOptions: Check = {
  name: 'removed_option',
  reviewer: 'documentation_drift',
  looksFor: 'removed command-line options that deployment files and scripts still pass',
  isOffByDefault: true,
  async run(change, code) {
    const options = await listRemovedOptions(change, code);
    if (options.length === 0) return [];
    const words = new Set(options.flatMap(({ name }) => spellingsOf(name)));
    const { lines, truncated } = await code.find('head', [...words], { wholeWords: false });
    if (truncated) return [];
    const results: Found[] = [];
    for (const option of options) {
      const pattern = anyOf(spellingsOf(option.name));
      const named = lines.filter(({ text }) => pattern.test(text));
      if (named.some(({ path }) => isCode(path))) continue;
      const programs = await programsOf(code, option.path);
      const uses: FoundLine[] = [];
      for (const use of named)
        if (
          passes(use, option.name) &&
          !isAdded(change.files, use) &&
          (await isForProgram(code, use, programs))
        )
          uses.push(use);
      if (uses.length > 0) results.push(describe(change, option, uses));
    }
    return results;
  },
};

async function listRemovedOptions(change: Change, code: ReviewCode): Promise<Option[]> {
  const options = new Map<string, Option>();
  for (const file of change.files) {
    const path = file.oldPath ?? file.path;
    if (file.fileClass !== 'code' || file.change === 'added' || !CODE.test(path)) continue;
    const removed = removedLines(file).filter(
      ({ text }) => text.length < MAX_LINE_CHARACTERS && /["'`]/.test(text),
    );
    if (removed.length === 0) continue;
    const lines = (await code.read('base', path))?.split('\n') ?? [];
    for (const line of removed)
      for (const name of definedOn(lines, line))
        if (name.length >= MIN_CHARACTERS && !options.has(name) && options.size < MAX_OPTIONS)
          options.set(name, { name, path, line });
  }
  return [...options.values()];
}

function definedOn(lines: string[], { number, text }: Line): string[] {
  const go = IN_GO.exec(text)?.[1] ?? IN_RUST.exec(text)?.[1];
  if (go !== undefined) return [go];
  const above = (count: number) => lines.slice(Math.max(0, number - 1 - count), number).join('\n');
  const struct = IN_GO_STRUCT.exec(text)?.[1];
  if (struct !== undefined) return /Flag\{/.test(above(2)) ? [struct] : [];
  const quoted = [...text.matchAll(QUOTED)].map(([, name]) => name!);
  return quoted.length > 0 && DEFINES.test(above(3)) ? quoted : [];
}

/** `dry-run`, and as code names what it was given: `dry_run`, `dryRun`, `DryRun`. */
function spellingsOf(name: string): string[] {
  const parts = name.split(/[-_.]/);
  if (parts.length === 1) return [name];
  const pascal = parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`).join('');
  return [
    name,
    parts.join('_'),
    parts.join('-'),
    `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`,
    pascal,
  ];
}

function anyOf(words: string[]): RegExp {
  return new RegExp(`(?<![\\w-])(?:--?)?(?:${words.map((word) => RegExp.escape(word)).join('|')})(?![\\w-])`);
}

/** Anything that may define it, or does the same for another program. */
function isCode(path: string): boolean {
  return CODE.test(path) && fileClassOf(path) !== 'docs';
}

function passes({ path, text }: FoundLine, name: string): boolean {
  if (!SCRIPT.test(path) || ABOUT_THE_PAST.test(text) || fileClassOf(path) === 'vendored') return false;
  return new RegExp(`(?<![\\w-])--?${RegExp.escape(name)}(?![\\w-])`).test(text);
}

/** Words that name the program that a file belongs to. */
async function programsOf(code: ReviewCode, path: string): Promise<string[]> {
  const parts = path.replace(/\.\w+$/, '').split('/');
  const names = parts.flatMap((part) => [part, part.replaceAll('_', '-')]);
  for (const manifest of MANIFESTS) {
    const text = (await code.read('head', manifest)) ?? '';
    const name =
      /^module\s+\S*?([\w.-]+?)(?:\/v\d+)?$|^\s*"?name"?\s*[:=]\s*"(?:@[\w.-]+\/)?([\w.-]+)"/m.exec(text);
    const own = name?.slice(1).find(Boolean);
    if (own) names.push(own);
  }
  return [...new Set(names)].filter((name) => name.length > 2 && !NO_PROGRAM.test(name));
}

async function isForProgram(
  code: ReviewCode,
  { line, path }: FoundLine,
  programs: string[],
): Promise<boolean> {
  const lines = (await code.read('head', path))?.split('\n') ?? [];
  const around = lines.slice(Math.max(0, line - 1 - LINES_ABOVE), line + LINES_BELOW).join('\n');
  return programs.some((name) =>
    new RegExp(`(?<![a-z0-9])${RegExp.escape(name)}(?![a-z0-9])`, 'i').test(around),
  );
}

function describe(change: Change, { line, name, path }: Option, uses: FoundLine[]): Found {
  const [first] = uses;
  return {
    claim: 'contract',
    subject: `--${name}`,
    title: `The option --${name} was removed but is still passed`,
    scenario: `${first!.path}:${first!.line} still passes --${name}, which ${path} no longer defines and no other code does: the program stops with an unknown option.`,
    ...{ file: path, side: 'base', line: line.number, quote: line.text },
    evidence: uses.slice(0, MAX_SHOWN).map((each) => ({
      ...{ side: 'head', path: each.path, line: each.line, quote: each.text.trim() },
    })),
    command: `git grep -nF -e ${shellWord(name)} ${change.head.slice(0, 12)}`,
  };
}
