/** Descriptions, as they become the message of a squash. */
import { expect, it } from 'vitest';
import { writtenIn } from './written-text.ts';

it.each([
  ['nothing of an unfilled template', '## What\n<!-- Say\nwhat. -->\n\n## Why\n\n### Links\n', ''],
  [
    'what was written, with its headings',
    '<!-- Thanks! -->\r\n# Change\r\n\r\n## What\r\nA new page.\r\n\r\n## Why\r\n\r\n## Tests\r\n- [x] By hand\r\n',
    '# Change\n\n## What\nA new page.\n\n## Tests\n- [x] By hand',
  ],
  ['text without headings', 'Fixes it. #12 is older.\n\n\n\nMore.', 'Fixes it. #12 is older.\n\nMore.'],
  [
    'code as it is',
    '## Use\n```sh\n# build\n<!-- x -->\n```\n## None\n~~~\n```\n~~~',
    '## Use\n```sh\n# build\n<!-- x -->\n```\n## None\n~~~\n```\n~~~',
  ],
  ['an unclosed comment as text', 'a <!-- b', 'a <!-- b'],
])('keeps %s', (_, description, text) => {
  expect(writtenIn(description)).toBe(text);
});
