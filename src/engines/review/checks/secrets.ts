/** Tokens and keys in added lines: secretlint's rules, and patterns of our own for kinds that it lacks. */
import { createHash } from 'node:crypto';
import { lintSource } from '@secretlint/core';
import { creator, rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Check, Found } from '../check.ts';
import { addedLines, type Change, type Line, type ReviewedFile } from '../code/read-change.ts';
import type { ReviewCode } from '../code/review-code.ts';

const GOOGLE_KEY = 'Google API key';
const FIREBASE = /firebase|\bauthDomain\b|identitytoolkit\.googleapis/i;

/** Each has a fixed beginning or a form that nothing else has; there is no rule about randomness alone. */
const OWN_PATTERNS: { kind: string; pattern: RegExp }[] = [
  { kind: GOOGLE_KEY, pattern: /\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/g },
  { kind: 'Google OAuth client secret', pattern: /\bGOCSPX-[0-9A-Za-z_-]{28}(?![0-9A-Za-z_-])/g },
  { kind: 'Twilio API key', pattern: /\bSK[0-9a-f]{32}\b/g },
  // The emulators of storage and of Cosmos DB have the same keys everywhere.
  {
    kind: 'Azure storage key',
    pattern: /\bAccountKey=(?!Eby8vdM02xNOcqFlqUwJPLl|C2y6yDjf5\/R\+ob0N8A7Cgv)[A-Za-z0-9+/]{86}==/g,
  },
  { kind: 'Telegram bot token', pattern: /\b\d{8,10}:AA[0-9A-Za-z_-]{33}(?![0-9A-Za-z_-])/g },
  {
    kind: 'Discord bot token',
    pattern: /\b[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}(?![A-Za-z\d_-])/g,
  },
  { kind: 'Countersign API key', pattern: /(?<![0-9A-Za-z])csk_[0-9A-Za-z]{49}(?![0-9A-Za-z])/g },
  { kind: 'Hugging Face token', pattern: /\bhf_[0-9A-Za-z]{34}(?![0-9A-Za-z])/g },
  { kind: 'PyPI token', pattern: /\bpypi-AgEI[0-9A-Za-z_-]{50,}/g },
  { kind: 'OpenAI key', pattern: /\bsk-(?:proj|svcacct|admin)-[0-9A-Za-z_-]{40,}/g },
];

