/** Reads a README: the first paragraph, the features that it lists, and its sections. */
import type { Place } from './write-sentence.ts';
import { plainText } from './write-sentence.ts';

const MAX_LINES = 400;
const MAX_LINE_CHARACTERS = 1000;
const MAX_FEATURES = 30;
const DESCRIPTION_CHARACTERS = 400;
const FEATURE_CHARACTERS = 140;
/** Sections about using, building or contributing rather than about what it does. */
const OTHER_SECTION =
  /install|getting started|quick ?start|licen[sc]e|contribut|sponsor|backer|support|credit|thank|acknowledg|build|develop|test|running|usage|deploy|docker|upgrade|requirement|prerequisite|security|code of conduct|table of contents|contents|community|links|badge|translat|author|help|faq|changelog|release|resources|documentation|contact|donat/i;

export interface ReadmeText {
  text: string;
  place: Place;
}

export interface Readme {
  description: ReadmeText | null;
  features: ReadmeText[];
  sections: ReadmeText[];
}

export function readReadme(file: { path: string; text: string } | null): Readme {
  const readme: Readme = { description: null, features: [], sections: [] };
  if (!file) return readme;
  let section = '';
  let isCode = false;
  let paragraph: { text: string; line: number } | null = null;
  const endParagraph = () => {
    if (paragraph && !readme.description && isDescription(paragraph.text) && !OTHER_SECTION.test(section)) {
      const text = plainText(paragraph.text, DESCRIPTION_CHARACTERS);
      readme.description = { text, place: { path: file.path, line: paragraph.line } };
    }
    paragraph = null;
  };
  const lines = file.text.slice(0, MAX_LINES * MAX_LINE_CHARACTERS).split('\n', MAX_LINES);
  for (const [index, raw] of lines.entries()) {
    const line = raw.slice(0, MAX_LINE_CHARACTERS).trim();
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode) continue;
    const place = { path: file.path, line: index + 1 };
    const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1] ?? htmlHeading(line);
    if (heading !== undefined) {
      endParagraph();
      section = withoutMarkup(heading);
      // One that ends with a colon introduces a list and names no subject.
      if (index > 0 && /[^:.,;]$/.test(section) && !OTHER_SECTION.test(section))
        readme.sections.push({ text: section, place });
      continue;
    }
    const bullet = /^(?:[-*+•]|\d+[.)])\s+(.+)$/.exec(line)?.[1];
    if (bullet !== undefined) {
      endParagraph();
      const text = plainText(withoutMarkup(bullet), FEATURE_CHARACTERS);
      if (isFeature(text, bullet) && !OTHER_SECTION.test(section) && readme.features.length < MAX_FEATURES) {
        readme.features.push({ text, place });
      }
      continue;
    }
    const text = /^(?:[|=~-]|\.\. )/.test(line) ? '' : withoutMarkup(line);
    if (text === '') endParagraph();
    else if (paragraph) paragraph.text += ` ${text}`;
    else paragraph = { text, line: index + 1 };
  }
  endParagraph();
  return readme;
}

function htmlHeading(line: string): string | undefined {
  return /^<h[1-3]\b[^>]{0,200}>(.{1,300}?)<\/h[1-3]>/i.exec(line)?.[1];
}

/** A sentence rather than a slogan, a link or a note. */
function isDescription(text: string): boolean {
  return text.length >= 25 && text.split(' ').length >= 4 && !/^(?:note|warning|important|\[!)/i.test(text);
}

/** Not an entry of a table of contents. */
function isFeature(text: string, written: string): boolean {
  return text.length >= 4 && !/^\[[^\]]*\]\(#[^)]*\)$/.test(written.trim());
}

/** Links and images leave their text, badges and tags nothing. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll(/<!--.*?-->|<[^<>]{0,400}>/g, ' ')
    .replaceAll(/\[!\[[^\]]{0,200}\]\([^)]{0,500}\)\]\([^)]{0,500}\)|!\[[^\]]{0,200}\]\([^)]{0,500}\)/g, ' ')
    .replaceAll(/\[!\[[^\]]{0,200}\](?:\[[^\]]{0,100}\])?\]?(?:\([^)]{0,500}\)|\[[^\]]{0,100}\])?/g, ' ')
    .replaceAll(/\[([^[\]]{1,300})\](?:\([^()]{0,500}\)|\[[^[\]]{0,100}\])/g, '$1')
    .replaceAll(/^\[[^\]]{1,100}\]:.*$/g, ' ')
    .replaceAll(/[*_`]{1,3}([^*_`]{1,400})[*_`]{1,3}/g, '$1')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/&nbsp;|&[a-z]{2,8};/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
