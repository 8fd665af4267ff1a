/** Leaked secrets: which are found, which are left alone, and that none is ever shown. */
import { describe, expect, it } from 'vitest';
import { describeReview, findingsOf, reviewChange } from '../../../../test/helpers/git/review-change.ts';
import { chooseChecks } from './index.ts';

/** No token here is real; they are put together so that scanners of this repository leave them alone. */
const TOKENS = {
  github: `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`,
  google: `AIza${'SyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v'}`,
  aws: `AKIA${'QX7ZP4MN2LKJ8H6G'}`,
  awsSecret: `wJalr${'XUtnFEMI/K7MDENG/bPxRfiCYq2W3e4R5t6Y'}`.slice(0, 40),
  azure: `AccountKey=${'a1B2c3D4e5F6g7H8i9J0'.repeat(5).slice(0, 86)}==`,
  emulator: `AccountKey=Eby8${'vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='}`,
  cosmosEmulator: `AccountKey=C2y6${'yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='}`,
  /** The shortest of all. */
  twilio: `SK${'a1b2c3d4e5f60718293a4b5c6d7e8f90'}`,
  slack: `xoxb-${'123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx'}`,
  privateKey: `-----BEGIN RSA PRIVATE ${'KEY-----\n'}${'MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfnygWyF0AJJ3aBcDeFgHiJkLmNoPqRsTuVw\n'.repeat(6)}abc\n-----END RSA PRIVATE KEY-----`,
};

