/** Text of a repository, in which signs that cannot be seen, or that would reorder what is read, are shown as what they are. */
import type { ReactNode } from 'react';

/** Control signs (not the tab), invisible spaces and joiners, and those that turn the direction of the text. */
const HIDDEN =
  /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/g;

const NAMES: Record<string, string> = { '\n': '↵', '\r': '␍', '\u001B': 'ESC', '\u0000': 'NUL' };

export function nameOfSign(sign: string): string {
  return NAMES[sign] ?? `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** For places that take only plain text, such as the window's title. */
export function inOneLine(text: string): string {
  return text.replaceAll(HIDDEN, (sign) => `⟨${nameOfSign(sign)}⟩`);
}

export function MarkedText({ text }: { text: string }): ReactNode {
  return withMarks(text);
}

/** The sign itself stays in the text, so that what is copied is what is there; alone in its element it turns nothing. */
export function withMarks(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const { 0: sign, index } of text.matchAll(HIDDEN)) {
    if (index > done) parts.push(text.slice(done, index));
    const name = nameOfSign(sign);
    parts.push(
      <bdi key={index} className="hidden-sign" data-sign={name} title={`The invisible character ${name}`}>
        {sign}
      </bdi>,
    );
    done = index + 1;
  }
  if (parts.length === 0) return text;
  if (done < text.length) parts.push(text.slice(done));
  return parts;
}
