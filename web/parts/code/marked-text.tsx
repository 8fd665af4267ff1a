/** Text of a repository with invisible and direction-changing characters made visible. */
import type { ReactNode } from 'react';

/** Control characters (except the tab), invisible spaces and joiners, and bidirectional controls. */
const HIDDEN =
  /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/g;

const NAMES: Record<string, string> = { '\n': '↵', '\r': '␍', '\u001B': 'ESC', '\u0000': 'NUL' };

export function nameOfCharacter(character: string): string {
  return NAMES[character] ?? `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** For plain text, such as the window's title. */
export function inOneLine(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `⟨${nameOfCharacter(character)}⟩`);
}

export function MarkedText({ text }: { text: string }): ReactNode {
  return withMarks(text);
}

/** The character stays in the text, so that copies are exact; isolated in its element it can't reorder the text. */
export function withMarks(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > done) parts.push(text.slice(done, index));
    const name = nameOfCharacter(character);
    parts.push(
      <bdi key={index} className="hidden-sign" data-sign={name} title={`Invisible character ${name}`}>
        {character}
      </bdi>,
    );
    done = index + 1;
  }
  if (parts.length === 0) return text;
  if (done < text.length) parts.push(text.slice(done));
  return parts;
}
