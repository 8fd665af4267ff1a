/** The judge on threads written by hand: each sentence of its rules, in both directions. */
import { describe, expect, it } from 'vitest';
import { judgeAddressed, type ReviewThread } from './index.ts';
import { ADDRESSED, MAYBE } from './weights.ts';

const FILE = `import { connect } from './connection.ts';

export async function fetchOrders(client: Client, limit: number) {
  const retries = 3;
  for (let attempt = 0; attempt < retries; attempt += 1) {
    console.log('fetching orders');
    const reply = await client.get('/orders', { limit });
    if (reply.ok) return reply.orders;
  }
  throw new Error('no orders recieved');
}

export function countOrders(orders: Order[]) {
  const total = orders.length;
  return total;
}

export function closeOrders(orders: Order[], reason: string) {
  for (const order of orders) order.close(reason);
}`;

/** A thread on the first line that contains `line`, with lines of the file replaced. */
function thread(
  comment: string,
  line: string,
  edits: Array<[string, string]>,
  more: Partial<ReviewThread> = {},
) {
  const index = FILE.split('\n').findIndex((text) => text.includes(line));
  let after = FILE;
  for (const [from, to] of edits) {
    expect(after).toContain(from);
    after = after.replace(from, () => to);
  }
  return judgeAddressed({
    comment,
    replies: [],
    file: 'src/orders.ts',
    startLine: index + 1,
    endLine: index + 1,
    commentedCode: FILE.split('\n')[index]!,
    before: FILE,
    after,
    otherHunks: [],
    ...more,
  });
}

const LOG = "    console.log('fetching orders');\n";
const RETRIES = '  const retries = 3;';
const RENAMED: Array<[string, string]> = [
  [RETRIES, '  const maxAttempts = 3;'],
  ['attempt < retries', 'attempt < maxAttempts'],
];

describe('is addressed', () => {
  it('by a name in backticks that appeared', () => {
    const judgment = thread('Please pass a `timeout` here.', 'client.get', [
      ['{ limit }', '{ limit, timeout: 5_000 }'],
    ]);
    expect(judgment).toMatchObject({ verdict: 'addressed', reason: '`timeout` is new in line 7.' });
    expect(judgment.hunks).toEqual([
      { file: 'src/orders.ts', beforeStart: 7, beforeEnd: 7, afterStart: 7, afterEnd: 7 },
    ]);
  });

  it('by a name in backticks that vanished where the comment asks to remove it', () => {
    const judgment = thread('The `reason` parameter is unused, drop it.', 'closeOrders', [
      ['orders: Order[], reason: string', 'orders: Order[]'],
      ['close(reason)', 'close()'],
    ]);
    expect(judgment).toMatchObject({ verdict: 'addressed', reason: '`reason` was removed.' });
  });

  it('by a suggestion that was applied, however it is formatted', () => {
    const comment = 'Simpler:\n```suggestion\n  return orders.length;\n```';
    const judgment = thread(comment, 'const total', [
      ['  const total = orders.length;\n  return total;', '    return orders\n      .length'],
    ]);
    expect(judgment).toMatchObject({
      verdict: 'addressed',
      reason: 'The suggestion was applied in lines 14 to 15.',
    });
  });

  it('by removing the line', () => {
    const judgment = thread('Please remove this, it is left over from debugging.', 'console.log', [
      [LOG, ''],
    ]);
    expect(judgment).toMatchObject({ verdict: 'addressed', reason: 'Line 6 was removed.' });
    expect(judgment.hunks).toEqual([
      { file: 'src/orders.ts', beforeStart: 6, beforeEnd: 6, afterStart: 6, afterEnd: 5 },
    ]);
  });

  it.each([
    'Rename `retries` to `maxAttempts`.',
    'rename retries to maxAttempts',
    'retries -> maxAttempts',
    's/retries/maxAttempts/',
  ])('by the new name that was asked for: %s', (comment) => {
    const judgment = thread(comment, 'const retries', RENAMED);
    expect(judgment.verdict).toBe('addressed');
    expect(judgment.reason).toMatch(/^`retries` was (renamed to|replaced by) `maxAttempts`/);
  });

  it('by a correction of a misspelled word', () => {
    const judgment = thread('typo', 'recieved', [['recieved', 'received']]);
    expect(judgment).toMatchObject({
      verdict: 'addressed',
      reason: '`recieved` was corrected to `received` in line 10.',
    });
  });

  it('by a comment in the code that answers the question', () => {
    const judgment = thread('Why are there three attempts, is the server flaky?', 'const retries', [
      [
        RETRIES,
        `  // The order server is flaky after a deployment; it answers within three attempts.\n${RETRIES}`,
      ],
    ]);
    expect(judgment).toMatchObject({ verdict: 'addressed', reason: 'A comment was added in line 4.' });
  });

  it('by removing the commented code, whatever was asked, except to keep it', () => {
    const comment = 'This will flood the output in production.';
    expect(thread(comment, 'console.log', [[LOG, '']])).toMatchObject({
      verdict: 'addressed',
      reason: 'The commented code was removed.',
    });
    expect(thread('Please keep this.', 'console.log', [[LOG, '']]).verdict).not.toBe('addressed');
  });

  it('by rewriting it with names that the file knows, not with others', () => {
    const comment = 'That is a surprising way to end up with fewer of them.';
    const call = "await client.get('/orders', { limit })";
    expect(thread(comment, 'client.get', [[call, 'fetchOrders(client, retries)']])).toMatchObject({
      verdict: 'addressed',
      reason: 'The commented code was rewritten in line 7.',
    });
    expect(thread(comment, 'client.get', [[call, 'zebra(walrus, quartz)']]).verdict).toBe('maybe');
  });

  it('by the whole text of a short comment', () => {
    expect(thread('nit: no orders received', 'recieved', [['recieved', 'received']]).reason).toBe(
      'The words of the comment are in line 10.',
    );
  });

  it('by a hunk of another file, which the reason names', () => {
    const hunk = {
      file: 'src/limits.ts',
      startLine: 12,
      before: ['export const limits = {};'],
      after: ['export const limits = { maxOrders: 100 };'],
    };
    const judgment = thread('Please define `maxOrders` with the other limits.', 'limit: number', [], {
      otherHunks: [hunk],
    });
    expect(judgment).toMatchObject({
      verdict: 'addressed',
      reason: '`maxOrders` was added in src/limits.ts, line 12.',
    });
    expect(judgment.hunks).toEqual([
      { file: 'src/limits.ts', beforeStart: 12, beforeEnd: 12, afterStart: 12, afterEnd: 12 },
    ]);
  });

  it('wherever the commented code is, if the lines are off', () => {
    const judgment = thread('Please remove this.', 'console.log', [[LOG, '']], { startLine: 2, endLine: 2 });
    expect(judgment.verdict).toBe('addressed');
  });
});

