/** Every visible character maps to its position in the Markdown source, for any source. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from './outline.ts';
import { paint, placeHighlights } from './paint.ts';
import { parseMarkdown } from './parse/parse.ts';
import { toggleTask } from './toggle-task.ts';
import { allPiecesOf, type Block, isExact, type MarkdownTree, type Piece } from './tree.ts';

function treeOf(source: string): MarkdownTree {
  const parsed = parseMarkdown(source);
  if (parsed.kind !== 'tree') throw new Error(`refused: ${parsed.reason}`);
  return parsed.tree;
}

const textOf = (pieces: readonly Piece[]) => pieces.map((piece) => piece.text).join('');

/** Text with a lot of Markdown syntax. */
const markdown = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('word', 'Ünï', '日本', '👩‍👩‍👧', 'é', 'x', '1', '.') },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          ...[
            '*',
            '**',
            '_',
            '~~',
            '`',
            '``',
            '\\',
            '\\*',
            '\\|',
            '|',
            '[',
            ']',
            '(',
            ')',
            '![',
            '<',
            '>',
            '&',
          ],
          ...[
            '&amp;',
            '&#35;',
            '&#x1F600;',
            '&copy;',
            '&nosuch;',
            '<b>',
            '</b>',
            '<!-- c -->',
            '[^1]',
            '[a]',
          ],
          ...['https://a.example/x', 'www.a.example', 'm@a.example', '[t](https://a.example "t")', '\u0000'],
        ),
      },
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          ...[
            ' ',
            '  ',
            '\n',
            '\n\n',
            '\r\n',
            '\t',
            '    ',
            '  \n',
            '\\\n',
            '> ',
            '>',
            '- ',
            '* ',
            '1. ',
            '- [x] ',
          ],
          ...[
            '# ',
            '## ',
            '\n===\n',
            '\n---\n',
            '```',
            '```ts\n',
            '~~~',
            '| a | b |\n|---|:-:|\n| c | d |\n',
          ],
          ...['\n[a]: https://a.example\n', '\n[^1]: note\n\n', '<div>\n', '\uFEFF'],
        ),
      },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

/** The parser itself replaces a NUL, and the rest of a tab that a marker partly consumed. */
const shownAs = (slice: string) => slice.replaceAll('\0', '\uFFFD');

describe('pieces of the source', () => {
  it('match the source exactly, in order and without overlap, for any text', () => {
    fc.assert(
      fc.property(markdown, (source) => {
        let end = 0;
        for (const piece of allPiecesOf(treeOf(source))) {
          expect(piece.start).toBeGreaterThanOrEqual(end);
          expect(piece.end).toBeGreaterThan(piece.start);
          end = piece.end;
          if (isExact(piece) && !/[&\\!\]\t]/.test(source.slice(piece.start, piece.end)))
            expect(piece.text).toBe(shownAs(source.slice(piece.start, piece.end)));
        }
        expect(end).toBeLessThanOrEqual(source.length);
      }),
      { numRuns: 3000 },
    );
  });

  it('exist for every word of ordinary text, wherever it is', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 1, maxLength: 6 });
    const wrap = fc.constantFrom(
      (text: string) => text,
      (text: string) => `# ${text}`,
      (text: string) => `> ${text.replaceAll(' ', '\n> ')}`,
      (text: string) => `- ${text}\n  - ${text}`,
      (text: string) => `1. **${text}**`,
      (text: string) => `- [x] ${text}`,
      (text: string) => `- [ ] *${text}*`,
      (text: string) => `| ${text} | ~~b~~ |\n| --- | --- |\n| \`${text}\` | x |`,
      (text: string) => `\`\`\`\n${text.replaceAll(' ', '\n')}\n\`\`\``,
      (text: string) => `> - \`\`\`ts\n>   ${text}\n>   \`\`\``,
      (text: string) => `    ${text}`,
      (text: string) => `<p>\n${text}\n</p>`,
      (text: string) => `A note[^n]\n\n[^n]: ${text}`,
      (text: string) => `[${text}](https://a.example) &amp; \\* ${text}`,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(words, wrap), { minLength: 1, maxLength: 5 }), (blocks) => {
        const source = blocks.map(([some, around]) => around(some.join(' '))).join('\n\n');
        const pieces = allPiecesOf(treeOf(source));
        for (const [some] of blocks) {
          for (const word of some) {
            const piece = pieces.find(({ text }) => text.includes(word));
            expect(piece, `${word} in ${source}`).toBeDefined();
            expect(source.slice(piece!.start, piece!.end)).toContain(word);
          }
        }
      }),
    );
  });

  it.each([
    ['an entity', 'a &amp; b', '&', '&amp;'],
    ['an escape', 'a \\* b', '*', '\\*'],
    ['a pipe in the code of a table', '| `a\\|b` |\n| --- |', '|', '\\|'],
    ['a number of a note', 'x[^1]\n\n[^1]: y', '1', '[^1]'],
    ['an image elsewhere', 'x ![a *b*](https://a.example/i.png)', 'a b', '![a *b*](https://a.example/i.png)'],
  ])('of %s cover the whole source', (_what, source, shown, written) => {
    const piece = allPiecesOf(treeOf(source)).find(({ text }) => text === shown)!;
    expect(source.slice(piece.start, piece.end)).toBe(written);
  });

  it.each([
    ['a note that no text leads to', '[^n]: hidden words'],
    ['a second note of the same name', 'x[^n]\n\n[^n]: one\n\n[^n]: hidden words'],
    ['a definition for no link', '[//]: # (hidden words)'],
    [
      'a second definition of the same name',
      '[a]\n\n[a]: https://a.example\n[a]: https://b.example "hidden words"',
    ],
    ['a comment of HTML', 'x <!-- hidden words --> y'],
    ['the attributes of HTML', '<p title="hidden words">\n'],
  ])('exist for %s, so that nothing is hidden from readers', (_what, source) => {
    expect(textOf(allPiecesOf(treeOf(source)))).toContain('hidden words');
  });

  it('count a byte order mark and both characters of a line end', () => {
    const source = '\uFEFF# One\r\n\r\n> two\r\n> three';
    const places = allPiecesOf(treeOf(source)).map(({ start, end }) => source.slice(start, end));
    expect(places).toEqual(['One', 'two', '\r\n', 'three']);
  });
});

