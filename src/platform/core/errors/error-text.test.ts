/** An error keeps enough to understand it, and no secret. */
import { expect, it } from 'vitest';
import { errorText } from './error-text.ts';

it.each([
  ['could not read https://ada:hunter2@git.example/a.git', 'could not read https://…@git.example/a.git'],
  ['GET https://git.example/a?private_token=abc gave 403', 'GET https://git.example/a?… gave 403'],
  ['refused: Authorization: Bearer abc.def', 'refused: Authorization: … …'],
  ['password=hunter2, user=ada', 'password=…, user=ada'],
  ['{"apiKey":"hunter2"}', '{"apiKey":"…"}'],
  ['{"token": "hunter2"}', '{"token": "…"}'],
  ['the key csk_abc_def is unknown', 'the key … is unknown'],
  [`commit ${'a1'.repeat(20)} is missing`, 'commit a1a1a1a… is missing'],
  ['repository 0195e2c0-0000-7000-8000-000000000001', 'repository 0195e2c0-0000-7000-8000-000000000001'],
  ['two\nlines\u0000', 'two lines'],
  ['x '.repeat(400), 'x '.repeat(250)],
])('%j becomes %j', (message, shown) => {
  expect(errorText(new Error(message))).toBe(shown);
});
