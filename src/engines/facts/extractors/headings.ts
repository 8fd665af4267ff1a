/** The headings of documents, each with the first sentence below it. */
import type { Extractor } from '../extractor.ts';
import { FactList } from './fact-list.ts';
import { fileName } from './file-name.ts';

const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|asciidoc)$/i;
const README = /^readme(?:\.\w{1,10})?$/i;
const MAX_HEADINGS = 60;
/** A README's first paragraph says what the repository is, so more of it is kept. */
const MAX_SENTENCE_CHARACTERS = 200;
const MAX_PARAGRAPH_CHARACTERS = 400;

interface Heading {
  text: string;
  line: number;
  body: string;
}

export const headings: Extractor = {
  name: 'headings',
  accepts: (path) =>
    (DOCUMENT.test(path) || README.test(fileName(path))) &&
    !/(?:^|\/)(?:changelog|changes|history|license)\b[^/]*$/i.test(path),
  extract(file) {
    const isReadme = README.test(fileName(file.path));
    const found = readHeadings(file.text, formatOf(file.path));
    const facts = new FactList(MAX_HEADINGS);
    for (const [index, heading] of found.entries()) {
      const isFirst = isReadme && index === firstWithBody(found);
      const detail = isFirst ? heading.body.slice(0, MAX_PARAGRAPH_CHARACTERS) : firstSentence(heading.body);
      facts.add({ kind: 'heading', role: 'provides', name: plain(heading.text), line: heading.line, detail });
    }
    return facts.facts;
  },
};

type Format = 'markdown' | 'rst' | 'adoc';

function formatOf(path: string): Format {
  if (/\.rst$/i.test(path)) return 'rst';
  return /\.(?:adoc|asciidoc)$/i.test(path) ? 'adoc' : 'markdown';
}

function firstWithBody(found: Heading[]): number {
  return found.findIndex(({ body }) => body !== '');
}

function readHeadings(source: string, format: Format): Heading[] {
  const found: Heading[] = [];
  const lines = source.split('\n', 20_000);
  let fence: string | null = null;
  let isParagraphOver = false;
  const start = frontMatterEnd(lines);
  for (let i = start; i < lines.length && found.length <= MAX_HEADINGS; i += 1) {
    const line = lines[i]!.slice(0, 1000).trimEnd();
    const marker = /^\s{0,3}(```|~~~|----\s*$|\.\.\.\.\s*$)/.exec(line)?.[1]?.trim();
    const isFence = marker && (/^[`~]/.test(marker) || format === 'adoc');
    if (fence) {
      if (marker === fence) fence = null;
      continue;
    }
    if (isFence && marker) {
      fence = marker;
      continue;
    }
    const heading = headingAt(lines, i, format);
    if (heading) {
      found.push({ text: heading.text, line: i + 1, body: '' });
      isParagraphOver = false;
      i += heading.lines - 1;
      continue;
    }
    const current = found.at(-1);
    if (!current || isParagraphOver) continue;
    const text = isProse(line) ? plain(line) : '';
    if (text === '') isParagraphOver = current.body !== '';
    else if (current.body.length < MAX_PARAGRAPH_CHARACTERS) current.body = `${current.body} ${text}`.trim();
  }
  return found;
}

/** YAML between two lines of dashes. */
function frontMatterEnd(lines: string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.slice(1, 100).findIndex((line) => line.trim() === '---');
  return end === -1 ? 0 : end + 2;
}

function headingAt(lines: string[], i: number, format: Format): { text: string; lines: number } | null {
  const line = lines[i]!.slice(0, 1000).trimEnd();
  const next = lines[i + 1]?.slice(0, 300).trimEnd() ?? '';
  if (format === 'adoc') {
    const match = /^={1,6} (.{1,300})$/.exec(line);
    return match && { text: match[1]!, lines: 1 };
  }
  const underline = format === 'rst' ? /^([=\-~^"'`#*+.:_])\1{2,}$/ : /^(?:={3,}|-{3,})$/;
  const isText = /^\S/.test(line) && /\p{L}/u.test(line) && !/^(?:[-*+>|#]|\d+[.)]|\.\. |:)/.test(line);
  const isLongEnough = format === 'markdown' || next.length >= line.length - 1;
  if (
    isText &&
    underline.test(next) &&
    isLongEnough &&
    (i === 0 || lines[i - 1]!.trim() === '' || underline.test(lines[i - 1]!.trimEnd()))
  ) {
    return { text: line, lines: 2 };
  }
  if (format === 'rst') return null;
  const match = /^#{1,6}\s{1,8}(\S.{0,300}?)(?:\s{1,8}#{1,6})?$/.exec(line);
  if (match) return { text: match[1]!, lines: 1 };
  const html = /^\s{0,8}<h[1-3]\b[^>]{0,200}>(.{1,300}?)<\/h[1-3]>/i.exec(line);
  return html && plain(html[1]!) !== '' ? { text: html[1]!, lines: 1 } : null;
}

/** Not a list, table, badge, comment, directive or HTML. */
function isProse(line: string): boolean {
  const text = line.trim();
  if (
    text === '' ||
    /^(?:[|>]|[-*+] |\d+[.)] |<!--|#{1,6} |\[[^\]]{1,100}\]:|\.\. |:\w|---|===|\[!|import |export |\{|%)/.test(
      text,
    )
  )
    return false;
  return plain(text) !== '';
}

/** Without markup: links and images give their text, tags and badges nothing. */
function plain(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/<[^<>]{0,400}>/g, ' ')
    .replace(/\[!\[[^\]]{0,200}\]\([^)]{0,400}\)\]\([^)]{0,400}\)|!\[[^\]]{0,200}\]\([^)]{0,400}\)/g, ' ')
    .replace(/\[([^[\]]{1,300})\](?:\([^()]{0,400}\)|\[[^[\]]{0,100}\])/g, '$1')
    .replace(/`([^`<]{1,200}?)\s{0,2}<[^`>]{1,300}>`__?/g, '$1')
    .replace(/\{#[^}]{0,100}\}|:[a-z_]{2,30}:(?=\s|$)/g, ' ')
    .replace(/\*{1,3}([^*]{1,400})\*{1,3}/g, '$1')
    .replace(/`{1,2}([^`]{1,300})`{1,2}/g, '$1')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function firstSentence(text: string): string {
  const end = /[.!?](?=\s\p{Lu})/u.exec(text.slice(0, MAX_SENTENCE_CHARACTERS))?.index;
  return end === undefined ? text.slice(0, MAX_SENTENCE_CHARACTERS) : text.slice(0, end + 1);
}
