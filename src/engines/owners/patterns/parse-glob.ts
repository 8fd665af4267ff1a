/** Reads the globs of CODEOWNERS files: those of GitHub, which are nearly those of .gitignore, and those of GitLab. */
import {
  BadPattern,
  type Expression,
  FOLDERS,
  IN_NAME,
  literal,
  ONE_IN_NAME,
  optional,
  SOMETHING,
  sequence,
} from './expression.ts';

/** A pattern without a slash before its end matches at any depth, and a folder stands for everything in it, except after `/*`. */
export function parseGitHubGlob(pattern: string): Expression {
  if (pattern.startsWith('!')) throw new BadPattern('GitHub has no patterns that begin with “!”');
  if (pattern.startsWith('\\#')) throw new BadPattern('GitHub can’t escape a “#” at the beginning');
  if (/(?<!\\)[[\]]/.test(pattern)) throw new BadPattern('GitHub has no character ranges in “[ ]”');
  const isFolder = pattern.endsWith('/');
  const names = pattern.replace(/^\//, '').replace(/\/$/, '').split('/');
  const isAnchored = pattern.startsWith('/') || names.length > 1;
  const last = names.at(-1);
  const parts = [...(isAnchored ? [] : [FOLDERS]), ...inFolders(names, () => undefined, SOMETHING)];
  if (isFolder) parts.push(literal('/'), SOMETHING);
  else if (last !== '**' && !(last === '*' && isAnchored))
    parts.push(optional(sequence([literal('/'), SOMETHING])));
  return sequence(parts);
}

/** A path that doesn't begin with a slash matches at any depth; a folder ends with a slash. As Ruby's `File.fnmatch` does. */
export function parseGitLabGlob(pattern: string): Expression {
  const isAnchored = pattern.startsWith('/');
  const path = pattern.slice(isAnchored ? 1 : 0).replace(/\/$/, '/**/*');
  const parts = inFolders(path.split('/'), readBrackets, IN_NAME);
  return sequence([...(isAnchored && pattern !== '/' ? [] : [FOLDERS]), ...parts]);
}

type ReadSpecial = (name: string, at: number) => { part: Expression; end: number } | undefined;

/** `rest` is what two stars at the end stand for. */
function inFolders(names: string[], readSpecial: ReadSpecial, rest: Expression): Expression[] {
  return names.flatMap((name, index) => {
    const isLast = index === names.length - 1;
    if (name === '**') return [isLast ? rest : FOLDERS];
    return [...readName(name, readSpecial), ...(isLast ? [] : [literal('/')])];
  });
}

function readName(name: string, readSpecial: ReadSpecial): Expression[] {
  const parts: Expression[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = String.fromCodePoint(name.codePointAt(at)!);
    const special = readSpecial(name, at);
    if (special) {
      parts.push(special.part);
      at = special.end;
    } else if (character === '*') {
      if (name[at - 1] !== '*') parts.push(IN_NAME);
    } else if (character === '?') {
      parts.push(ONE_IN_NAME);
    } else if (character === '\\' && at + 1 < name.length) {
      at += 1;
      const escaped = String.fromCodePoint(name.codePointAt(at)!);
      parts.push(literal(escaped));
      at += escaped.length - 1;
    } else {
      parts.push(literal(character));
      at += character.length - 1;
    }
  }
  return parts;
}

/** A range such as `[a-z]` or `[!a]`; brackets that are not closed match themselves. */
function readBrackets(name: string, at: number): ReturnType<ReadSpecial> {
  const found = /^\[([!^]?)([^\]]+)\]/u.exec(name.slice(at));
  if (!found) return undefined;
  const negated = found[1] !== '';
  const characters = Array.from(found[2]!, (character) => character.codePointAt(0)!);
  const ranges: [number, number][] = negated ? [[47, 47]] : [];
  for (let index = 0; index < characters.length; index++) {
    const first = characters[index]!;
    const isRange = characters[index + 1] === 45 && index + 2 < characters.length;
    ranges.push([first, isRange ? characters[index + 2]! : first]);
    if (isRange) index += 2;
  }
  return { part: { kind: 'set', set: { ranges, negated } }, end: at + found[0].length - 1 };
}
