/** Names of routes in Django, Flask and Laravel that the change removed and that templates and code still look up, which fails when they run. */
import type { Check, Found } from '../../check.ts';
import { fileClassOf } from '../../code/file-class.ts';
import { addedLines, type Change, isAdded, type Line, removedLines } from '../../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

const MAX_NAMES = 100;
const MAX_SHOWN = 5;
const MIN_CHARACTERS = 3;
const MAX_LINE_CHARACTERS = 1000;

interface Framework {
  file: RegExp;
  /** The name of a route on a removed line. */
  defines: RegExp;
  /** New lines that can define names in a way that is not read here. */
  other: RegExp;
  /** Whether a line at the head may give a route this name. */
  mayDefine(text: string, name: string): boolean;
  /** Where it is looked up; the name is put in the place of `NAME`. */
  uses: string;
  error: string;
}

const DJANGO: Framework = {
  file: /\.py$/,
  defines: /\b(?:path|re_path|url)?\b.*\bname\s*=\s*["']([\w.-]+)["']/,
  other: /\binclude\(|\bregister\w*\(|\*\s*\w+|\+=|\bget_\w+\(|\bname\s*=\s*(?!["'])|\bas_view\w*\(\)\s*\+/,
  mayDefine: (text, name) =>
    new RegExp(`\\bname\\s*=\\s*[frbu]?["'](?:${RegExp.escape(name)}["']|[^"']*[{%])`).test(text),
  uses: `(?:\\{%-?\\s*url\\s+["']|\\b(?:reverse|reverse_lazy|redirect|resolve_url)\\(\\s*["'])(?:[\\w.-]+:)*NAME["']`,
  error: 'NoReverseMatch',
};

const LARAVEL: Framework = {
  file: /(^|\/)routes\/.*\.php$/,
  defines: /->name\(\s*["']([\w.-]+[\w-])["']\s*\)/,
  other:
    /\b(?:resources?|apiResources?|singleton)\(|->(?:names?|as)\(\s*(?!["'])|\binclude\b|\brequire\b|->group\(|->prefix\(|["']as["']\s*=>/,
  mayDefine: (text, name) =>
    new RegExp(
      `(?:->|::)(?:name|as)\\(\\s*["'](?:[\\w.-]*\\.)?${RegExp.escape(name.split('.').at(-1)!)}["']`,
    ).test(text) ||
    new RegExp(`["']as["']\\s*=>\\s*["'](?:[\\w.-]*\\.)?${RegExp.escape(name.split('.').at(-1)!)}["']`).test(
      text,
    ),
  uses: `\\b(?:route|to_route|redirectToRoute)\\(\\s*["']NAME["']|->route\\(\\s*["']NAME["']`,
  error: 'RouteNotFoundException',
};

const FLASK: Framework = {
  file: /\.py$/,
  defines: /^\s*(?:async\s+)?def (\w+)\(/,
  other: /\badd_url_rule\(|\bendpoint\s*=/,
  mayDefine: (text, name) =>
    new RegExp(
      `\\bdef ${name}\\(|\\bendpoint\\s*=\\s*["']${name}["']|\\b${name}\\s*=|\\badd_url_rule\\(.*["']${name}["']`,
    ).test(text),
  uses: `\\burl_for\\(\\s*["'][\\w.]*?\\b(?<!\\w)NAME["']`,
  error: 'BuildError',
};

interface RemovedName {
  framework: Framework;
  name: string;
  path: string;
  line: Line;
}

export const removedRouteNames: Check = {
  name: 'removed_route_name',
  reviewer: 'breaking_changes',
  looksFor: 'removed names of routes that templates and code still look up',
  isOffByDefault: true,
  async run(change, code) {
    const removed = await listRemovedNames(change, code);
    if (removed.length === 0) return [];
    const { lines, truncated } = await code.find('head', [...new Set(removed.map(searched))], {
      wholeWords: false,
    });
    if (truncated) return [];
    return removed.flatMap((each): Found[] => {
      const named = lines.filter(
        ({ text }) => text.length < MAX_LINE_CHARACTERS && text.includes(searched(each)),
      );
      const { framework, line, name, path } = each;
      if (named.some(({ text }) => framework.mayDefine(text, name))) return [];
      const pattern = new RegExp(framework.uses.replaceAll('NAME', RegExp.escape(name)));
      const uses = named.filter(
        (use) => pattern.test(use.text) && isCode(use) && !isAdded(change.files, use),
      );
      const [first] = uses;
      if (!first) return [];
      return [
        {
          ...{
            claim: 'contract',
            subject: name,
            file: path,
            side: 'base',
            line: line.number,
            quote: line.text,
          },
          title: `The route ${name} was removed but is still looked up`,
          scenario: `${first.path}:${first.line} still looks up the route \`${name}\`, and nothing in this repository has that name after this change: the line fails with ${framework.error} when it runs.`,
          evidence: uses
            .slice(0, MAX_SHOWN)
            .map((use) => ({ side: 'head', path: use.path, line: use.line, quote: use.text.trim() })),
          command: `git grep -nF -e ${shellWord(name)} ${change.head.slice(0, 12)}`,
        },
      ];
    });
  },
};

/** Groups of Laravel give a name its first parts. */
function searched({ framework, name }: RemovedName): string {
  return framework === LARAVEL ? name.split('.').at(-1)! : name;
}

function isCode({ path, text }: FoundLine): boolean {
  const kind = fileClassOf(path);
  return (
    kind !== 'docs' && kind !== 'vendored' && kind !== 'test' && !/^\s*(#|\/\/|\*|\{#|<!--|\{\{--)/.test(text)
  );
}

async function listRemovedNames(change: Change, code: ReviewCode): Promise<RemovedName[]> {
  const removed: RemovedName[] = [];
  for (const file of change.files) {
    const path = file.oldPath ?? file.path;
    if (file.fileClass !== 'code' || file.change === 'added') continue;
    const frameworks = [LARAVEL, ...(/\.py$/.test(path) ? [DJANGO, FLASK] : [])].filter((each) =>
      each.file.test(path),
    );
    const lost = removedLines(file).filter(({ text }) => text.length < MAX_LINE_CHARACTERS);
    if (frameworks.length === 0 || lost.length === 0) continue;
    const text = (await code.read('base', path)) ?? '';
    const lines = text.split('\n');
    for (const framework of frameworks) {
      if (framework === DJANGO && !/\burlpatterns\b/.test(text)) continue;
      if (
        addedLines(file).some(
          ({ text: line }) => line.length > MAX_LINE_CHARACTERS || framework.other.test(line),
        )
      )
        continue;
      for (const line of lost) {
        const name = framework.defines.exec(line.text)?.[1];
        if (name === undefined || name.length < MIN_CHARACTERS) continue;
        if (framework === FLASK && !isRoute(lines, line.number)) continue;
        removed.push({ framework, name, path, line });
      }
    }
    if (removed.length > MAX_NAMES) break;
  }
  return removed.slice(0, MAX_NAMES);
}

/** Whether the function on the line has a decorator that registers it under its own name. */
function isRoute(lines: string[], number: number): boolean {
  for (let at = number - 2; at >= 0 && /^\s*(@|[)\w"'].*[,)]\s*$|\))/.test(lines[at]!); at -= 1) {
    if (/^\s*@\w+\.(?:route|get|post|put|patch|delete)\(/.test(lines[at]!))
      return !/\bendpoint\s*=/.test(lines.slice(at, number).join('\n'));
    if (/^\s*(def|class)\b/.test(lines[at]!)) return false;
  }
  return false;
}
