/** The files that a plan names: in prose, in code between backticks, and in the headers of code blocks and patches. */
import { type Block, fenceInfo, findCodeSpans } from '../text/index.ts';
import { certainPath, filesOfWord } from './file-names.ts';

export const MAX_FILES = 1000;

/** The maximum number of possible paths that are examined; only hostile text has more. */
const MAX_CANDIDATES = 20_000;

const PATCH_LINE =
  /^(?:diff --git (.+)|(?:---|\+\+\+) (.+)|rename (?:from|to) (.+)|\*\*\* (?:Add|Update|Delete) File: (.+)|\*\*\* Move to: (.+))$/;
const COMMENT_LINE = /^(?:\/\/|#|--|\/\*|<!--|;)\s*([^\s]+)\s*(?:\*\/|-->)?$/;

/** In order of first mention, each once. */
export function namedFiles(content: string, blocks: Block[]): string[] {
  const finder = new FileFinder();
  for (const block of blocks) {
    if (finder.isFull) break;
    if (block.kind === 'code') finder.readCode(content, block);
    else finder.readText(content.slice(block.start, block.end));
  }
  return finder.files;
}

class FileFinder {
  readonly #files = new Set<string>();
  #candidates = 0;

  get files(): string[] {
    return [...this.#files];
  }

  get isFull(): boolean {
    return this.#files.size >= MAX_FILES || this.#candidates >= MAX_CANDIDATES;
  }

  readText(text: string): void {
    let at = 0;
    for (const span of findCodeSpans(text)) {
      this.#readWords(text, at, span.start, false);
      this.#readWords(text, span.textStart, span.textEnd, true, linkTarget(text, span.end));
      at = span.end;
    }
    this.#readWords(text, at, text.length, false);
  }

  /** In the code itself, only what names its file: the first comment, and the headers of a patch. */
  readCode(content: string, block: Block): void {
    const info = fenceInfo(content, block);
    if (info === null) return;
    this.#readWords(info, 0, Math.min(info.length, 1000), true);
    let isFirst = true;
    for (let start = block.textStart; start < block.textEnd && !this.isFull; ) {
      const found = content.indexOf('\n', start);
      const end = found < 0 ? block.textEnd : Math.min(found, block.textEnd);
      if (isFirst || 'd-+r*'.includes(content[start]!)) {
        this.#readCodeLine(content.slice(start, Math.min(end, start + 1000)).trim(), isFirst);
      }
      isFirst = false;
      start = end + 1;
    }
  }

  #readCodeLine(line: string, isFirst: boolean): void {
    const patch = PATCH_LINE.exec(line);
    if (patch) {
      const [, both, one, ...bare] = patch;
      for (const path of both?.split(' ') ?? [one ?? '']) this.#readPatchPath(path, /^[ab]\//);
      for (const path of bare) this.#readPatchPath(path ?? '', /^/);
      return;
    }
    const comment = isFirst ? COMMENT_LINE.exec(line) : null;
    if (comment) this.#addAll(filesOfWord(comment[1]!, true));
  }

  /** After the prefix, anything is a path. */
  #readPatchPath(path: string, prefix: RegExp): void {
    const name = path.split('\t', 1)[0]!.trim();
    const certain = prefix.test(name) ? certainPath(name.replace(prefix, '')) : null;
    if (certain !== null) this.#addAll([certain]);
    else if (!name.includes(' ')) this.#addAll(filesOfWord(name, true));
  }

  #readWords(text: string, from: number, to: number, inCode: boolean, target = ''): void {
    let start = from;
    let mayBePath = false;
    for (let at = from; at <= to; at += 1) {
      const code = at < to ? text.charCodeAt(at) : 0x20;
      if (!isDivider(code) && !(code === 0x5d && text.charCodeAt(at + 1) === 0x28)) {
        if (code === 0x2e || code === 0x2f || code === 0x5c) mayBePath = true;
        continue;
      }
      if (at > start && (mayBePath || mayBeName(text.charCodeAt(start), at - start))) {
        const word = text.slice(start, at);
        if (word.includes('://') || word.startsWith('www.')) at = endOfAddress(text, at, to);
        else if (at - start > 2) this.#look(word, inCode, target || linkTarget(text, at));
        if (this.isFull) return;
      }
      if (text.charCodeAt(at) === 0x5d) at += 1;
      start = at + 1;
      mayBePath = false;
    }
  }

  /** In `[a.ts](src/a.ts)`, the link determines the file. */
  #look(word: string, inCode: boolean, target: string): void {
    this.#candidates += 1;
    const files = filesOfWord(word, inCode);
    this.#addAll(target === '' ? files : files.filter((file) => !target.includes(`/${file}`)));
  }

  #addAll(paths: string[]): void {
    for (const path of paths) if (this.#files.size < MAX_FILES) this.#files.add(path);
  }
}

/** A name without a dot, such as `Dockerfile`, begins with a capital letter or with punctuation. */
function mayBeName(first: number, length: number): boolean {
  return length < 30 && length > 4 && (first < 0x5b || first === 0x6a || first === 0x6d || first === 0x5b);
}

/** The target of the link whose text ends here, if any. */
function linkTarget(text: string, at: number): string {
  return text.startsWith('](', at) ? /^[^\s)]*/.exec(text.slice(at + 2, at + 500))![0] : '';
}

function endOfAddress(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && !/[\s<>"`]/.test(text[at]!)) at += 1;
  return at;
}

const DIVIDERS = new Set(
  [...'"\'`’‘“”,;|<>=→⇒—–•·、。，；：（）「」'].map((character) => character.charCodeAt(0)),
);

function isDivider(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000 || DIVIDERS.has(code);
}
