/** Findings from outside: what the gate and the checks of claims accept and refuse, and why. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureRepository, makeRepository } from '../../../test/helpers/git/git-fixtures.ts';
import { openRepository, type RepositoryReader } from '../search/index.ts';
import { openChange } from './code/open-change.ts';
import { readChange } from './code/read-change.ts';
import type { JudgedReport, Producer, ReportedFinding } from './contract/code-review.ts';
import { judgeReport } from './judge-report.ts';
import { maskFiles } from './masking/mask-files.ts';

let repository: FixtureRepository;
let reader: RepositoryReader;
let from: string;
let to: string;
const signal = AbortSignal.timeout(120_000);
const AGENT: Producer = {
  ...{ kind: 'agent', userId: 'u', userName: 'Ada', vendor: 'claude-code', model: null, sessionId: null },
};
const FINDING: ReportedFinding = {
  ...{ file: 'src/cart.ts', line: 3, quote: 'return price / count;', claim: 'other', subject: 'average' },
  title: 'Division by zero',
  scenario: 'With an empty cart, count is 0 and the page shows NaN.',
  evidence: [],
};

beforeAll(async () => {
  repository = await makeRepository();
  reader = openRepository(repository.folder, null);
  from = await repository.commit({
    'src/money.ts':
      'export function format(n: number) {\n  return n;\n}\nexport function round(n: number) {\n  return n;\n}\n',
    'src/page.ts': "import { format } from './money.ts';\nformat(1);\nexport function total() {}\n",
    'src/list.ts': 'export const first = 1;\nconst movedAround = compute(first);\nexport const last = 2;\n',
  });
  to = await repository.commit({
    'src/money.ts':
      'export function round(n: number) {\n  return n;\n}\nexport function lonely() {\n  return 1;\n}\n',
    'src/cart.ts':
      "import { total } from './page.ts';\nexport function average(price: number, count: number) {\n  return price / count;\n}\ntotal();\n",
    'src/list.ts': 'export const first = 1;\nexport const last = 2;\nconst movedAround = compute(first);\n',
    'src/new.generated.ts': 'export const made = 1;\n',
  });
});
afterAll(async () => {
  reader.close();
  await repository.remove();
});

async function judge(
  finding: Partial<ReportedFinding>,
  producer = AGENT,
  change: { from: string; to: string | { patch: string } } = { from, to },
): Promise<JudgedReport> {
  const opened = await openChange({ reader }, change, signal);
  try {
    const read = await readChange(opened.code, (path) => path.includes('.generated.'));
    return await judgeReport(read, opened.code, { ...FINDING, ...finding }, producer);
  } finally {
    await opened.close();
  }
}

const reasonFor = async (finding: Partial<ReportedFinding>) => {
  const judged = await judge(finding);
  return judged.kind === 'refused' ? judged.reason : judged.proof;
};

describe('the gate', () => {
  it('takes a quote near the stated line, and keeps whole lines', async () => {
    const judged = await judge({ line: 5, quote: 'price / count' });
    expect(judged).toMatchObject({
      kind: 'passed',
      proof: 'unverified',
      candidate: { line: 3, quote: '  return price / count;', side: 'head', reviewer: 'logic_errors' },
    });
    expect(judged.candidate.key).toBe((await judge({})).candidate.key);
  });

  it('finds a removed line at the merge base', async () => {
    const removed = { file: 'src/money.ts', line: 1, quote: 'export function format(n: number) {' };
    expect(await judge(removed)).toMatchObject({ kind: 'passed', candidate: { side: 'base', line: 1 } });
  });

  it.each([
    ['another quote', { quote: 'return price * count;' }, /The quote is not within 200 lines of line 3/],
    ['another file', { file: 'src/other.ts' }, /src\/other.ts is not a file that this change touches/],
    ['an unchanged line', { file: 'src/list.ts', line: 1, quote: 'first = 1' }, /Line 1 .* was not changed/],
    [
      'an excluded file',
      { file: 'src/new.generated.ts' },
      /^src\/new.generated.ts is not reviewed: excluded by a/,
    ],
    ['no scenario', { scenario: 'It breaks.' }, /The scenario says too little/],
    [
      'no scenario of a removed line',
      { file: 'src/money.ts', line: 1, quote: 'function format(n: number)', scenario: 'It breaks.' },
      /The scenario says too little/,
    ],
    [
      'evidence that is not there',
      { evidence: [{ path: 'src/page.ts', line: 1, quote: 'nothing' }] },
      /The evidence at src\/page.ts:1 is not there/,
    ],
    ['a fix that changes nothing', { fix: '  return price / count;' }, /The fix is the same/],
    [
      'a cause that was not changed',
      {
        ...{ file: 'src/list.ts', line: 1, quote: 'first = 1' },
        cause: { path: 'src/list.ts', line: 2, quote: 'export const last = 2;' },
      },
      /Neither line 1 .* nor its cause/,
    ],
  ] satisfies [string, Partial<ReportedFinding>, RegExp][])('refuses %s', async (_, finding, reason) => {
    expect(await reasonFor(finding)).toMatch(reason);
  });

  it('takes an unchanged line whose cause was changed, and a fix', async () => {
    const cause = { path: 'src/list.ts', line: 3, quote: 'const movedAround' };
    expect(await reasonFor({ file: 'src/list.ts', line: 1, quote: 'first = 1', cause })).toBe('unverified');
    expect(await reasonFor({ fix: 'return count === 0 ? 0 : price / count;' })).toBe('unverified');
  });

  it('refuses code that was only moved', async () => {
    const moved = { file: 'src/list.ts', line: 3, quote: 'const movedAround = compute(first);' };
    expect(await reasonFor(moved)).toMatch(/was only moved/);
  });
});

describe('claims', () => {
  const page = { file: 'src/money.ts', line: 4, quote: 'export function lonely() {' };
  const removed = { file: 'src/money.ts', line: 1, quote: 'export function format(n: number) {' };
  it.each([
    ['removed_but_used', { ...removed, subject: 'format' }, 'proven'],
    ['removed_but_used', { ...removed, subject: 'round' }, 'src/money.ts:1 still defines round.'],
    [
      'removed_but_used',
      { ...removed, subject: 'nowhere' },
      /^Nothing names nowhere at the head: git grep -nw/,
    ],
    ['unused', { ...page, subject: 'lonely' }, 'proven'],
    ['unused', { subject: 'total' }, 'src/cart.ts:1 uses total: import'],
    ['missing', { subject: 'total' }, 'src/page.ts:3 defines total: export function total() {}'],
    ['missing', { subject: './page.ts' }, /^src\/page.ts exists at head/],
    ['missing', { subject: './page' }, /^src\/page.ts exists at head/],
    ['missing', { subject: './gone.ts' }, 'proven'],
    ['duplicate', { subject: 'average' }, 'Name the other place as evidence.'],
    ['signature', { ...page, subject: 'round' }, 'The definition of round in src/money.ts did not change.'],
    ['dependency', { subject: 'left-pad' }, 'No changed line names left-pad.'],
    ['plan', {}, 'unverified'],
  ] as const)('%s %j: %s', async (claim, finding, expected) => {
    const said = await reasonFor({ ...finding, claim });
    if (typeof expected === 'string') expect(said.slice(0, expected.length)).toBe(expected);
    else expect(said).toMatch(expected);
  });

  it('has the key of the check that proves it, whatever is quoted', async () => {
    const whole = await judge({ ...removed, claim: 'removed_but_used', subject: 'money.format' });
    const part = await judge({ ...removed, quote: 'format(n', claim: 'removed_but_used', subject: 'format' });
    expect(whole.candidate).toMatchObject({ check: 'removed_but_used', reviewer: 'breaking_changes' });
    expect(part.candidate.key).toBe(whole.candidate.key);
  });
});

it('takes the result of a tool as proof, and reads the line itself', async () => {
  const tool: Producer = { ...AGENT, kind: 'tool', vendor: 'eslint' };
  const judged = await judge({ claim: 'rule', check: 'no-div', quote: undefined }, tool);
  expect(judged).toMatchObject({
    ...{ kind: 'passed', proof: 'proven' },
    candidate: { check: 'no-div', quote: '  return price / count;' },
  });
});

it('masks tokens in everything that it returns', async () => {
  const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;
  const judged = await judge({ scenario: `Anyone who has ${token} can read the cart.`, quote: 'x' });
  expect(JSON.stringify(judged)).not.toContain(token);
});

describe('a quote that we masked', () => {
  const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;
  const line = `const client = connect('${TOKEN}', price / count);`;
  const patch = `diff --git a/src/pay.ts b/src/pay.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/pay.ts\n@@ -0,0 +1 @@\n+${line}\n`;
  const change = () => ({ from, to: { patch } });
  const at = { file: 'src/pay.ts', line: 1 };

  it('passes as the line of the commit, as a place of evidence too, and is the same finding', async () => {
    const masked = line.replace(TOKEN, 'ghp_…');
    const evidence = [{ path: 'src/pay.ts', line: 1, quote: masked }];
    const judged = await judge({ ...at, quote: masked, evidence }, AGENT, change());
    expect(judged).toMatchObject({ kind: 'passed', candidate: { line: 1, quote: masked } });
    const raw = await judge({ ...at, quote: line }, AGENT, change());
    expect(judged.candidate.key).toBe(raw.candidate.key);
    expect(JSON.stringify([judged, raw])).not.toContain(TOKEN);
  });

  it('does not pass with another token, and a fix that would write the mask is left out', async () => {
    const other = line.replace(TOKEN, 'xoxb…');
    expect(await judge({ ...at, quote: other }, AGENT, change())).toMatchObject({ kind: 'refused' });
    const fix = "const client = connect('ghp_…', count && price / count);";
    const judged = await judge({ ...at, quote: line, fix }, AGENT, change());
    expect(judged).toMatchObject({ kind: 'passed' });
    expect(judged.candidate).not.toHaveProperty('fix');
  });

  it('is what an agent reads', async () => {
    const opened = await openChange({ reader }, change(), signal);
    const read = await readChange(opened.code, () => false);
    expect(JSON.stringify(await maskFiles(read.files, opened.code))).toContain("connect('ghp_…', price");
    await opened.close();
  });
});

describe('a patch', () => {
  const PATCH =
    'diff --git a/src/list.ts b/src/list.ts\n--- a/src/list.ts\n+++ b/src/list.ts\n@@ -1,3 +1,4 @@\n export const first = 1;\n+export const broken = first / 0;\n const movedAround = compute(first);\n export const last = 2;\n';
  const finding = { file: 'src/list.ts', line: 2, quote: 'first / 0' };

  it('is reviewed as a commit, the same one each time', async () => {
    const change = { from, to: { patch: PATCH } };
    expect(await judge(finding, AGENT, change)).toMatchObject({ kind: 'passed', candidate: { line: 2 } });
    const opened = [await openChange({ reader }, change, signal)];
    opened.push(await openChange({ reader }, change, signal));
    expect(opened[0]!.code.head).toBe(opened[1]!.code.head);
    for (const each of opened) await each.close();
  });

  it('leaves binary files out, and says when it does not apply or leaves the tree', async () => {
    const binary =
      'diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n';
    const opened = await openChange({ reader }, { from, to: { patch: binary + PATCH } }, signal);
    expect(opened.binaryFiles).toEqual(['logo.png']);
    await opened.close();
    const wrong = openChange({ reader }, { from: to, to: { patch: PATCH } }, signal);
    await expect(wrong).rejects.toThrow(/patch does not apply/);
    const outside = PATCH.replaceAll('src/list.ts', '../list.ts');
    await expect(openChange({ reader }, { from, to: { patch: outside } }, signal)).rejects.toThrow(/list.ts/);
  });
});
