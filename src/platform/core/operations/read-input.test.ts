/** Input is validated completely, or every problem is listed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Problem } from '../errors/errors.ts';
import { knowsNone, readInput } from './read-input.ts';
import { requiredText, text, uuid } from './shapes.ts';

const Shape = z.object({
  name: requiredText({ max: 10 }),
  note: text({ max: 10 }).optional(),
  count: z.int().min(1).max(1000).optional(),
  state: z.enum(['open', 'closed']).nullable().optional(),
  tags: z
    .array(text({ max: 5 }))
    .max(3)
    .optional(),
  tokensUsed: z.object({ input_tokens: z.int(), cached: z.int().optional() }).optional(),
  entries: z
    .array(z.object({ repoName: text({ max: 5 }).optional() }))
    .max(3)
    .optional(),
});

function errorsOf(sent: Record<string, unknown>, shape: z.ZodObject = Shape): string[] {
  try {
    readInput(shape, sent);
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ code: 'invalid_request', status: 400 });
    return (error as Problem).errors!.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

describe('null', () => {
  it('is treated as absent if a field is optional, at any depth', () => {
    expect(readInput(Shape, { name: 'a', note: null, count: null, tags: null, tokensUsed: null })).toEqual({
      name: 'a',
    });
    expect(readInput(Shape, { name: 'a', tokensUsed: { input_tokens: 1, cached: null } })).toEqual({
      name: 'a',
      tokensUsed: { input_tokens: 1 },
    });
    expect(readInput(Shape, { name: 'a', entries: [{ repoName: null }] })).toEqual({
      name: 'a',
      entries: [{}],
    });
  });

  it('is a value if the shape accepts it, and an error if the field is required', () => {
    expect(readInput(Shape, { name: 'a', state: null })).toEqual({ name: 'a', state: null });
    expect(errorsOf({ name: null })).toEqual(['name: must be text']);
    expect(errorsOf({ name: 'a', tags: [null] })).toEqual(['tags[0]: must be text']);
  });
});

describe('numbers', () => {
  it('far beyond a limit get only the message about that limit', () => {
    expect(errorsOf({ name: 'a', count: 2 ** 53 })).toEqual(['count: must be at most 1,000']);
    expect(errorsOf({ name: 'a', count: -(2 ** 60) })).toEqual(['count: must be at least 1']);
    expect(errorsOf({ name: 'a', tokensUsed: { input_tokens: 2 ** 53 } })).toEqual([
      'tokensUsed.input_tokens: must be at most 9,007,199,254,740,991',
    ]);
  });
});

describe('names', () => {
  it('that are unknown are ignored, at any depth', () => {
    const sent = {
      name: 'a',
      color: 1,
      tokensUsed: { input_tokens: 1, color: 2 },
      entries: [{ color: 3 }],
    };
    expect(readInput(Shape, sent)).toEqual({ name: 'a', tokensUsed: { input_tokens: 1 }, entries: [{}] });
  });

  it('that every object has are ignored, and not inherited', () => {
    const sent = JSON.parse(
      '{"name":"a","__proto__":{"note":"x"},"constructor":1,"toString":2,"hasOwnProperty":3}',
    );
    const input = readInput(Shape, sent);
    expect(input).toEqual({ name: 'a' });
    expect(input.note).toBeUndefined();
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(errorsOf(JSON.parse('{"__proto__":{"name":"a"}}'))).toEqual(['name: is required']);
  });

  it('that differ only in case, _ or - are rejected with the right name', () => {
    const near = fc
      .tuple(
        fc.constantFrom('name', 'note', 'tokensUsed'),
        fc.infiniteStream(fc.constantFrom('', '_', '-', 'up', 'low')),
      )
      .map(([name, changes]) => {
        const changed = [...name].map((letter) => {
          const change = changes.next().value as string;
          if (change === 'up') return letter.toUpperCase();
          return change === 'low' ? letter.toLowerCase() : change + letter;
        });
        return { name, changed: changed.join('') };
      })
      .filter(({ name, changed }) => name !== changed);
    fc.assert(
      fc.property(near, ({ name, changed }) => {
        expect(errorsOf({ name: 'a', [changed]: 'x' })).toEqual([
          `${changed}: is not a known field; did you mean \`${name}\`? Names must match exactly`,
        ]);
      }),
    );
  });

  it('that are misspelled inside objects and lists are reported with their path', () => {
    expect(errorsOf({ name: 'a', tokensUsed: { input_tokens: 1, inputTokens: 1 } })).toEqual([
      expect.stringMatching(/^tokensUsed\.inputTokens: .*`input_tokens`/),
    ]);
    expect(errorsOf({ name: 'a', entries: [{}, { repo_name: 'x' }] })).toEqual([
      expect.stringMatching(/^entries\[1\]\.repo_name: .*`repoName`/),
    ]);
  });

  it('of any kind lead to a value or a list of errors', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (sent) => {
        const errors = errorsOf(sent as Record<string, unknown>);
        expect(errors.length > 0).toBe(
          !Shape.safeParse(sent).success || errors.some((line) => line.includes('did you mean')),
        );
      }),
    );
  });
});

describe('errors', () => {
  it('are all listed, each with its path and our own message', () => {
    const sent = {
      name: ' ',
      note: 7,
      count: 1001,
      state: 'ajar',
      tags: ['a', 'toolong', 3, 'd', 'e'],
      tokensUsed: { cached: 1.5 },
      entries: {},
      Note: 'x',
    };
    expect(errorsOf(sent).toSorted()).toEqual(
      [
        'Note: is not a known field; did you mean `note`? Names must match exactly',
        'count: must be at most 1,000',
        'entries: must be a list',
        'name: must not be blank',
        'note: must be text',
        'state: must be one of open, closed',
        'tags: must have at most 3 entries',
        'tags[1]: must have at most 5 characters',
        'tags[2]: must be text',
        'tokensUsed.cached: must be a whole number',
        'tokensUsed.input_tokens: is required',
      ].toSorted(),
    );
  });

  it('are summarized in the detail: the first, and whether there are more', () => {
    const detailOf = (sent: Record<string, unknown>) => {
      try {
        readInput(Shape, sent);
      } catch (error) {
        return (error as Problem).message;
      }
    };
    expect(detailOf({})).toBe('One thing is wrong with the request: `name` is required.');
    expect(detailOf({ count: 0 })).toMatch(
      /^2 things are wrong with the request: .* \(and more, see `errors`\)\.$/,
    );
  });

  it.each([
    [{ name: 'a', count: '1' }, 'count: must be a number'],
    [{ name: 'a', count: 1.5 }, 'count: must be a whole number'],
    [{ name: 'a', count: Number.POSITIVE_INFINITY }, 'count: must be a number'],
    [{ name: 'a', count: 0 }, 'count: must be at least 1'],
    [{ name: true }, 'name: must be text'],
    [{ name: 'a', tokensUsed: [] }, 'tokensUsed: must be an object'],
    [{ name: 'a', tags: 'x' }, 'tags: must be a list'],
  ])('say what a value must be: %j', (sent, message) => {
    expect(errorsOf(sent)).toEqual([message]);
  });
});

describe('a huge request', () => {
  it('is only read up to its limits', () => {
    let looked = 0;
    const counting = z.object({
      tags: z
        .array(
          z.string().superRefine(() => {
            looked += 1;
          }),
        )
        .max(3),
    });
    expect(errorsOf({ tags: Array(1_000_000).fill('x') }, counting)).toEqual([
      'tags: must have at most 3 entries',
    ]);
    expect(looked).toBe(3);
  });

  it('with a list without a limit reports at most a thousand errors', () => {
    const unlimited = z.object({ ids: z.array(uuid()) });
    const errors = errorsOf({ ids: Array(500_000).fill('x') }, unlimited);
    expect(errors).toHaveLength(1000);
    expect(errors[0]).toBe('ids: must have at most 1,000 entries');
  });

  it('with a hundred thousand misspelled names returns a bounded list', () => {
    const sent = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => {
        const marks = index.toString(2).padStart(17, '0').replaceAll('0', '_').replaceAll('1', '-');
        return [`name${marks}`, 1];
      }),
    );
    expect(errorsOf({ name: 'a', ...sent })).toHaveLength(1000);
  });

  it('with two hundred thousand unknown names is ignored like any other', () => {
    const sent = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`x${index}`, index]));
    expect(readInput(Shape, { ...sent, name: 'a' })).toEqual({ name: 'a' });
  });

  it('nested 100,000 levels deep is rejected in a known field and ignored in an unknown one', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(readInput(Shape, { name: 'a', unknown: deep })).toEqual({ name: 'a' });
    expect(errorsOf({ name: deep })).toEqual(['name: must be text']);
    expect(errorsOf({ name: 'a', tags: [deep] })).toEqual(['tags[0]: must be text']);
  });
});

describe('knowsNone', () => {
  it('is true only if something was sent and no field is known', () => {
    expect(knowsNone(Shape, {})).toBe(false);
    expect(knowsNone(Shape, { name: 1, x: 1 })).toBe(false);
    expect(knowsNone(Shape, { x: 1 })).toBe(true);
    expect(knowsNone(Shape, { Name: 1 })).toBe(true);
    expect(knowsNone(Shape, JSON.parse('{"__proto__":1,"toString":2}'))).toBe(true);
  });
});