describe('is never addressed', () => {
  it('by reformatting', () => {
    const call = "client.get('/orders', { limit })";
    for (const reformatted of [
      'client.get("/orders", { limit })',
      "client.get(\n      '/orders',\n      { limit },\n    )",
    ]) {
      expect(thread('Handle errors here.', 'client.get', [[call, reformatted]]).verdict).toBe('open');
      const asked = thread('nit: formatting is off', 'client.get', [[call, reformatted]]);
      expect(asked.verdict).toBe('maybe');
      expect(asked.reason).toMatch(/only reformatted/);
    }
  });

  it('by a block that moved, reindented or not', () => {
    const block =
      'export function countOrders(orders: Order[]) {\n  const total = orders.length;\n  return total;\n}\n\n';
    for (const moved of [block, block.replaceAll(/^/gm, '  ')]) {
      const edits: Array<[string, string]> = [
        [block, ''],
        [/.*$/.exec(FILE)![0], `}\n\n${moved}`],
      ];
      expect(thread('Please remove this function.', 'countOrders', edits).verdict).toBe('open');
      expect(thread('Move this below `closeOrders`.', 'countOrders', edits).verdict).toBe('maybe');
    }
  });

  it('by an edit that leaves the question open', () => {
    const judgment = thread('Why are there three attempts here?', 'const retries', [
      [RETRIES, '  const retries = 4;'],
    ]);
    expect(judgment.verdict).not.toBe('addressed');
    const named = thread('Why is `client` not closed here, what is `dispose` for?', 'client.get', [
      ['{ limit }', '{ limit, dispose: true }'],
    ]);
    expect(named).toMatchObject({
      verdict: 'maybe',
      reason: 'Line 7 changed, but a question is unanswered.',
    });
  });

  it.each([
    'I disagree, we need that.',
    'No, this is still wrong.',
    "That doesn't fix it for me.",
    "I don't think that is enough.",
    'Please keep it, it is by design.',
    "This isn't addressed yet.",
  ])('after the objection of a person: %s', (body) => {
    const replies = [
      { body: 'Will do.', isPerson: true },
      { body, isPerson: true },
      { body: 'Done', isPerson: true },
    ];
    expect(thread('Please remove this.', 'console.log', [[LOG, '']], { replies })).toMatchObject({
      verdict: 'open',
      reason: expect.stringContaining('objects'),
      hunks: [],
    });
  });

  it('while the last reply asks something', () => {
    const replies = [{ body: 'Do you mean only this one?', isPerson: true }];
    expect(thread('Please remove this.', 'console.log', [[LOG, '']], { replies }).verdict).toBe('maybe');
    const answered = [...replies, { body: 'Yes.', isPerson: true }];
    expect(thread('Please remove this.', 'console.log', [[LOG, '']], { replies: answered }).verdict).toBe(
      'addressed',
    );
  });

  it('in an unchanged file without a fitting hunk elsewhere', () => {
    const other = { file: 'a.ts', startLine: 1, before: ['const a = 1;'], after: ['const a = 2;'] };
    for (const otherHunks of [[], [other]]) {
      expect(thread('Please remove this.', 'console.log', [], { otherHunks })).toMatchObject({
        verdict: 'open',
        confidence: 0,
      });
    }
  });

  it.each<[string, string, Array<[string, string]>]>([
    ['Rename `retries` to `maxAttempts`.', 'const retries', [[RETRIES, '  const retries = 5;']]],
    ['Please pass a `timeout` here.', 'client.get', [['{ limit }', '{ limit, page: 1 }']]],
    ['Please remove this.', 'console.log', [["'fetching orders'", "'fetching orders', limit"]]],
    ['```suggestion\n  return orders.length;\n```', 'const total', [['orders.length', 'orders.size']]],
    ['typo', 'recieved', [["'no orders recieved'", "'no orders recieved', { cause }"]]],
  ])('by an unrelated edit of the line: %s', (comment, line, edits) => {
    expect(thread(comment, line, edits).verdict).not.toBe('addressed');
  });
});

