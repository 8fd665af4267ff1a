/** Text is counted in code points and nothing is lost silently; UUIDs are accepted in any form and returned in one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anyCharacter } from '../../../../test/helpers/text/any-character.ts';
import { containsSecret, exceedsCodePoints, requiredText, secretText, text, uuid } from './shapes.ts';

const messageOf = (shape: z.ZodType, value: unknown) => shape.safeParse(value).error?.issues[0]?.message;

/** Well-formed text of any script, emoji and combining marks included, without NUL. */
const anyText = fc.string({ unit: anyCharacter, maxLength: 40 }).map((value) => value.replaceAll('\0', ''));

describe('exceedsCodePoints', () => {
  it('agrees with counting them, for any text and any limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(50), (value, most) => {
        expect(exceedsCodePoints(value, most)).toBe([...value].length > most);
      }),
    );
  });
});

describe('text', () => {
  it('is accepted up to its limit in code points, and returned unchanged', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (value, max) => {
        const result = text({ max }).safeParse(value);
        expect(result.success).toBe([...value].length <= max);
        if (result.success) expect(result.data).toBe(value);
      }),
    );
  });

  it.each([
    ['emoji of two UTF-16 units', '😀'],
    ['a letter outside the basic plane', '𐐷'],
    ['a Chinese character', '漢'],
  ])('counts as one: %s', (_, character) => {
    expect(messageOf(text({ max: 3 }), character.repeat(3))).toBeUndefined();
    expect(messageOf(text({ max: 3 }), character.repeat(4))).toBe('must have at most 3 characters');
    expect(messageOf(text({ min: 2, max: 3 }), character)).toBe('must have at least 2 characters');
  });

  it('counts a combining mark, and each part of a joined emoji, on its own', () => {
    expect(messageOf(text({ max: 1 }), 'e\u0301')).toBe('must have at most 1 characters');
    expect(messageOf(text({ max: 5 }), '👨‍👩‍👧')).toBeUndefined();
    expect(messageOf(text({ max: 4 }), '👨‍👩‍👧')).toBe('must have at most 4 characters');
  });

  it('is neither normalized nor trimmed', () => {
    expect(text({ max: 10 }).parse(' e\u0301 ')).toBe(' e\u0301 ');
  });

  it('is rejected with NUL anywhere', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        expect(messageOf(text({ max: 1000 }), `${before}\0${after}`)).toBe(
          'must not contain the NUL character',
        );
      }),
    );
  });

  it('is rejected with a lone surrogate anywhere', () => {
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
    const around = anyText.map((value) => `${value}.`);
    fc.assert(
      fc.property(around, half, around, (before, unit, after) => {
        expect(messageOf(text({ max: 1000 }), `${before}${unit}.${after}`)).toMatch(
          /half of a surrogate pair/,
        );
      }),
    );
  });

  it('has its limits in the schema', () => {
    expect(z.toJSONSchema(requiredText({ max: 200 }))).toMatchObject({ minLength: 1, maxLength: 200 });
    expect(z.toJSONSchema(text({ max: 200 }))).not.toHaveProperty('minLength');
  });
});

describe('required text', () => {
  // Every code point with Unicode's White_Space property, and the byte order mark that JavaScript counts too.
  const SPACES = [
    0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
    0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
  ];

  it.each(SPACES.map((code) => code.toString(16).padStart(4, '0')))('is not U+%s alone', (hex) => {
    const space = String.fromCodePoint(Number.parseInt(hex, 16));
    expect(messageOf(requiredText({ max: 10 }), space)).toBe('must not be blank');
    expect(messageOf(requiredText({ max: 10 }), `${space}x${space}`)).toBeUndefined();
    expect(messageOf(text({ max: 10 }), space)).toBeUndefined();
  });

  it('is not empty, nor any mixture of white space', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...SPACES)), (codes) => {
        const value = String.fromCodePoint(...codes);
        expect(messageOf(requiredText({ max: 1000 }), value)).toBe('must not be blank');
      }),
    );
  });
});

describe('uuid', () => {
  const digits = (count: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: count, maxLength: count });
  const anyUuid = fc
    .tuple(digits(8), digits(4), digits(4), digits(4), digits(12))
    .map((parts) => parts.join('-'));

  it('is any 8-4-4-4-12 hex digits, returned in lower case', () => {
    fc.assert(
      fc.property(anyUuid, (value) => {
        expect(uuid().parse(value)).toBe(value.toLowerCase());
      }),
    );
  });

  it('is nothing else', () => {
    const valid = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
    for (const wrong of [
      '',
      ` ${valid}`,
      `${valid}\n`,
      `{${valid}}`,
      valid.replaceAll('-', ''),
      valid.slice(1),
      `urn:uuid:${valid}`,
      valid.replace('a', 'g'),
      valid.replace('0', '０'),
    ]) {
      expect(uuid().safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(uuid().safeParse(value).success).toBe(false);
      }),
    );
  });
});

describe('containsSecret', () => {
  it('finds a secret at any depth', () => {
    const secret = secretText('Shown once.');
    for (const shape of [
      secret,
      z.object({ secret }),
      z.object({ inner: z.object({ list: z.array(z.object({ secret: secret.nullable() })) }).optional() }),
      z.union([z.string(), z.object({ secret })]),
    ]) {
      expect(containsSecret(shape)).toBe(true);
    }
    expect(containsSecret(z.object({ secret: z.string(), list: z.array(z.string()) }))).toBe(false);
  });
});