describe('leaked_secret', () => {
  it('finds tokens of known services in added lines, wherever they are', async () => {
    expect(
      await findingsOf(
        {},
        {
          'src/a.ts': `const token = '${TOKENS.github}';\nconst map = '${TOKENS.google}';\n`,
          'tools/b.py': `KEY = "${TOKENS.slack}"\n`,
          'config/key.pem': `${TOKENS.privateKey}\n`,
          'deploy.yaml': `id: ${TOKENS.aws}\n`,
          'ci.yml': `STORE: AccountName=shop;${TOKENS.azure}\n`,
          'twilio.key': `${TOKENS.twilio}\n`,
        },
        'leaked_secret',
      ),
    ).toEqual([
      'leaked_secret ci.yml:1 Azure storage key in the code',
      'leaked_secret config/key.pem:1 Private key in the code',
      'leaked_secret deploy.yaml:1 AWS access key ID in the code',
      'leaked_secret src/a.ts:2 Google API key in the code',
      'leaked_secret src/a.ts:1 GitHub token in the code',
      'leaked_secret tools/b.py:1 Slack token in the code',
      'leaked_secret twilio.key:1 Twilio API key in the code',
    ]);
  });

  it('finds a token that a comment in the code asks to ignore', async () => {
    const code = `// secretlint-disable\nconst token = '${TOKENS.github}'; // secretlint-disable-line\n`;
    expect(await findingsOf({}, { 'src/a.ts': code }, 'leaked_secret')).toEqual([
      'leaked_secret src/a.ts:2 GitHub token in the code',
    ]);
  });

  it('names both kinds of AWS keys, and a pair once', async () => {
    const id = `aws_access_key_id = ${TOKENS.aws}\n`;
    const secret = `aws_secret_access_key = ${TOKENS.awsSecret}\n`;
    expect(
      await findingsOf(
        {},
        {
          'apart.ini': `${id}region = eu-west-1\n${secret}`,
          'pair.ini': id.replace('QX', 'QY') + secret.replace('q2W3', 'q2W4'),
        },
        'leaked_secret',
      ),
    ).toEqual([
      'leaked_secret apart.ini:1 AWS access key ID in the code',
      'leaked_secret apart.ini:3 AWS secret access key in the code',
      'leaked_secret pair.ini:2 AWS secret access key in the code',
    ]);
  });

  it('finds passwords only where that check is switched on', async () => {
    const after = {
      'src/db.ts': "const url = 'postgres://admin:hunter22@db.acme.io:5432/app';\n",
      'src/feed.ts': "const feed = 'https://shop:hunter22@feeds.acme.io/';\n",
    };
    expect(chooseChecks(['secrets'], []).map(({ name }) => name)).toEqual(['leaked_secret']);
    expect(await findingsOf({}, after, 'leaked_secret')).toEqual([]);
    expect(await findingsOf({}, after, 'password_in_url')).toEqual([
      'password_in_url src/db.ts:1 Database password in the code',
      'password_in_url src/feed.ts:1 Password in a URL in the code',
    ]);
  });

  it.each(['leaked_secret', 'password_in_url'])(
    'leaves alone as %s what was there, placeholders, and made-up passwords of tests and documents',
    async (check) => {
      const moved = `const token = '${TOKENS.github}';\n`;
      expect(
        await findingsOf(
          { 'src/a.ts': moved },
          {
            'src/a.ts': `// moved\n\n${moved.replace('const', 'let')}`,
            'docs/setup.md': 'postgres://admin:hunter22@db.internal:5432/app\n',
            'podman/env.sample': 'DATABASE_URL=postgresql://shop:hunter22@db.internal:5432/shop\n',
            'compose.yaml':
              'URL: postgresql://shop:shop@db:5432/shop\nB: postgresql://shop:replace-me@db/shop\n',
            'test/db.ts': "const url = 'postgres://admin:hunter22@db.internal/app';\n",
            'test/slack.ts': `const token = 'xoxb-${'made-up-token'}';\nconst other = 'xoxb-${'test-123'}';\nconst list = 'xoxb-${'1234-5678-abcd'}';\n`,
            'deploy/compose.yaml':
              'URL: "postgresql://shop:hunter22@db/shop"\nB: postgres://a:hunter22@db:5432/b\n',
            'test/hook.ts': `post('https://hooks.slack.com/services/${'T0000000/B0000000'}/aBcDeFgHiJkLmNoPqRsT1234');\n`,
            'src/mask.go': `package mask\n\n// Masks keys (e.g., "key:${TOKENS.google}")\n`,
            'test/stripe.py': `KEY = "sk_test_${'4eC39HqLyjWDarjtT1zdp7dc'}"\n`,
            'src/mask_test.go': `package mask\n\nvar id = "ASIA${'1234567890ABCDEF'}"\n`,
            'test/short.ts': `post('https://hooks.slack.com/services/${'T00/B11'}/a1b2');\n`,
            'test/keys.ts': `const key = \`${TOKENS.privateKey}\`;\n`,
            'src/keys.rs': `fn a() {}\n\n#[cfg(all(test, feature = "tls"))]\nmod tests {\n    const KEY: &str = "\\\n${TOKENS.privateKey}";\n}\n`,
            'ci.yml': `AZURITE: AccountName=devstoreaccount1;${TOKENS.emulator}\nCOSMOS: ${TOKENS.cosmosEmulator}\n`,
            'test/build.json': `{ "log": "https://s3.example.org/a.log?X-Amz-Credential=${TOKENS.aws}%2F20260517%2Fs3" }\n`,
            'src/fire.ts': `initializeApp({\n  apiKey: '${TOKENS.google}',\n  authDomain: 'shop.firebaseapp.com',\n});\n`,
            'src/seed.ts': "export const EUR_ACCOUNT_ID = '40000000-0000-0000-0000-000000000003';\n",
            'src/b.ts':
              "const url = 'https://user:password@example.com/';\nconst attack = 'http://host:port@evil.com/';\nconst id = 'AKIAIOSFODNN7EXAMPLE';\n",
          },
          check,
        ),
      ).toEqual([]);
    },
  );

  it('leaves alone tokens that end as another string does, but not one that is there twice', async () => {
    const telegram = `7845123096:AA${'Hd9tKdW4vLpZ8bNfH3jEuXaGoT5wPqYs1'}`;
    const other = `xY8~${telegram.slice(-24)}Bc7mR2`;
    const list = (...values: string[]) => values.map((value) => `  '${value}',\n`).join('');
    expect(
      await findingsOf(
        {},
        { 'src/list.ts': list(telegram, other), 'src/twice.ts': list(telegram, telegram) },
        'leaked_secret',
      ),
    ).toEqual(['leaked_secret src/twice.ts:1 Telegram bot token in the code']);
  });

  it('finds tokens in long lines, wherever they are, and quotes nothing of a file that does not parse', async () => {
    const padding = 'x = 1; '.repeat(4000);
    const result = await reviewChange(
      { 'keep.txt': 'keep\n' },
      {
        'bundle.js': `${padding}var token = '${TOKENS.github}'; ${padding}var map = '${TOKENS.google}';\n`,
        'config.json': `{ "token": ${TOKENS.github.slice(0, 20)} }\n`,
      },
    );
    expect(describeReview(result).sort()).toEqual([
      'leaked_secret bundle.js:1 GitHub token in the code',
      'leaked_secret bundle.js:1 Google API key in the code',
      'unparseable_file config.json:1 config.json does not parse',
    ]);
    const broken = result.candidates.find(({ check }) => check === 'unparseable_file')!;
    expect(broken.scenario).toContain("fails at line 1: Unexpected token 'g'");
    expect(broken.scenario).not.toContain('ghp');
  });

  it('finds a token of a long line wherever the line is cut to be read', async () => {
    for (const start of [14_980, 15_000, 15_970, 16_000]) {
      const after = { 'rows.json': `${' '.repeat(start)}${TOKENS.github}${' '.repeat(9000)}\n` };
      expect(await findingsOf({}, after, 'leaked_secret'), `${start}`).toHaveLength(1);
    }
  });

  it('finds a token at the end of a very long line, and says which lines it did not read to the end', async () => {
    const line = (characters: number) =>
      `{ "rows": [${'"a row",'.repeat(characters / 8)}"${TOKENS.github}"] }\n`;
    const result = await reviewChange(
      { 'keep.txt': 'keep\n' },
      { 'rows.json': line(300_000), 'more.json': line(5_000_000) },
      { only: 'leaked_secret' },
    );
    expect(describeReview(result)).toEqual(['leaked_secret rows.json:1 GitHub token in the code']);
    expect(result.notReviewed).toEqual([
      { path: 'more.json', reason: 'long lines that were not searched for secrets to their end' },
    ]);
  });

  it('shows no token anywhere, whatever the finding is about', async () => {
    const result = await reviewChange(
      { 'keep.txt': 'keep\n' },
      {
        'a.test.ts': `it.only('x', () => use('${TOKENS.github}', { secretAccessKey: '${TOKENS.awsSecret}' }));\n`,
      },
    );
    expect(describeReview(result)).toHaveLength(3);
    expect(JSON.stringify(result)).not.toContain(TOKENS.github.slice(0, 12));
    expect(JSON.stringify(result)).not.toContain(TOKENS.awsSecret.slice(-12));
  });
});
