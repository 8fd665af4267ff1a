/**
 * Real commits that removed a method or a field of a type, changed the parameters of a method, or renamed a parameter, together with
 * a file that used it as it was. They are chosen by patterns of lines alone, not by what the checks read.
 */
import { type FindBreak, filesWith, git, NOT_CODE } from './seed-breaks.ts';

const MIN_NAME_CHARACTERS = 4;
const MAX_NAMES_OF_COMMIT = 8;
const METHODS: { endings: RegExp; pattern: RegExp }[] = [
  { endings: /\.go$/, pattern: /^(?:func \([^)]*\) |\t)([A-Za-z]\w+)\(/ },
  {
    endings: /\.java$/,
    pattern:
      /^\s+(?:(?:public|protected|static|final|abstract|default|synchronized) )*(?!return|new|else|throw)[\w<>[\],.? ]+ (\w+)\s*\(/,
  },
];
const FIELD = /^\s+(?:(?:public|protected|static|final) )+(?!class|return|new)[\w<>[\],.? ]+ (\w+)\s*(?:=|;)/;

interface ChangedFile {
  path: string;
  removed: string[];
  added: string[];
}

/** The name is nowhere in the language's files at the head, and the file that is put back had it after a dot. */
export const findMemberBreak: FindBreak = async (gitDir, base, head) => {
  const files = await changedFiles(gitDir, base, head);
  const names = new Map<string, string>();
  for (const { path, removed } of files.filter(({ path: each }) => !NOT_CODE.test(each))) {
    const ending = METHODS.find(({ endings }) => endings.test(path));
    for (const line of ending ? removed : []) {
      const name =
        ending!.pattern.exec(line)?.[1] ?? (path.endsWith('.java') ? FIELD.exec(line)?.[1] : undefined);
      // A tab alone begins a call in Go, too.
      if (!name || name.length < MIN_NAME_CHARACTERS || (line.startsWith('\t') && path.endsWith('.go')))
        continue;
      names.set(name, path);
    }
  }
  for (const [name, definedIn] of [...names].slice(0, MAX_NAMES_OF_COMMIT)) {
    const { endings } = METHODS.find(({ endings: each }) => each.test(definedIn))!;
    const used = new RegExp(`(?<!this)\\.${name}\\b`);
    const isUser = ({ path, removed }: ChangedFile) =>
      path !== definedIn &&
      endings.test(path) &&
      !NOT_CODE.test(path) &&
      removed.some((line) => isCode(line) && used.test(line));
    const user = files.find(isUser);
    if (!user) continue;
    if ((await filesWith(gitDir, name, head)).some((path) => endings.test(path))) continue;
    return { name, path: user.path, definedIn };
  }
  return undefined;
};

/** Calls of the name changed their number of arguments in the file that is put back, as its definition did. */
export const findParameterBreak: FindBreak = async (gitDir, base, head) => {
  const files = await changedFiles(gitDir, base, head);
  for (const { added, path: definedIn, removed } of files) {
    const rule = METHODS.find(({ endings }) => endings.test(definedIn));
    if (!rule || NOT_CODE.test(definedIn)) continue;
    for (const line of removed) {
      const name = rule.pattern.exec(line)?.[1];
      const before = name === undefined ? undefined : countIn(line, `${name}(`);
      if (name === undefined || before === undefined || !isDefinition(line, name)) continue;
      const now = added.filter((each) => rule.pattern.exec(each)?.[1] === name && isDefinition(each, name));
      if (now.length !== 1 || countIn(now[0]!, `${name}(`) === before) continue;
      // Variable numbers of arguments always fit.
      if (`${line}${now[0]}`.includes('...')) continue;
      const after = countIn(now[0]!, `${name}(`);
      const user = files.find(
        ({ added: newer, path, removed: older }) =>
          path !== definedIn &&
          rule.endings.test(path) &&
          !NOT_CODE.test(path) &&
          older.some((each) => isCode(each) && countIn(each, `.${name}(`) === before) &&
          newer.some((each) => countIn(each, `.${name}(`) === after),
      );
      if (user && after !== undefined) return { name, path: user.path, definedIn };
    }
  }
  return undefined;
};

/** A parameter is gone from a function of Python, and the file that is put back passes it by its name. */
export const findKeywordBreak: FindBreak = async (gitDir, base, head) => {
  const files = (await changedFiles(gitDir, base, head)).filter(({ path }) => path.endsWith('.py'));
  for (const { path: definedIn } of files) {
    if (NOT_CODE.test(definedIn)) continue;
    const [old, now] = [await textOf(gitDir, base, definedIn), await textOf(gitDir, head, definedIn)];
    for (const [, name] of old.matchAll(/^(?:async )?def (\w{4,})\(/gm)) {
      const before = parameterNames(old, name!);
      const after = parameterNames(now, name!);
      if (!before || !after || after.some((each) => each.startsWith('**'))) continue;
      const gone = before.filter((each) => !after.includes(each) && !each.startsWith('*'));
      for (const parameter of gone) {
        const keyword = new RegExp(`\\b${parameter}\\s*=(?!=)`);
        for (const { path, removed } of files) {
          if (path === definedIn || NOT_CODE.test(path) || !removed.some((line) => keyword.test(line)))
            continue;
          const user = await textOf(gitDir, base, path);
          const calls = [...user.matchAll(new RegExp(`(?<![.\\w])${name}\\(`, 'g'))];
          const isPassed = calls.some(({ 0: call, index }) => {
            const text = user.slice(index + call.length, endOf(user, index + call.length));
            return topLevel(text).some((part) => keyword.test(part) && part.trim().startsWith(parameter));
          });
          if (isPassed) return { name: name!, path, definedIn };
        }
      }
    }
  }
  return undefined;
};

async function changedFiles(gitDir: string, base: string, head: string): Promise<ChangedFile[]> {
  const difference = await git(gitDir, [
    'diff',
    '--no-color',
    '--no-ext-diff',
    '-U0',
    '--no-renames',
    '--diff-filter=M',
    base,
    head,
    '--',
  ]);
  const files: ChangedFile[] = [];
  for (const line of difference.split('\n')) {
    if (line.startsWith('--- a/')) files.push({ path: line.slice(6), removed: [], added: [] });
    else if (line.startsWith('-') && !line.startsWith('---')) files.at(-1)?.removed.push(line.slice(1));
    else if (line.startsWith('+') && !line.startsWith('+++')) files.at(-1)?.added.push(line.slice(1));
  }
  return files;
}

const isCode = (line: string) => !/^\s*(?:\/\/|\/?\*|#)/.test(line);

/** Not a call, which the pattern can take for one. */
function isDefinition(line: string, name: string): boolean {
  return (
    line.startsWith('func ') || !/[.=(]|\b(?:return|throw)\b/.test(line.slice(0, line.indexOf(`${name}(`)))
  );
}

/** How many arguments or parameters follow in one line; undefined when it does not end there. */
function countIn(line: string, start: string): number | undefined {
  const at = line.indexOf(start);
  if (at === -1) return undefined;
  const from = at + start.length;
  const end = endOf(line, from);
  if (end === undefined) return undefined;
  return topLevel(line.slice(from, end)).filter((part) => part.trim() !== '').length;
}

/** Where the bracket closes that was open at the start. */
function endOf(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if ('([{'.includes(text[at]!)) depth += 1;
    else if (')]}'.includes(text[at]!)) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Parts between commas that are in no bracket. */
function topLevel(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    if ('([{<'.includes(sign)) depth += 1;
    else if (')]}>'.includes(sign)) depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

/** Undefined for none or several definitions. */
function parameterNames(text: string, name: string): string[] | undefined {
  const found = [...text.matchAll(new RegExp(`^(?:async )?def ${name}\\(`, 'gm'))];
  if (found.length !== 1) return undefined;
  const from = found[0]!.index + found[0]![0].length;
  const end = endOf(text, from);
  if (end === undefined) return undefined;
  return topLevel(text.slice(from, end).replaceAll(/#.*$/gm, '')).flatMap(
    (part) => /^\s*(\**\w+)/.exec(part)?.[1] ?? [],
  );
}

async function textOf(gitDir: string, commit: string, path: string): Promise<string> {
  return git(gitDir, ['show', `${commit}:${path}`]);
}