describe('highlights', () => {
  const pieces: Piece[] = allPiecesOf(treeOf('one **two** &amp; three\n\nfour `five`'));
  const highlight = (start: number, end: number, id = `${start}-${end}`) =>
    ({ id, start, end, tone: 'comment' }) as const;

  it('split text without changing it, for any overlapping ranges', () => {
    const ranges = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { maxLength: 8 });
    fc.assert(
      fc.property(ranges, (chosen) => {
        const highlights = placeHighlights(
          pieces,
          chosen.map(([one, other]) => highlight(one, other)),
        );
        const stretches = paint(pieces, highlights);
        expect(textOf(stretches as unknown as Piece[])).toBe(textOf(pieces));
        for (const { id } of highlights) {
          const lying = stretches.filter((stretch) => stretch.highlights.some((one) => one.id === id));
          expect(lying.length, id).toBeGreaterThan(0);
          expect(lying[0]!.begins, `${id} has a stop for the keyboard`).toBe(true);
        }
      }),
    );
  });

  it('that cover no visible text are omitted', () => {
    expect(placeHighlights(pieces, [highlight(4, 6), highlight(9, 9), highlight(60, 70)])).toEqual([]);
  });
});

describe('the outline', () => {
  it('has the headings with text, level, position and a unique id', () => {
    const source =
      '# The *plan* &amp; more\n\nText\n\nThe plan\n---\n\n## The plan\n\n> # Quoted\n\n### `code` in 日本';
    expect(outlineOf(treeOf(source))).toEqual([
      { id: 'section-the-plan--more', text: 'The plan & more', level: 1, start: 0 },
      { id: 'section-the-plan', text: 'The plan', level: 2, start: source.indexOf('The plan\n') },
      { id: 'section-the-plan-1', text: 'The plan', level: 2, start: source.indexOf('## The') },
      { id: 'section-code-in-日本', text: 'code in 日本', level: 3, start: source.indexOf('###') },
    ]);
  });

  it('never repeats an id, whatever the headings contain', () => {
    const heading = fc.constantFrom('a', 'a-1', 'A', 'a 1', '', '!', 'a-1-1');
    fc.assert(
      fc.property(fc.array(heading, { maxLength: 12 }), (headings) => {
        const outline = outlineOf(treeOf(headings.map((text) => `# ${text}`).join('\n\n')));
        expect(new Set(outline.map(({ id }) => id)).size).toBe(outline.length);
      }),
    );
  });
});

describe('ticking a task', () => {
  it('changes its box alone, in any kind of list', () => {
    const source =
      'A [ ] text\n\n- [ ] one\n  1. [X] two [ ]\n\n> * [x] three\n>   + [ ]\tfour\n\n```\n- [ ] code\n```\n\n* -\n    [ ] five\n\n> -\r\n>   [x] six\n\n- [\t] seven';
    const tasksIn = (text: string) => {
      const found: { start: number; done: boolean }[] = [];
      const visit = (blocks: readonly Block[]): void => {
        for (const block of blocks) {
          if (block.type === 'quote') visit(block.children);
          if (block.type !== 'list') continue;
          for (const { children, done, start } of block.items) {
            if (done !== undefined) found.push({ start, done });
            visit(children);
          }
        }
      };
      visit(treeOf(text).blocks);
      return found;
    };
    const before = tasksIn(source);
    expect(before.map(({ done }) => done)).toEqual([false, true, true, false, false, true, false]);
    for (const [index, { done, start }] of before.entries()) {
      const ticked = toggleTask(source, start)!;
      const after = before.map((task, at) => (at === index ? { start, done: !done } : task));
      expect(tasksIn(ticked)).toEqual(after);
      expect(ticked.length).toBe(source.length);
    }
    expect(toggleTask(source, 0)).toBeUndefined();
  });
});

describe('limits', () => {
  it.each([
    ['deep', '>'.repeat(100_000)],
    ['deep', '- '.repeat(50_000)],
    ['deep', '1. '.repeat(500)],
    ['deep', Array.from({ length: 80 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
    ['deep', `${'*a **a '.repeat(50)}${'a** a* '.repeat(50)}`],
  ])('reject deep nesting of %s', (reason, source) => {
    expect(parseMarkdown(source)).toEqual({ kind: 'refused', reason });
  });

  it('accept ordinary nesting', () => {
    const list = Array.from({ length: 12 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n');
    expect(parseMarkdown(`${list}\n\n${'> '.repeat(12)}deep`).kind).toBe('tree');
  });
});
