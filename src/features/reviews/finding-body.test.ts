/** The comment of a finding: nothing from the code becomes markup, a mention or a command. */
import { expect, it } from 'vitest';
import { findingBody } from './finding-body.ts';

const bodyOf = (title: string, scenario = 'It fails.') => findingBody({ title, scenario, evidence: [] }, []);

it('escapes markup, mentions and unpaired backticks, and keeps code as code', () => {
  expect(bodyOf('`format` was removed')).toBe('**`format` was removed**\n\nIt fails.');
  expect(bodyOf('@acme/core comes from git')).toBe('**`@acme/core` comes from git**\n\nIt fails.');
  expect(bodyOf('a`b <i> ``c`')).toBe('**a\\`b \\<i\\> \\`\\`c\\`**\n\nIt fails.');
  expect(bodyOf('a`<b>')).toBe('**a\\`\\<b\\>**\n\nIt fails.');
  expect(bodyOf('a\n\n# b\n- ![c](d)')).toBe('**a \\# b - !\\[c\\](d)**\n\nIt fails.');
});
