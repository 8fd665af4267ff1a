/** The format of keys, for every possible key. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/helpers/text/any-character.ts';
import { isWellFormedKey, newKeySecret, visibleParts } from './key-format.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const key = fc.constant(null).map(() => newKeySecret());

describe('a new key', () => {
  it('has the format that secret scanners look for', () => {
    fc.assert(
      fc.property(key, (secret) => {
        expect(secret).toMatch(/^csk_[0-9A-Za-z]{49}$/);
        expect(isWellFormedKey(secret)).toBe(true);
      }),
    );
  });

  it('has 256 bits: each body encodes one number below 2^256, and all are different', () => {
    const bodies = Array.from({ length: 2000 }, () => newKeySecret().slice(4, 47));
    expect(new Set(bodies).size).toBe(bodies.length);
    for (const body of bodies) {
      let value = 0n;
      for (const character of body) value = value * 62n + BigInt(ALPHABET.indexOf(character));
      expect(value < 2n ** 256n).toBe(true);
    }
    // The highest of 256 bits is set in about half of them: the bytes are used whole.
    const high = bodies.filter((body) => body > base62(2n ** 255n)).length;
    expect(high).toBeGreaterThan(800);
    expect(high).toBeLessThan(1200);
  });

  it('differs from every copy with one character changed', () => {
    fc.assert(
      fc.property(
        key,
        fc.nat({ max: 52 }),
        fc.constantFrom(...ALPHABET, ' ', '-', 'é'),
        (secret, place, character) => {
          fc.pre(secret[place] !== character);
          expect(isWellFormedKey(secret.slice(0, place) + character + secret.slice(place + 1))).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('differs from a copy with two adjacent characters swapped, and from a shorter or longer one', () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 4, max: 51 }), (secret, place) => {
        const [left, right] = [secret[place]!, secret[place + 1]!];
        fc.pre(left !== right);
        const swapped = secret.slice(0, place) + right + left + secret.slice(place + 2);
        expect(isWellFormedKey(swapped)).toBe(false);
        expect(isWellFormedKey(secret.slice(0, -1))).toBe(false);
        expect(isWellFormedKey(`${secret}0`)).toBe(false);
        expect(isWellFormedKey(`${secret}\n`)).toBe(false);
        expect(isWellFormedKey(` ${secret}`)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('shows its beginning and its end: eight of fifty-three characters', () => {
    fc.assert(
      fc.property(key, (secret) => {
        const { prefix, lastFour } = visibleParts(secret);
        expect(secret.startsWith(prefix) && secret.endsWith(lastFour)).toBe(true);
        expect([prefix.length, lastFour.length]).toEqual([8, 4]);
      }),
    );
  });
});

describe('anything else', () => {
  it('is not a key', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), (text) => {
        expect(isWellFormedKey(text)).toBe(false);
        expect(isWellFormedKey(`csk_${text}`)).toBe(false);
      }),
    );
  });
});

function base62(value: bigint): string {
  let [rest, digits] = [value, ''];
  while (digits.length < 43) {
    digits = ALPHABET[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}
