/** The words of all files of a commit, each with its best place. Pure. */
import type { CommitWord, FileWord, SymbolDefinition } from '../../platform/core/ports/code-facts.ts';
import { MAX_WORD_CHARACTERS } from './limits.ts';
import { isTestPath } from './path-kinds.ts';

/** Parts of a name, or an option: it names one thing, where a plain word can mean anything. */
const IS_NAME = /[_-]|\p{Ll}\p{Lu}|\p{L}\p{N}/u;

interface Held extends CommitWord {
  isTest: boolean;
}

export class CommitWords {
  readonly #words = new Map<string, Held>();

  add(path: string, words: readonly FileWord[], symbols: readonly SymbolDefinition[]): void {
    const isTest = isTestPath(path);
    const defined = new Map(symbols.map(({ line, name }) => [name, line]));
    for (const { line, name } of words) this.#add({ name, path, line, isTest, isDefined: false, files: 1 });
    for (const [name, line] of defined) {
      if (name.length >= 3 && name.length <= MAX_WORD_CHARACTERS) {
        this.#add({ name, path, line, isTest, isDefined: true, files: 0 });
      }
    }
    for (const name of path.split('/')) {
      const bare = name.replace(/(?<=.)\.\w{1,10}$/, '');
      if (bare.length >= 3 && bare.length <= MAX_WORD_CHARACTERS) {
        this.#add({ name: bare, path, line: 1, isTest, isDefined: false, files: 0 });
      }
    }
  }

  #add(word: Held): void {
    const known = this.#words.get(word.name);
    if (!known) {
      this.#words.set(word.name, { ...word, files: Math.max(1, word.files) });
      return;
    }
    known.files += word.files;
    if (worthOf(word) > worthOf(known)) Object.assign(known, { ...word, files: known.files });
  }

  /** Definitions first, then other names, then words; of each, those outside of tests and in most files. */
  best(max: number): CommitWord[] {
    const all = [...this.#words.values()];
    if (all.length > max) {
      const value = (word: Held) => 4 * worthOf(word) + (IS_NAME.test(word.name) ? 2 : 0);
      all.sort((one, other) => value(other) - value(one) || other.files - one.files);
    }
    return all
      .slice(0, max)
      .map(({ files, isDefined, line, name, path }) => ({ name, path, line, files, isDefined }));
  }
}

/** A definition says more than a use, and code more than its tests. */
const worthOf = ({ isDefined, isTest }: Held) => (isTest ? 0 : 2) + (isDefined ? 1 : 0);
