/** The repositories that a plan lists in its section on repositories. */
import { type Block, findCodeSpans, plainText } from '../text/index.ts';

export const MAX_REPOSITORIES = 100;

const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}(?:\/[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}){0,4}$/u;
const ADDRESS =
  /^(?:(?:https?|ssh|git):\/\/)?(?:[\w.-]{1,50}@)?[\w-]{1,100}(?:\.[\w-]{1,100}){1,5}(?::\d{1,5})?[:/](.+)$/;
const NO_NAMES = new Set(
  `none n/a na tbd unknown all no not only this the both single one same any some it we each every
  repository repositories repo repos`.split(/\s+/),
);
/** Must follow a name that is not in backticks. */
const BEHIND_NAME = /^\s*(?:$|[:–—(,→]|-\s|\s-|and\s|&)/;
const BETWEEN_NAMES = /^(?:\s*(?:,|&|\+|;)\s*(?:and\s+)?|\s+and\s+)/;

/** How much of the section is read. */
const MAX_BLOCKS = 1000;

/** Far more than a name and a few words. */
const MAX_LINE_LENGTH = 2000;

/** The names in the blocks of the section, in order and without duplicates. */
export function namedRepositories(content: string, blocks: Block[]): string[] {
  const names = new Map<string, string>();
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    if (names.size >= MAX_REPOSITORIES) break;
    for (const line of linesWithNames(content, block)) {
      for (const name of namesAtStart(line, block.kind === 'paragraph')) {
        if (names.size < MAX_REPOSITORIES && !names.has(name.toLowerCase()))
          names.set(name.toLowerCase(), name);
      }
    }
  }
  return [...names.values()];
}

function linesWithNames(content: string, block: Block): string[] {
  const text = content.slice(
    block.textStart,
    Math.min(block.textEnd, block.textStart + MAX_LINE_LENGTH * 50),
  );
  if (block.kind === 'list-item' || block.kind === 'paragraph' || block.kind === 'heading') {
    return block.depth === 0 ? [text.slice(0, MAX_LINE_LENGTH)] : [];
  }
  if (block.kind !== 'table') return [];
  const rows = text.split('\n').slice(2, 2 + MAX_REPOSITORIES);
  return rows.map((row) => row.slice(0, MAX_LINE_LENGTH).trim().replace(/^\|/, '').split('|')[0]!);
}

/** `acme/api`, or `acme/api, acme/web and tools`; in a paragraph, nothing else may follow names without backticks. */
function namesAtStart(line: string, isSentence: boolean): string[] {
  const names: string[] = [];
  let rest = withoutMarks(line.trim());
  for (;;) {
    const span = rest.startsWith('`') ? findCodeSpans(rest.slice(0, 300))[0] : undefined;
    const isCode = span !== undefined && span.start === 0;
    const word = isCode
      ? rest.slice(span.textStart, span.textEnd)
      : /^[^\s,;:()–—&→]+(?::[^\s,;()]+)?/.exec(rest)?.[0];
    if (word === undefined) break;
    const name = repositoryName(word);
    rest = rest.slice(isCode ? span.end : word.length);
    if (name === null || (!isCode && !BEHIND_NAME.test(rest))) break;
    if (isSentence && !isCode && !name.includes('/') && !/^\s*(?:$|,|and\s|&|\()/.test(rest)) break;
    names.push(name);
    const between = BETWEEN_NAMES.exec(rest);
    if (!between || names.length === MAX_REPOSITORIES) break;
    rest = rest.slice(between[0].length);
  }
  return names.length === 1 ? [named(names[0]!, rest)] : names;
}

/** In "Backend: `acme/api`", the name follows the label. */
function named(label: string, rest: string): string {
  const code = /^\s*[:–—-]\s*`([^`]{1,200})`/.exec(rest)?.[1];
  const name = code === undefined || label.includes('/') ? null : repositoryName(code);
  return name?.includes('/') && !/\.\w{1,5}$/.test(name) ? name : label;
}

/** Without emphasis and links, but with backticks, because they mark names. */
function withoutMarks(line: string): string {
  const address = /^\[[^[\]]{0,200}\]\(([^()\s]{1,500})\)/.exec(line);
  const linked = address ? repositoryName(address[1]!) : null;
  if (address && linked?.includes('/')) return linked + line.slice(address[0].length);
  const bare = line.replace(/\*\*|__/g, '').replace(/^\[([^[\]]{0,200})\]\([^()\s]{0,500}\)/, '$1');
  return bare.startsWith('`') ? bare : bare.replace(/^[*_]|^\p{Emoji_Presentation}\s*/u, '');
}

function repositoryName(word: string): string | null {
  const plain = plainText(word.slice(0, 600)).replace(/[.:*_]+$/, '');
  const path = ADDRESS.exec(plain)?.[1] ?? plain;
  const isAddress = path !== plain;
  const name = path
    .replace(/[#?].*$/, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  const short = isAddress ? name.split('/').slice(0, 2).join('/') : name;
  return NAME.test(short) && !NO_NAMES.has(short.toLowerCase()) ? short : null;
}