describe('the judgment', () => {
  it('ignores what bots and agents object', () => {
    const replies = [{ body: 'I disagree.', isPerson: false }];
    expect(thread('Please remove this.', 'console.log', [[LOG, '']], { replies }).verdict).toBe('addressed');
  });

  it('reads no quoted words of others', () => {
    const comment = '> Please remove this.\n\nKeep it, but log the limit too.';
    expect(thread(comment, 'console.log', [[LOG, '']]).verdict).not.toBe('addressed');
  });

  it('judges a comment on the whole file', () => {
    const whole = { startLine: 0, endLine: 0, commentedCode: '' };
    expect(
      thread('Please add a `pageSize`.', 'limit', [['limit: number', 'pageSize: number']], whole).verdict,
    ).toBe('addressed');
    expect(thread('Please add a `pageSize`.', 'limit', [['limit: number', 'limit = 5']], whole).verdict).toBe(
      'maybe',
    );
  });

  it('copes with empty texts, lines out of range and hostile comments', () => {
    const hostile = [
      '',
      '`'.repeat(30_000),
      '```suggestion\n'.repeat(3_000),
      'rename a to '.repeat(5_000),
      `${'a'.repeat(50_000)} -> b`,
      '> '.repeat(20_000),
      '"'.repeat(30_000),
      `${'not '.repeat(9_000)}fixed`,
    ];
    for (const comment of hostile) {
      const replies = [{ body: comment, isPerson: true }];
      const judgment = thread(comment, 'client.get', [['{ limit }', '{ limit, page: 1 }']], {
        replies,
        startLine: 9_999,
        endLine: -3,
      });
      expect(judgment.confidence).toBeLessThan(ADDRESSED);
    }
    for (const [before, after] of [
      ['', 'a'],
      ['a', ''],
      ['\n', '\r\n'],
    ] as const) {
      expect(thread('x', 'limit', [], { before, after, commentedCode: 'q' }).verdict).not.toBe('addressed');
    }
  });

  it('reads large files', () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `  call${index % 700}(value${index}, 'some text here');`,
    );
    const changed = lines.map((line, index) => (index % 40 === 0 ? line.replace('some', 'other') : line));
    const judgment = judgeAddressed({
      ...{ comment: 'Use `other` here.', replies: [], otherHunks: [], file: 'a.js' },
      ...{ startLine: 8_001, endLine: 8_001, commentedCode: lines[8_000]! },
      ...{ before: lines.join('\n'), after: changed.join('\n') },
    });
    expect(judgment.verdict).toBe('addressed');
    expect(judgment.confidence).toBeGreaterThanOrEqual(MAYBE);
  });
});
