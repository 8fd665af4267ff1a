/** The comment of a finding: nothing from the code becomes markup, a mention or a command. */

import { expect, it } from 'vitest';
import { findingBody } from './finding-body.ts';
import { reviewReport } from './review-report.ts';

const bodyOf = (title: string, scenario = 'It fails.') =>
  findingBody({ title, scenario, evidence: [] }, [], { namesRepositories: true });

it('escapes markup, mentions and unpaired backticks, and keeps code as code', () => {
  expect(bodyOf('`format` was removed')).toBe('**`format` was removed**\n\nIt fails.');
  expect(bodyOf('@acme/core comes from git')).toBe('**`@acme/core` comes from git**\n\nIt fails.');
  expect(bodyOf('a`b <i> ``c`')).toBe('**a\\`b \\<i\\> \\`\\`c\\`**\n\nIt fails.');
  expect(bodyOf('a`<b>')).toBe('**a\\`\\<b\\>**\n\nIt fails.');
  expect(bodyOf('a\n\n# b\n- ![c](d)')).toBe('**a \\# b - !\\[c\\](d)**\n\nIt fails.');
});

it('names other repositories and their code only where all readers can see them', () => {
  const repository = { id: 'r', name: 'acme/web', commit: '0123456789abcdef' };
  const finding = {
    ...{ title: 'Removed', scenario: 'Another repository uses it.', command: 'git grep x # in acme/web' },
    evidence: [{ side: 'head' as const, path: 'src/a.ts', line: 3, quote: 'format(1)', repository }],
  };
  expect(findingBody(finding, [], { namesRepositories: true })).toContain(
    '- `acme/web src/a.ts:3@0123456789ab`: `format(1)`',
  );
  const onHost = findingBody(finding, [], { namesRepositories: false });
  expect(onHost).toContain('Another repository uses it.');
  expect(onHost).not.toMatch(/acme\/web|src\/a\.ts|format/);
});

it('tells a code host what a check has to say besides its findings', () => {
  const report = (note?: string) =>
    reviewReport(
      {
        ...{
          headCommit: 'a'.repeat(40),
          state: 'done',
          problem: null,
          files: 2,
          moreFiles: 0,
          notReviewed: [],
        },
        ...{ checks: [{ name: 'outside_plan', failure: null, ...(note && { note }) }], heldBack: 0 },
      },
      [],
    );
  expect(report('1 of 2 changed files are not named.').checkText).toBe(
    'Reviewed `aaaaaaaaaaaa`: 2 files.\n\n1 of 2 changed files are not named.',
  );
  expect(report().checkText).toBe('Reviewed `aaaaaaaaaaaa`: 2 files.');
  expect(report('A note.').checkState).toBe('success');
});