/** Hidden in texts, but no finding in code: JSON Web Tokens in code are mostly made up, and these have the wrong length or neighbours. */
const MASKED_TOO = [
  /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/g,
  /(?:gh[pousr]_|github_pat_)[0-9A-Za-z_]{36,}/g,
  /csk_[0-9A-Za-z]{40,}/g,
];
/** With any characters in the password, such as `$` and `&`. */
const PASSWORD_IN_URL = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:[^\s/@"'<>]{4,200}@[\w.-]+/gi;

/** The shortest match of these patterns: most lines are shorter and need not be tried. */
const SHORTEST_OWN = 34;

const AWS_KEY_ID = 'AWS access key ID';
const AWS_SECRET_KEY = 'AWS secret access key';

const URL_PASSWORD = 'password in a URL';
const DATABASE_PASSWORD = 'database password';
const PASSWORDS = new Set([URL_PASSWORD, DATABASE_PASSWORD]);

/** Rules whose matches in tests and documents are nearly always made up. */
const ONLY_IN_CODE = new Set([
  '@secretlint/secretlint-rule-basicauth',
  '@secretlint/secretlint-rule-database-connection-string',
  '@secretlint/secretlint-rule-privatekey',
]);
/** A host without a dot is a container or a machine beside this one: nobody else can reach it with the password. */
const BESIDE = /@[\w-]+(:\d+)?(\/|["'\s]|$)/;
/** A signed address names its key, which nobody can use without the secret half. */
const IN_SIGNED_ADDRESS = /\b(X-Amz-Credential|AWSAccessKeyId)(=|%3D)$/i;
/** In Rust, tests are in the file that they test. */
const RUST_TESTS = /^\s*#\[cfg\((all\()?test\b/m;
const PLACEHOLDER =
  /example|sample|dummy|placeholder|change[-_]?me|replace[-_]?(me|this|with)|random[-_](string|password)|your[-_]?|xxxx|<[^>]+>|\$\{|\{\{|%[sd(]|localhost|127\.0\.0\.1|\.(test|invalid|local)\b|user:pass|username:password|:password@|:secret@|:postgres@|:root@|:port@|\/\/(?<name>\w+):\k<name>@/i;
/** Written instead of the random part of a token. */
const MADE_UP = /-(test|fake|mock)-|0{6}|1234-5678|-abcd\b/i;
/** Made up in tests, although it has the form of a token: what counts up, and keys for Stripe's test mode. */
const TEST_TOKEN = /12345678|^[sr]k_test_/;
/** Slack's addresses have parts of this length. */
const SLACK_ADDRESS = /hooks\.slack\.com\/services\/(?!T\w{8,}\/B\w{8,}\/\w{20,})/;
/** Tokens that share this many characters at their end were made up. */
const END_CHARACTERS = 16;
/** Longer lines arrive truncated, so they are read from the file, in windows that overlap by more than a token. */
const MAX_WHOLE_CHARACTERS = 1000;
const WINDOW_CHARACTERS = 16_000;
const OVERLAP_CHARACTERS = 1000;
/** For all long lines of a change; only the beginning of further ones is read. */
const MAX_LONG_CHARACTERS = 64 * 1024 * 1024;
/** In one file: each is looked for in the whole text. */
const MAX_COMPARED = 500;
const PART_CHARACTERS = 64_000;
const PART_OVERLAP_CHARACTERS = 12_000;
const CUT = 'long lines that were not searched for secrets to their end';
/** How much of a token is shown. */
export const SHOWN_CHARACTERS = 4;

const RECOMMENDED = {
  id: '@secretlint/secretlint-rule-preset-recommend',
  rule: {
    ...creator,
    create(context) {
      // Comments such as `secretlint-disable` must not hide a token from those who review the change.
      for (const rule of rules)
        if (rule.meta.id !== '@secretlint/secretlint-rule-filter-comments') context.registerRule(rule);
    },
  } satisfies typeof creator,
  rules: [{ id: '@secretlint/secretlint-rule-aws', options: { enableIDScanRule: true } }],
};

interface Secret {
  kind: string;
  line: Line;
  /** Where the token begins in the line. */
  start: number;
  value: string;
  /** Made by a program, unlike a password. */
  isRandom: boolean;
}

export const secrets: Check = {
  name: 'leaked_secret',
  reviewer: 'secrets',
  looksFor: 'tokens and private keys in added lines',
  run: (change, code) => findSecrets(change, code, ({ kind }) => !PASSWORDS.has(kind)),
};

export const passwords: Check = {
  name: 'password_in_url',
  reviewer: 'secrets',
  looksFor: 'passwords in URLs and connection strings in added lines',
  // Mostly made up, or of a database that only tests can reach.
  isOffByDefault: true,
  run: (change, code) => findSecrets(change, code, ({ kind }) => PASSWORDS.has(kind)),
};

async function findSecrets(
  change: Change,
  code: ReviewCode,
  isWanted: (secret: Secret) => boolean,
): Promise<Found[]> {
  const found: Found[] = [];
  const room = { characters: MAX_LONG_CHARACTERS };
  for (const file of change.files) {
    if (file.fileClass === 'lock') continue;
    const { isCut, lines } = await readLines(file, code, room);
    if (isCut && !change.notReviewed.some(({ path }) => path === file.path))
      change.notReviewed.push({ path: file.path, reason: CUT });
    if (lines.length === 0) continue;
    const testsFrom = file.path.endsWith('.rs') ? await firstTestLine(file, code) : undefined;
    const secrets = [...findOwn(lines), ...(await findKnown(file, lines, testsFrom))].filter(isWanted);
    const seen = new Set<string>();
    const added: Secret[] = [];
    const text = joinLines(lines);
    for (const secret of secrets) {
      if (seen.has(secret.value) || isPlaceholder(secret)) continue;
      if (file.fileClass === 'test' && TEST_TOKEN.test(secret.value)) continue;
      if (seen.size === MAX_COMPARED) break;
      seen.add(secret.value);
      if (isLikeAnother(secret, text)) continue;
      // A token that was already in the file is not new here.
      const before = await code.read('base', file.oldPath ?? file.path);
      if (!before?.includes(secret.value)) added.push(secret);
    }
    for (const secret of added) if (!isIdOfSecretKey(secret, added)) found.push(describe(file, secret));
  }
  return found;
}

/** The two halves of a key pair are one finding, at the half that is secret. */
function isIdOfSecretKey({ kind, line }: Secret, others: Secret[]): boolean {
  return (
    kind === AWS_KEY_ID &&
    others.some((other) => other.kind === AWS_SECRET_KEY && Math.abs(other.line.number - line.number) <= 1)
  );
}

/** A random token has a digit somewhere. */
function isPlaceholder({ isRandom, line, start, value }: Secret): boolean {
  if (/\be\.g\.[^.]*$/.test(line.text.slice(0, start))) return true;
  return (
    PLACEHOLDER.test(value) ||
    (isRandom && (MADE_UP.test(value) || SLACK_ADDRESS.test(value) || !/\d/.test(value)))
  );
}

/** Whether its end is also in another string, as in lists of made-up tokens. */
function isLikeAnother({ isRandom, value }: Secret, text: string): boolean {
  return isRandom && text.replaceAll(value, '').includes(value.slice(-END_CHARACTERS));
}

/** The added lines; a long one as several parts with the same number. */
async function readLines(
  file: ReviewedFile,
  code: ReviewCode,
  room: { characters: number },
): Promise<{ lines: Line[]; isCut: boolean }> {
  const lines = addedLines(file);
  if (lines.every(({ text }) => text.length <= MAX_WHOLE_CHARACTERS)) return { lines, isCut: false };
  const whole = (await code.read('head', file.path))?.split('\n');
  let isCut = false;
  const parts = lines.flatMap(({ number, text }) => {
    if (text.length <= MAX_WHOLE_CHARACTERS) return [{ number, text }];
    let line = whole?.[number - 1];
    if (line === undefined || line.length > room.characters) {
      isCut = true;
      line = text;
    } else room.characters -= line.length;
    const windows: Line[] = [];
    for (let start = 0; start < line.length; start += WINDOW_CHARACTERS - OVERLAP_CHARACTERS)
      windows.push({ number, text: line.slice(start, start + WINDOW_CHARACTERS) });
    return windows;
  });
  return { lines: parts, isCut };
}

/** As they are in the file: parts of a long line overlap. */
function joinLines(lines: Line[]): string {
  const isContinued = (index: number) => lines[index + 1]?.number === lines[index]!.number;
  return lines
    .map(({ text }, index) =>
      isContinued(index) ? text.slice(0, WINDOW_CHARACTERS - OVERLAP_CHARACTERS) : `${text}\n`,
    )
    .join('');
}

function findOwn(lines: Line[]): Secret[] {
  return lines.flatMap((line, index) => {
    if (line.text.length < SHORTEST_OWN) return [];
    return OWN_PATTERNS.flatMap(({ kind, pattern }) =>
      [...line.text.matchAll(pattern)]
        .filter(() => kind !== GOOGLE_KEY || !isOfFirebase(lines, index))
        .map((match) => ({
          ...{ kind, line, start: match.index, value: match[0], isRandom: true },
        })),
    );
  });
}

/** Firebase's keys are in every web page that uses it: they say which project is meant, and give no access. */
function isOfFirebase(lines: Line[], index: number): boolean {
  return lines.slice(Math.max(0, index - 5), index + 6).some(({ text }) => FIREBASE.test(text));
}

/** Added lines are checked together, so that keys of several lines are found. */
async function findKnown(file: ReviewedFile, lines: Line[], testsFrom?: number): Promise<Secret[]> {
  const found: Secret[] = [];
  for (const some of inParts(lines)) found.push(...(await findKnownIn(file, some, testsFrom)));
  return found;
}

/** Parts that overlap by more than a key: secretlint's time grows with the square of what it finds in a text. */
function inParts(lines: Line[]): Line[][] {
  const parts: Line[][] = [];
  let part: Line[] = [];
  let characters = 0;
  for (const line of lines) {
    part.push(line);
    characters += line.text.length + 1;
    if (characters < PART_CHARACTERS) continue;
    parts.push(part);
    let start = part.length;
    for (characters = 0; characters < PART_OVERLAP_CHARACTERS; characters += part[start]!.text.length + 1)
      start -= 1;
    part = part.slice(start);
  }
  return [...parts, part];
}

async function findKnownIn(file: ReviewedFile, lines: Line[], testsFrom?: number): Promise<Secret[]> {
  const content = lines.map(({ text }) => text).join('\n');
  const isMadeUp =
    file.fileClass === 'test' ||
    file.fileClass === 'docs' ||
    /\b(sample|example|template|dist)$/.test(file.path);
  return (await lint(content, file.path)).flatMap(({ column, line: number, messageId, ruleId, value }) => {
    const line = lines[number - 1];
    if (!line) return [];
    const isInTests = testsFrom !== undefined && line.number >= testsFrom;
    const isHarmless = PLACEHOLDER.test(line.text) || BESIDE.test(line.text);
    if (ONLY_IN_CODE.has(ruleId) && (isMadeUp || isInTests || isHarmless)) return [];
    const isRandom = !ONLY_IN_CODE.has(ruleId);
    const kind = kindOf(ruleId, messageId);
    if (kind === AWS_KEY_ID && IN_SIGNED_ADDRESS.test(line.text.slice(0, column))) return [];
    return [{ kind, line, start: column, value, isRandom }];
  });
}

async function firstTestLine(file: ReviewedFile, code: ReviewCode): Promise<number | undefined> {
  const text = (await code.read('head', file.path)) ?? '';
  const at = text.search(RUST_TESTS);
  return at === -1 ? undefined : text.slice(0, at).split('\n').length;
}

async function lint(content: string, path: string) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { messages } = await lintSource({
    source: { content, filePath: path, ext: name.slice(name.lastIndexOf('.')), contentType: 'text' },
    options: { config: { rules: [RECOMMENDED] }, noPhysicFilePath: true },
  });
  return (
    messages
      // The number of an account is no secret.
      .filter(({ messageId }) => messageId !== 'AWSAccountID')
      .map(({ data, loc, messageId, range, ruleId }) => {
        // This rule gives the place of the variable with the length of the key.
        const key = messageId === 'AWSSecretAccessKey' ? (data as { KEY: string }).KEY : undefined;
        const value = key ?? content.slice(...range);
        const start = content.indexOf(value, range[0]);
        const column = loc.start.column + start - range[0];
        return { ruleId, messageId, line: loc.start.line, column, value };
      })
  );
}

/** Every token in a text, to hide it wherever the text is shown. A made-up password in an address is none. */
export async function findSecretValues(text: string): Promise<string[]> {
  const own = [...OWN_PATTERNS.map(({ pattern }) => pattern), ...MASKED_TOO].flatMap(
    (pattern) => text.match(pattern) ?? [],
  );
  const addresses = (text.match(PASSWORD_IN_URL) ?? []).filter((address) => !PLACEHOLDER.test(address));
  const known = (await lint(text, 'quotes.txt'))
    .filter(
      ({ messageId, ruleId, value }) => !PASSWORDS.has(kindOf(ruleId, messageId)) || !PLACEHOLDER.test(value),
    )
    .map(({ value }) => value);
  return [...own, ...addresses, ...known].filter((value) => value.length > SHOWN_CHARACTERS);
}

const NAMES: Record<string, string> = {
  aws: AWS_KEY_ID,
  gcp: 'Google Cloud key',
  github: 'GitHub token',
  gitlab: 'GitLab token',
  npm: 'npm token',
  privatekey: 'private key',
  slack: 'Slack token',
  openai: 'OpenAI key',
  anthropic: 'Anthropic key',
  sendgrid: 'SendGrid key',
  shopify: 'Shopify token',
  linear: 'Linear key',
  stripe: 'Stripe key',
  basicauth: URL_PASSWORD,
  'database-connection-string': DATABASE_PASSWORD,
};

function kindOf(ruleId: string, messageId: string): string {
  if (messageId === 'AWSSecretAccessKey') return AWS_SECRET_KEY;
  const name = ruleId.replace(/^.*secretlint-rule-/, '');
  return NAMES[name] ?? `${name.replaceAll('-', ' ')} secret`;
}

/** The token itself never leaves this function: its beginning is enough to find it. */
function describe(file: ReviewedFile, { kind, line, start, value }: Secret): Found {
  const id = createHash('sha256').update(value).digest('hex').slice(0, 12);
  const quote = line.text.slice(Math.max(0, start - 80), start + SHOWN_CHARACTERS).trimStart();
  return {
    claim: 'secret',
    subject: `${kind} ${id}`,
    title: `${capitalize(kind)} in the code`,
    scenario: `Everyone who can read the repository, now or later, can use this ${kind}. Revoke it, then take it from the environment or a secret store; removing the line does not remove it from the history.`,
    file: file.path,
    side: 'head',
    line: line.number,
    quote,
    evidence: [],
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
