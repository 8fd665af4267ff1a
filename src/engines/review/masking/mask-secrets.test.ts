/** Masking texts: nothing of a token is left but its beginning, lines keep their place, and masking again changes nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMasker, maskText, maskTexts, maskValue } from './mask-secrets.ts';

/** No token here is real; they are put together so that scanners of this repository leave them alone. */
const GITHUB = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;
const SLACK = `xoxb-${'123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx'}`;
const AWS_SECRET = `wJalr${'XUtnFEMI/K7MDENG/bPxRfiCYq2W3e4R5t6Y'}`.slice(0, 40);
const KEY_LINE = 'MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfnygWyF0AJJ3aBcDeFgHiJkLmNoPqRsTuVw';
const BEGIN = `-----BEGIN RSA PRIVATE ${'KEY-----'}`;
const END = `-----END RSA PRIVATE ${'KEY-----'}`;
const KEY = [BEGIN, KEY_LINE, KEY_LINE.toLowerCase(), END].join('\n');
const ADDRESS = `postgres://ada:${GITHUB}@db.acme.com/shop`;

it('keeps the beginning of a token, and the lines around it', async () => {
  expect(await maskText(`a\nconst t = '${GITHUB}';\nb`)).toBe("a\nconst t = 'ghp_…';\nb");
  expect(await maskText('See https://acme.com/docs, or postgres://user:pass@localhost/test.')).toBe(
    'See https://acme.com/docs, or postgres://user:pass@localhost/test.',
  );
});

it('leaves nothing of a token that contains another', async () => {
  expect(await maskText(`url: ${ADDRESS}\ntoken: ${GITHUB}`)).toBe('url: post…\ntoken: ghp_…');
});

it.each([
  ['a directive before it', `<!-- secretlint-disable -->\n// secretlint-disable\n${GITHUB}`],
  ['a directive in its line', `${GITHUB} // secretlint-disable-line`],
  ['letters around it', `x${GITHUB}extra`],
  ['an underscore before it', `_csk_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6aB3dE6gH9jK2m'}`],
  [
    'a JSON Web Token',
    `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N'}`,
  ],
  ['a Hugging Face token', `hf_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3g'}`],
  ['a PyPI token', `pypi-AgEI${'cHlwaS5vcmcCJDU2Nzg5MGFiLWNkZWYtMTIzNC01Njc4LTkwYWJjZGVm'}`],
  ['an OpenAI key', `sk-proj-${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6aB3dE6gH9'}`],
  ['characters with a meaning in replacements', `https://admin:$&Sup3rS3cretZq9@git.acme.io/x.git`],
])('masks a token with %s', async (_, text) => {
  const masked = await maskText(`Before\n${text}\nafter`);
  expect(masked).toMatch(/^Before\n[\s\S]*…[\s\S]*\nafter$/);
  expect(masked).not.toMatch(/aB3dE6|Sup3rS3|dozjgNry|JDU2Nzg/);
});

describe('private keys', () => {
  it('are masked line by line', async () => {
    expect(await maskText(`${KEY}\nafter`)).toBe(`${BEGIN}\nMIIE…\nmiie…\n${END}\nafter`);
  });
  it('are masked in one line, cut off, and joined from strings', async () => {
    expect(await maskText(`"${BEGIN}\\n${KEY_LINE}\\n${END}\\n"`)).toBe(`"${BEGIN}\\nMIIE…\\n${END}\\n"`);
    expect(await maskText(`${BEGIN}\n${KEY_LINE}\nThe rest is in src/engines/review/find.ts`)).toBe(
      `${BEGIN}\nMIIE…\nThe rest is in src/engines/review/find.ts`,
    );
    expect(await maskText(`'${BEGIN}\\n' +\n  '${KEY_LINE}\\n' +\n  '${KEY_LINE}`)).not.toContain(KEY_LINE);
  });
  it('are masked in a part of the text that contains them', async () => {
    expect(await (await createMasker([KEY]))(KEY_LINE)).toBe('MIIE…');
  });
});

it('masks in all texts what is a token in one', async () => {
  expect(await maskTexts([`aws_secret_access_key = ${AWS_SECRET}`, `Is ${AWS_SECRET} used?`])).toEqual([
    'aws_secret_access_key = wJal…',
    'Is wJal… used?',
  ]);
  expect(await maskValue({ a: [{ b: GITHUB }, 1, null], at: new Date(0) })).toEqual({
    a: [{ b: 'ghp_…' }, 1, null],
    at: new Date(0),
  });
});

it('finds tokens anywhere in a long text, without blocking the thread', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const filler = 'lorem_ipsum_dolor_sit_amet = 1\n'.repeat(380);
  const text = `${filler}${GITHUB}\n${filler}${GITHUB}`;
  expect(await maskText(text)).toBe(`${filler}ghp_…\n${filler}ghp_…`);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

it('is idempotent and keeps the number of lines, whatever surrounds the tokens', async () => {
  const piece = fc.oneof(
    fc.constantFrom(GITHUB, SLACK, KEY, KEY_LINE, ADDRESS, BEGIN, END, '…', '\\n', '\n', '"', ' = ', 'ghp_'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const text = pieces.join(' ').replaceAll('\0', '').toWellFormed();
      const masked = await maskText(text);
      expect(masked.split('\n').length).toBe(text.split('\n').length);
      expect(await maskText(masked)).toBe(masked);
      expect(masked).not.toContain(GITHUB);
    }),
    { numRuns: 100 },
  );
});
