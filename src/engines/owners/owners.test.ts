/** CODEOWNERS files by each host's rules, with the examples of their documentation; patterns compared with git and with JavaScript. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Dialect, dialectOf, ownersOf, readOwners } from './index.ts';
import { compilePattern } from './patterns/compile-pattern.ts';
import { parseGitHubGlob } from './patterns/parse-glob.ts';
import { parseRegularExpression } from './patterns/parse-regular-expression.ts';

const budget = () => ({ steps: 1e9 });

async function owners(dialect: Dialect, text: string, path: string) {
  const owned = await ownersOf(readOwners(dialect, text), [path]);
  return owned!.map(
    (each) => `${each.section ?? ''}:${each.owners.map(({ name }) => name).join(',')}:${each.required}`,
  );
}

const problems = (dialect: Dialect, text: string) =>
  readOwners(dialect, text).problems.map(({ line, reason }) => `${line}: ${reason}`);

describe('GitHub', () => {
  const FILE = `# comment
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/*  docs@example.com
apps/ @octocat
/docs/guides/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/github
with\\ space/*.md @space
`;
  it.each([
    ['x/y.c', ':global-owner1,global-owner2:1'],
    ['a/b.js', ':js-owner:1'],
    ['a.go', ':docs@example.com:1'],
    ['a.txt', ':octo-org/octocats:1'],
    ['docs/getting-started.md', ':docs@example.com:1'],
    ['docs/build-app/troubleshooting.md', ':global-owner1,global-owner2:1'],
    ['x/apps/y', ':octocat:1'],
    ['docs/guides/deep/a.md', ':doctocat:1'],
    ['deeply/nested/logs/x', ':octocat:1'],
    ['build/logs/x', ':octocat:1'],
    ['with space/a.md', ':space:1'],
    ['.hidden', ':global-owner1,global-owner2:1'],
  ])('knows the owners of %s', async (path, expected) => {
    expect(await owners('github', FILE, path)).toEqual([expected]);
  });

  it('has nobody own what a later line without owners matches', async () => {
    expect(await owners('github', FILE, 'apps/github/a.rb')).toEqual([]);
  });

  it('skips lines that it can’t read, and says why', async () => {
    const text = '* @a\n!*.js @b\n[ab].c @c\n*.md @d nobody\n\\#x @e\n\uFEFFx @f\r\n';
    expect(problems('github', text)).toEqual([
      '2: The pattern is not used: GitHub has no patterns that begin with “!”',
      '3: The pattern is not used: GitHub has no character ranges in “[ ]”',
      '4: “nobody” is not a user, team or email address; the line is skipped',
      '5: The pattern is not used: GitHub can’t escape a “#” at the beginning',
    ]);
    expect(await owners('github', text, 'y.md')).toEqual([':a:1']);
    expect(readOwners('github', `* @a\n${'#'.repeat(3_000_001)}`)).toMatchObject({
      sections: [],
      problems: [{ line: null }],
    });
  });

  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'owners-'));
    spawnSync('git', ['init', '-q', folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('matches what git would ignore, but for “/*” at the end', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), minLength: 1, maxLength: 3 });
    const part = fc.oneof(name, fc.constant('**'), fc.constantFrom('a', 'ab'));
    const patterns = fc
      .tuple(
        fc.constantFrom('', '/'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/'),
      )
      .map(([before, parts, after]) => before + parts.join('/') + after)
      // Git has its own opinion on more than two stars, and on names that no file can have.
      .filter(
        (pattern) =>
          !/\*{3}|[^/]\*\*|\*\*[^/]|(^|\/)\.{1,2}(\/|$)/.test(pattern) && !/(^|\/)\*{1,2}\/?$/.test(pattern),
      );
    const folderName = fc.constantFrom('a', 'b', 'ab', 'ba', '.a', 'b.');
    const path = fc.array(folderName, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const seen = { matched: 0, other: 0 };
    fc.assert(
      fc.property(patterns, fc.uniqueArray(path, { minLength: 6, maxLength: 12 }), (pattern, paths) => {
        writeFileSync(join(folder, '.git/info/exclude'), `${pattern}\n`);
        const run = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], {
          cwd: folder,
          input: paths.join('\n'),
          encoding: 'utf8',
        });
        const ignored = run.stdout.split('\n').filter(Boolean);
        const matches = compilePattern(parseGitHubGlob(pattern), { whole: true });
        const found = paths.filter((each) => matches(each, budget()));
        seen.matched += found.length;
        seen.other += paths.length - found.length;
        expect({ pattern, found }).toEqual({ pattern, found: ignored });
      }),
      { numRuns: 150 },
    );
    expect(Math.min(seen.matched, seen.other)).toBeGreaterThan(50);
  });
});

describe('GitLab', () => {
  const FILE = `* @general-approvers
\\#file.rb @hash
[Documentation][2] @docs-team
docs/
README.md
^[Database] @database-team
model/db/
config/db/setup.md @docs-team janedoe@gitlab.com
[DOCUMENTATION]
*.txt @group/with/sub @@maintainers
[Code]
lib/**/[a-c]*.rb @ruby
!lib/x/*
lib/x/b.rb @ruby
`;
  it.each([
    ['docs/a/b', [':general-approvers:1', 'Documentation:docs-team:2']],
    ['x/README.md', [':general-approvers:1', 'Documentation:docs-team:2']],
    [
      'model/db/CHANGELOG.txt',
      [':general-approvers:1', 'Database:database-team:0', 'Documentation:group/with/sub,maintainer:2'],
    ],
    ['config/db/setup.md', [':general-approvers:1', 'Database:docs-team,janedoe@gitlab.com:0']],
    ['#file.rb', [':hash:1']],
    ['lib/y/z/b.rb', [':general-approvers:1', 'Code:ruby:1']],
    ['lib/x/b.rb', [':general-approvers:1']],
    ['lib/y/d.rb', [':general-approvers:1']],
  ])('knows the owners of %s', async (path, expected) => {
    expect((await owners('gitlab', FILE, path)).sort()).toEqual(expected.sort());
  });

  it('says what it can’t read', () => {
    expect(problems('gitlab', '[Open @x\nfoo\n[A][0] @a\nbar nobody # @b\n')).toEqual([
      '1: The heading of a section is not closed; it is read as a path',
      '2: It has no owners, and neither has its section',
      '3: A section can’t need 0 approvals; it needs 1',
      '4: “nobody” is not a user, group, role or email address',
      '4: “#” is not a user, group, role or email address',
    ]);
  });
});

describe('Gitea and Forgejo', () => {
  const FILE = `.*\\\\.go @user1 @user2 # comment
frontend/src/.*\\\\.js @org1/team1 user3
!frontend/.* @org1/team3
docs/(aws|google)/[^/]*\\\\.(md|txt) @user8
path\\ with\\ space @user2
src/.*|test/.* @user9
`;
  it.each([
    ['a/b.go', [':user1,user2:1', ':org1/team3:1']],
    ['frontend/src/a.js', [':org1/team1,user3:1']],
    ['docs/aws/a.md', [':org1/team3:1', ':user8:1']],
    ['docs/aws/b/a.md', [':org1/team3:1']],
    ['path with space', [':org1/team3:1', ':user2:1']],
    // The expression becomes `^src/.*|test/.*$`, whose second part may begin anywhere.
    ['frontend/x/test/y', [':user9:1']],
    ['frontend/x/src/y', []],
  ])('adds the owners of every rule that matches %s', async (path, expected) => {
    expect(await owners('gitea', FILE, path)).toEqual(expected);
  });

  it('says which expressions it can’t read', () => {
    expect(problems('gitea', 'a( @x\n(*a) @x\n\\\\bx @x\na{2000} @x\n(a{900}){900} @x\nx\n')).toEqual([
      '1: The pattern is not used: a “(” is not closed',
      '2: The pattern is not used: nothing is repeated by “*”',
      '3: The pattern is not used: “\\b” is not supported',
      expect.stringContaining('4: The pattern is not used: “{2000}”'),
      '5: The pattern is not used: it is too large',
      '6: It has no owners; the line is skipped',
    ]);
  });

  it('matches as JavaScript does', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\.',
      '\\w',
      '\\W',
      '[\\d\\-b-d]',
      'é',
      '/',
      '^',
      '$',
      '(?:)',
    );
    const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}?', '+?');
    const { expression } = fc.letrec<{ expression: string; piece: string }>((tie) => ({
      expression: fc
        .array(fc.array(tie('piece'), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
        .map((choices) => choices.map((pieces) => pieces.join('')).join('|')),
      piece: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc
          .tuple(atom, times)
          .map(([one, count]) => (/[$^]/.test(one) && one.length === 1 ? one : one + count)),
        fc.tuple(tie('expression'), times).map(([inner, count]) => `(${inner})${count}`),
      ),
    }));
    const paths = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '/', 'é', '-'), maxLength: 8 });
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(expression, fc.array(paths, { minLength: 5, maxLength: 5 }), (source, texts) => {
        const matches = compilePattern(parseRegularExpression(source), { whole: false });
        const expected = new RegExp(source, 'u');
        for (const text of texts) {
          const found = matches(text, budget());
          seen[`${found}`] += 1;
          expect({ source, text, found }).toEqual({ source, text, found: expected.test(text) });
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(100);
    const folded = compilePattern(parseRegularExpression('^(?i)read[m-n]e$'), { whole: false });
    expect(folded('README', budget())).toBe(true);
  });

  it('stops after a number of steps, whatever the expressions', async () => {
    const file = readOwners('gitea', '(a|a?)+(a|b)*[^c]{300}x @x\n'.repeat(500));
    expect(
      await ownersOf(
        file,
        Array.from({ length: 500 }, (_, index) => 'ab'.repeat(400) + index),
      ),
    ).toBeUndefined();
  });
});

it('tells whose rules a file has by its path and sections', () => {
  expect(
    ['.gitea/CODEOWNERS', '.gitlab/CODEOWNERS', 'CODEOWNERS'].map((path) => dialectOf(path, '* @a')),
  ).toEqual(['gitea', 'gitlab', 'github']);
  expect(dialectOf('CODEOWNERS', '* @a\n^[Docs] @b\n')).toBe('gitlab');
});

it('never throws, and gives every rule a line of the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Dialect>('github', 'gitlab', 'gitea'),
      fc.string({ unit: fc.constantFrom(...'ab*?/\\[]()!#@^{},.|$-+: \n\t1'), maxLength: 80 }),
      async (dialect, text) => {
        const file = readOwners(dialect, text);
        const owned = (await ownersOf(file, ['a', 'b/a.b', '[a]']))!;
        for (const { line, paths } of owned) {
          expect(line).toBeLessThanOrEqual(text.split('\n').length);
          expect(paths.length).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
