/** Reads a README: what it says the software is, and the features that it lists. */
import type { Place } from './write-sentence.ts';
import { plainText } from './write-sentence.ts';

const MAX_LINES = 400;
const MAX_LINE_CHARACTERS = 1000;
const MAX_FEATURES = 30;
const DESCRIPTION_CHARACTERS = 400;
const FEATURE_CHARACTERS = 160;
/** Sections about using, building or contributing rather than about what it does. */
const OTHER_SECTION =
  /install|getting started|quick ?start|licen[sc]e|contribut|sponsor|backer|support|credit|thank|acknowledg|build|develop|test|running|usage|deploy|docker|upgrade|requirement|prerequisite|security|code of conduct|table of contents|contents|community|links|badge|translat|author|help|faq|changelog|release|resources|documentation|contact|donat/i;
/** Lists elsewhere are of links, steps, questions or options. */
const FEATURE_SECTION =
  /feature|highlight|capabilit|what (?:it|.{1,30} (?:does|can|offers))|why |benefits|advantages|overview|about|at a glance/i;
/** Tells the reader to do or look at something. */
const INSTRUCTION =
  /^(?:please|try|see|read|visit|check|click|follow|join|learn|review|find|explore|set up|use|to (?:learn|get|see|find)|for (?:more|details|further|information)|head|go to|take a look|watch|download|browse|discover|looking for|want to|you can (?:find|read|see)|report|for (?:discussing|feedback)|dig into|check out|not sure|this (?:readme|document|file|page))\b/i;
