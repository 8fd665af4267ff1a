/** Reads the regular expressions of Gitea and Forgejo: Go's syntax, without the parts that no path needs. */
import { BadPattern, type CharacterSet, type Expression, sequence } from './expression.ts';

const CLASSES: Record<string, [number, number][]> = {
  d: [[48, 57]],
  w: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  s: [
    [9, 10],
    [12, 13],
    [32, 32],
  ],
};
const CONTROL: Record<string, number> = { t: 9, n: 10, r: 13, f: 12, v: 11, a: 7 };
const NEWLINE: [number, number] = [10, 10];
const MAX_REPEAT = 1000;
const MAX_DEPTH = 100;

export function parseRegularExpression(pattern: string): Expression {
  const [, flag, rest] = /^(\^?\(\?i\))?(.*)$/s.exec(pattern)!;
  const reader = new Reader(flag?.startsWith('^') ? `^${rest}` : rest!, flag !== undefined);
  const expression = reader.choice(0);
  if (!reader.isAtEnd) throw new BadPattern('a “)” is not opened');
  return expression;
}

class Reader {
  readonly #characters: string[];
  readonly #ignoresCase: boolean;
  #at = 0;

  constructor(pattern: string, ignoresCase: boolean) {
    this.#characters = Array.from(pattern);
    this.#ignoresCase = ignoresCase;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  choice(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new BadPattern('its groups are nested too deeply');
    const alternatives = [this.#sequence(depth)];
    while (this.#accept('|')) alternatives.push(this.#sequence(depth));
    return alternatives.length === 1 ? alternatives[0]! : { kind: 'choice', alternatives };
  }

  #sequence(depth: number): Expression {
    const parts: Expression[] = [];
    while (!this.isAtEnd && this.#peek() !== '|' && this.#peek() !== ')')
      parts.push(this.#repeated(this.#one(depth)));
    return sequence(parts);
  }

  #repeated(part: Expression): Expression {
    const count = this.#count();
    if (!count) return part;
    // Lazy ones match the same paths.
    this.#accept('?');
    if (this.#count()) throw new BadPattern('something is repeated twice');
    return { kind: 'repeat', part, ...count };
  }

  #count(): { min: number; max: number } | undefined {
    if (this.#accept('*')) return { min: 0, max: Infinity };
    if (this.#accept('+')) return { min: 1, max: Infinity };
    if (this.#accept('?')) return { min: 0, max: 1 };
    const found = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(
      this.#characters.slice(this.#at, this.#at + 11).join(''),
    );
    if (!found) return undefined;
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === '' ? min : found[3] === '' ? Infinity : Number(found[3]);
    if (max < min || min > MAX_REPEAT || (max > MAX_REPEAT && max !== Infinity))
      throw new BadPattern(`“${found[0]}” is not a number of repetitions up to ${MAX_REPEAT}`);
    return { min, max };
  }

  #one(depth: number): Expression {
    const character = this.#next();
    if (character === '(') return this.#group(depth);
    if (character === '[') return { kind: 'set', set: this.#class() };
    if (character === '.') return { kind: 'set', set: { ranges: [NEWLINE], negated: true } };
    if (character === '^') return { kind: 'start' };
    if (character === '$') return { kind: 'end' };
    if (character === '\\') return this.#escape();
    if ('*+?'.includes(character)) throw new BadPattern(`nothing is repeated by “${character}”`);
    return this.#literal(character.codePointAt(0)!);
  }

  #group(depth: number): Expression {
    if (this.#accept('?') && !this.#accept(':')) {
      if (!this.#accept('P') && this.#peek() !== '<')
        throw new BadPattern(
          '“(?…)” is supported only as “(?:…)”, as a name, and as “(?i)” at the beginning',
        );
      const name = /^<\w{1,100}>/.exec(this.#characters.slice(this.#at, this.#at + 102).join(''));
      if (!name) throw new BadPattern('the name of a group can’t be read');
      this.#at += name[0].length;
    }
    const inner = this.choice(depth + 1);
    if (!this.#accept(')')) throw new BadPattern('a “(” is not closed');
    return inner;
  }

  #escape(): Expression {
    const character = this.#next();
    if (character === 'A') return { kind: 'start' };
    if (character === 'z') return { kind: 'end' };
    const set = classNamed(character);
    if (set) return { kind: 'set', set };
    return this.#literal(escapedCode(character));
  }

  #class(): CharacterSet {
    const negated = this.#accept('^');
    const ranges: [number, number][] = [];
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) {
      const character = this.#next();
      if (character === '[' && this.#peek() === ':') throw new BadPattern('“[:…:]” is not supported');
      const named = character === '\\' ? classNamed(this.#peek()) : undefined;
      if (named) {
        this.#at += 1;
        ranges.push(...(named.negated ? complement(named.ranges) : named.ranges));
        continue;
      }
      const first = this.#member(character);
      if (this.#peek() === '-' && this.#characters[this.#at + 1] !== ']') {
        this.#at += 1;
        const last = this.#member(this.#next());
        if (last < first) throw new BadPattern('a range of characters is reversed');
        ranges.push([first, last]);
      } else ranges.push([first, first]);
    }
    this.#at += 1;
    return { ranges: this.#ignoresCase ? ranges.flatMap(bothCases) : ranges, negated };
  }

  #member(character: string): number {
    return character === '\\' ? escapedCode(this.#next()) : character.codePointAt(0)!;
  }

  #literal(code: number): Expression {
    const range: [number, number] = [code, code];
    return {
      kind: 'set',
      set: { ranges: this.#ignoresCase ? bothCases(range) : [range], negated: false },
    };
  }

  #peek(): string {
    return this.#characters[this.#at] ?? '';
  }

  #next(): string {
    if (this.isAtEnd) throw new BadPattern('it ends too early');
    return this.#characters[this.#at++]!;
  }

  #accept(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }
}

function classNamed(character: string): CharacterSet | undefined {
  const ranges = CLASSES[character.toLowerCase()];
  return ranges && { ranges, negated: character !== character.toLowerCase() };
}

function escapedCode(character: string): number {
  if (/[^A-Za-z0-9]/.test(character)) return character.codePointAt(0)!;
  const code = CONTROL[character];
  if (code === undefined) throw new BadPattern(`“\\${character}” is not supported`);
  return code;
}

function complement(ranges: [number, number][]): [number, number][] {
  const gaps: [number, number][] = [];
  let from = 0;
  for (const [first, last] of ranges) {
    gaps.push([from, first - 1]);
    from = last + 1;
  }
  return [...gaps, [from, 0x10ffff]];
}

/** Only letters of ASCII have another case here. */
function bothCases([first, last]: [number, number]): [number, number][] {
  const shifted = (low: number, high: number, by: number): [number, number][] =>
    first <= high && last >= low ? [[Math.max(first, low) + by, Math.min(last, high) + by]] : [];
  return [[first, last], ...shifted(65, 90, 32), ...shifted(97, 122, -32)];
}
