/** The names and words of a file: of its code, texts, comments and documentation. They find the repository; nothing else is concluded from them. */
import type { FileWord } from '../../platform/core/ports/code-facts.ts';
import { MAX_WORD_CHARACTERS, MAX_WORDS } from './limits.ts';

/** An identifier in any script, or an option with its hyphens. */
const NAME =
  /(?<![\p{L}\p{N}\p{M}_-])--?[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*|[\p{L}\p{N}\p{M}_]+(?:-[\p{L}\p{N}\p{M}_]+)*/gu;
/** Tables, pictures and what tools record. */
const DATA =
  /\.(?:csv|tsv|svg|snap|lock|sum|ipynb|patch|diff|map|po|pot|xlf|log)$|(?:^|\/)(?:package-lock\.json|go\.sum|pnpm-lock\.yaml)$/i;
/** Hashes, keys and other data without words. */
const RANDOM = /[A-Za-z0-9+/=]{40}/;
/** A token: many characters with digits between letters. */
const TOKEN = /(?=[A-Za-z0-9]{0,99}\d[A-Za-z]{1,99}\d)[A-Za-z0-9]{16}/;
/** A text that is set here can be a password. */
const SECRET =
  /(?:passw(?:or)?d|secret|token|api_?key|credential)s?["'\]]?\s{0,8}(?:[:=]|=>|:=)\s{0,8}\S|:\/\/[^\s/@]{0,200}:[^\s/@]{1,200}@/i;
const MAX_LINE = 2000;

export function readWords(path: string, text: string): FileWord[] {
  if (DATA.test(path)) return [];
  const words = new Map<string, number>();
  let line = 0;
  for (let from = 0; from < text.length && words.size < MAX_WORDS; ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    line += 1;
    addWords(words, text.slice(from, Math.min(end, from + MAX_LINE)), line);
    from = end + 1;
  }
  return [...words].map(([name, at]) => ({ name, line: at }));
}

function addWords(words: Map<string, number>, text: string, line: number): void {
  if (RANDOM.test(text) || SECRET.test(text)) return;
  for (const [name] of text.matchAll(NAME)) {
    if (name.length < 3 || name.length > MAX_WORD_CHARACTERS || TOKEN.test(name) || /^[\d_-]+$/.test(name))
      continue;
    // A sentence begins with a capital letter, which makes no other word.
    const word = /^\p{Lu}[\p{Ll}]+$/u.test(name) ? name.toLowerCase() : name;
    if (!words.has(word)) words.set(word, line);
  }
}