const ANNOUNCES_FEATURES = /feature|you can:|\bgoals?\b|provides|supports|offers|includes?:|aims? to/i;
/** `Acme is a shop for books` says more than a slogan above it. */
const DEFINITION =
  /^(?:[\w.’'-]+|this (?:project|repository|library|tool|package))(?: [A-Z][\w.]*)? is an? /i;
const IS = /\b(?:is|are|provides|lets|helps)\b/;
const MAX_LINE_OF_DEFINITION = 60;
/** Links beside each other, and a request to the reader, say nothing about the software. */
const NAVIGATION = /(?:[|•·][^|•·]{1,60}){3}|\bstar(?:ring)? us\b|\bgive (?:us|it|this) .{0,20}star\b/i;
/** `**Fast** It sells a book in a second` has a title. */
const BOLD_START = /^\*\*([^*:.!?]{1,80})\*\*\s{1,4}(?=\p{Lu})/u;
const FRONT_MATTER = /^---\r?\n.{0,5000}?\n---[ \t]*\r?(?=\n)/s;
const NOTE = /^(?:note|warning|important|caution|tip|disclaimer|\[!)/i;

export interface ReadmeText {
  text: string;
  place: Place;
}

export interface Readme {
  description: ReadmeText | null;
  features: ReadmeText[];
}

export function readReadme(file: { path: string; text: string } | null): Readme {
  const readme: Readme = { description: null, features: [] };
  if (!file) return readme;
  let section = '';
  let isCode = false;
  let isList = false;
  let paragraph: { text: string; line: number } | null = null;
  let item: { text: string; written: string; line: number } | null = null;
  const end = () => {
    if (paragraph) {
      // A list after the description, or after a paragraph that announces it, belongs to it.
      isList =
        paragraph.text.endsWith(':') && (!readme.description || ANNOUNCES_FEATURES.test(paragraph.text));
      const isBetter =
        !readme.description ||
        (paragraph.line < MAX_LINE_OF_DEFINITION &&
          DEFINITION.test(paragraph.text) &&
          !IS.test(readme.description.text));
      if (isBetter && !OTHER_SECTION.test(section)) {
        // A link can go over two lines.
        const text = descriptionOf(withoutMarkup(paragraph.text));
        if (text !== null) readme.description = { text, place: { path: file.path, line: paragraph.line } };
      }
    }
    if (item && isFeature(item.text, item.written) && readme.features.length < MAX_FEATURES) {
      const isFeatures =
        (FEATURE_SECTION.test(section) && !OTHER_SECTION.test(section)) || (isList && readme.description);
      if (isFeatures)
        readme.features.push({ text: withoutEnd(item.text), place: { path: file.path, line: item.line } });
    }
    paragraph = null;
    item = null;
  };
  const lines = withoutTags(file.text.slice(0, MAX_LINES * MAX_LINE_CHARACTERS)).split('\n', MAX_LINES);
  for (const [index, raw] of lines.entries()) {
    const line = raw.slice(0, MAX_LINE_CHARACTERS).trim();
    if (/^(?:```|~~~)/.test(line)) {
      end();
      isCode = !isCode;
    }
    if (isCode || /^(?:```|~~~)/.test(line)) continue;
    const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (heading !== undefined) {
      end();
      isList = false;
      section = withoutMarkup(heading);
      continue;
    }
    const bullet = /^(?:[-*+•]|\d+[.)])\s+(.+)$/.exec(line)?.[1];
    if (bullet !== undefined) {
      end();
      // An item of a list in a list is a detail.
      if (!/^\s{2,}|^\t/.test(raw))
        item = {
          text: withoutMarkup(bullet.replace(BOLD_START, '**$1**: ')),
          written: bullet,
          line: index + 1,
        };
      continue;
    }
    const text = /^(?:[|=~>-]|\.\. )/.test(line) ? '' : withoutMarkup(line);
    if (text === '') end();
    else if (item) {
      item.text += `${/\*\*$/.test(item.written) && /^\p{Lu}/u.test(text) ? ':' : ''} ${text}`;
      item.written += ` ${text}`;
    } else if (paragraph) paragraph.text += ` ${text}`;
    else paragraph = { text, line: index + 1 };
  }
  end();
  return readme;
}

/**
 * The first two sentences that say something about the software. One that only announces a list loses what comes after its last
 * comma. Null for a slogan, a link, a note or an instruction.
 */
function descriptionOf(paragraph: string): string | null {
  if (
    paragraph.length < 25 ||
    paragraph.split(' ').length < 4 ||
    NOTE.test(paragraph) ||
    NAVIGATION.test(paragraph)
  )
    return null;
  const sentences = paragraph
    .slice(0, DESCRIPTION_CHARACTERS * 2)
    .replaceAll(/\s+(?=[.,;:!?](?:\s|$))/g, '')
    .split(/(?<=[a-z0-9)”"'’][.!?])\s+(?=\p{Lu})/u)
    .filter((sentence) => !INSTRUCTION.test(sentence) && !/\bwww\.|^.{0,12}$/.test(sentence))
    .slice(0, 2);
  const whole = sentences.flatMap((sentence) => {
    if (!/[:,;]$/.test(sentence)) return [sentence];
    const comma = sentence.slice(0, -1).lastIndexOf(',');
    const before = sentence.slice(0, Math.max(0, comma));
    return before.split(' ').length >= 4 ? [`${before}.`] : [];
  });
  if (whole.length === 0) return null;
  const text = plainText(whole.join(' '), DESCRIPTION_CHARACTERS);
  // Rather one whole sentence than two of which one is cut.
  if (text.endsWith('…') && whole.length > 1 && whole[0]!.length <= DESCRIPTION_CHARACTERS) return whole[0]!;
  return text.length < 25 ? null : text;
}

/** Not an entry of a table of contents, a link, an instruction, a question, or a text. */
function isFeature(text: string, written: string): boolean {
  return (
    text.length >= 4 &&
    text.length <= FEATURE_CHARACTERS &&
    !text.endsWith(':') &&
    !text.endsWith('?') &&
    !INSTRUCTION.test(text) &&
    !/^(?:\[[ x]\]|\[[^\]]*\]\s*\([^)]*\)$)/i.test(written.trim())
  );
}

const withoutEnd = (text: string) =>
  text
    .replace(/(?<=[.!)] )(?:link|(?:see|more|learn|read)(?: \w+){0,2})\.?$/i, '')
    .replace(/[\s.,;!…]+$/, '');

/** A tag can go over several lines, and so can a comment. Lines stay where they are. */
function withoutTags(text: string): string {
  return withoutComments(text.replace(FRONT_MATTER, blank))
    .replaceAll(/<h[1-6]\b[^<>]{0,200}>([^<>\n]{1,300})<\/h[1-6]>/gi, '# $1')
    .replaceAll(/<[a-z/!][^<>]{0,600}>/gi, blank);
}

function withoutComments(text: string): string {
  let rest = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start < 0 ? -1 : text.indexOf('-->', start);
    if (end < 0) return rest + text.slice(from);
    rest += text.slice(from, start) + blank(text.slice(start, end + 3));
    from = end + 3;
  }
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

/** Links and images leave their text, badges and addresses nothing. */
function withoutMarkup(text: string): string {
  return (
    text
      .replaceAll(/<[^<>]{0,400}>/g, ' ')
      .replaceAll(
        /\[!\[[^\]]{0,200}\]\([^)]{0,500}\)\]\([^)]{0,500}\)|!\[[^\]]{0,200}\]\([^)]{0,500}\)/g,
        ' ',
      )
      .replaceAll(/\[!\[[^\]]{0,200}\](?:\[[^\]]{0,100}\])?\]?(?:\([^)]{0,500}\)|\[[^\]]{0,100}\])?/g, ' ')
      .replaceAll(/\[([^[\]]{1,300})\](?:\([^()]{0,500}\)|\[[^[\]]{0,100}\])/g, '$1')
      .replaceAll(/^\[[^\]]{1,100}\]:.*$/g, ' ')
      .replaceAll(/[*`]{1,3}([^*`]{1,400})[*`]{1,3}/g, '$1')
      // Not those of `snake_case`.
      .replaceAll(/(?<![\p{L}\p{N}_])_{1,3}([^_]{1,400})_{1,3}(?![\p{L}\p{N}_])/gu, '$1')
      .replaceAll(/https?:\/\/\S+/g, ' ')
      .replaceAll(/&nbsp;|&[a-z]{2,8};/g, ' ')
      .replaceAll(/(?![\d#*©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D}/gu, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}
