/** Tests that a change switches off: focused, skipped or deleted ones, a lower coverage limit, failures that no longer count. */
import type { Check, Found } from '../check.ts';
import { addedLines, type Line, type ReviewedFile, removedLines } from '../code/read-change.ts';
import type { ReviewCode } from '../code/review-code.ts';

const FOCUSED = [
  {
    pattern: /(?<![\w.'"`])(?:describe|it|test|context|suite|specify)\.only\s*[(`]/,
    endings: /\.[cm]?[jt]sx?$/,
  },
  { pattern: /^\s*(?:fdescribe|fit|fcontext)\s*\(/, endings: /\.[cm]?[jt]sx?$/ },
  { pattern: /^\s*(?:fdescribe|fit|fcontext|fspecify)\s+['"]|[,(]\s*focus:\s*true/, endings: /_spec\.rb$/ },
  { pattern: /^\s*F(?:It|Describe|Context|Specify|Entry)\(\s*"/, endings: /_test\.go$/ },
];
const COMMENT = /^\s*(?:\/[/*]|\*|#)/;
/** A test became skipped: the same title was there without it. */
const SKIPPED_CALL =
  /(?<![\w.'"`])(?:(?:it|test|describe|context|suite)\.skip|xit|xdescribe|xtest|xcontext)\s*\(\s*(['"`])(.+?)\1/;
/** Stands before or in a test that was there. */
const SKIPPED_BY_MARK = [
  { pattern: /^\s*@(?:pytest\.mark\.skip(?:\(|\s*$)|unittest\.skip\()/, endings: /\.py$/ },
  { pattern: /^\s*@(?:Disabled|Ignore)\b/, endings: /\.(?:java|kt)$/ },
  { pattern: /^\s*#\[ignore/, endings: /\.rs$/ },
  { pattern: /^\s*\[(?:Ignore|Ignore\(.*\))\]|\bSkip\s*=\s*"/, endings: /\.cs$/ },
];
/** Marks the function below it as a test. */
const TEST_MARK = /^\s*(?:@(?:\w+\.)*\w*Test\w*\b|#\[(?:\w+::)*test\b|\[(?:Fact|Theory|Test\w*)\b)/;
const MARK_OR_EMPTY = /^\s*([@#[]|$)/;
/** Lines of a file that are looked at. */
const MAX_SKIPPED = 100;
const GO_SKIP = /^\s*t\.Skip(?:f|Now)?\(/;
const GO_TEST = /^func (?:Test|Benchmark|Fuzz)\w*\(t \*testing\.[TF]\) \{/;
const COVERAGE =
  /(fail[_-]under|cov-fail-under|coverageThreshold|\b(?:branches|functions|lines|statements))["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)/;
const COVERAGE_FILES =
  /(^|\/)((?:jest|vitest|vite|karma|nyc)\.config\.[cm]?[jt]s|package\.json|\.nycrc[^/]*|\.c8rc[^/]*|\.coveragerc|pyproject\.toml|setup\.cfg|tox\.ini)$/;

export const focusedTests: Check = {
  name: 'focused_test',
  reviewer: 'tests_missing',
  looksFor: 'focused tests (`.only`) that skip the rest',
  async run(change) {
    return change.files.flatMap((file) => {
      if (file.fileClass !== 'test') return [];
      return addedLines(file)
        .filter(({ text }) =>
          FOCUSED.some(({ endings, pattern }) => endings.test(file.path) && pattern.test(text)),
        )
        .filter(({ text }) => !COMMENT.test(text))
        .slice(0, 1)
        .map((line) =>
          found(file, line, 'focused test', {
            title: 'Focused test: the other tests don’t run',
            scenario: `While this test is focused, the other tests of ${file.path} are skipped, so failures go unnoticed.`,
          }),
        );
    });
  },
};

export const skippedTests: Check = {
  name: 'skipped_test',
  reviewer: 'tests_missing',
  looksFor: 'tests that ran before and are skipped now',
  // Mostly intended: the change says so.
  isOffByDefault: true,
  async run(change, code) {
    const results: Found[] = [];
    for (const file of change.files) {
      if (file.fileClass !== 'test' || file.change === 'deleted') continue;
      const added = addedLines(file);
      const skipped = added.filter(({ text }) => mayBeSkipped(file.path, text)).slice(0, MAX_SKIPPED);
      if (skipped.length === 0) continue;
      const lines = (await code.read('head', file.path))?.split('\n') ?? [];
      const isAdded = new Set(added.map(({ number }) => number));
      const line = skipped.find((each) => becameSkipped(file, each, lines, isAdded));
      if (!line) continue;
      results.push(
        found(file, line, 'skipped test', {
          title: 'Test is skipped now',
          scenario: `A test of ${file.path} that ran before this change no longer runs, so what it checked can break unnoticed.`,
        }),
      );
    }
    return results;
  },
};

function mayBeSkipped(path: string, text: string): boolean {
  if (/\.[cm]?[jt]sx?$/.test(path)) return SKIPPED_CALL.test(text);
  if (path.endsWith('.go')) return GO_SKIP.test(text);
  return SKIPPED_BY_MARK.some(({ endings, pattern }) => endings.test(path) && pattern.test(text));
}

function becameSkipped(file: ReviewedFile, line: Line, lines: string[], isAdded: Set<number>): boolean {
  const title = SKIPPED_CALL.exec(line.text)?.[2];
  if (title !== undefined) {
    return removedLines(file).some(({ text }) => text.includes(title) && !SKIPPED_CALL.test(text));
  }
  if (file.path.endsWith('.go')) {
    const above = lines[line.number - 2] ?? '';
    return GO_TEST.test(above) && !isAdded.has(line.number - 1);
  }
  // The marked test begins at the next line that isn't a mark itself.
  let next = line.number;
  while (MARK_OR_EMPTY.test(lines[next] ?? '') && next < lines.length) next += 1;
  let first = line.number - 1;
  while (first > 0 && /\S/.test(lines[first - 1]!) && MARK_OR_EMPTY.test(lines[first - 1]!)) first -= 1;
  const becameTest = lines
    .slice(first, next)
    .some((text, index) => isAdded.has(first + index + 1) && TEST_MARK.test(text));
  return next < lines.length && !isAdded.has(next + 1) && (!becameTest || hadTestMark(file, line));
}

/** Whether the lines that the change replaced there made a test of it; they do not if they were commented out. */
function hadTestMark({ hunks }: ReviewedFile, { number }: Line): boolean {
  return hunks.some(
    ({ added, newStart, removed }) =>
      number >= newStart && number < newStart + added.length && removed.some((text) => TEST_MARK.test(text)),
  );
}

const REVERT = /^revert\b/i;
const TITLE =
  /\b(?:it|test|describe|context|specify)(?:\.\w+)?(?:\s*\(\s*|\s*)(['"`])(.+?)\1|^\s*(?:async )?def (test\w+)|^func (Test\w+)|\bvoid (\w+)\s*\(/;

export const deletedTests: Check = {
  name: 'deleted_test',
  reviewer: 'tests_missing',
  looksFor: 'deleted tests of code that is still there',
  // Mostly what they tested is gone too, or other tests replace them.
  isOffByDefault: true,
  async run(change, code) {
    const deleted = change.files.filter(
      ({ change: kind, fileClass, path }) => kind === 'deleted' && fileClass === 'test' && subjectOf(path),
    );
    if (deleted.length === 0) return [];
    const files = new Set(await code.listFiles('head'));
    const titles = new Set(
      change.files.flatMap((file) => addedLines(file).flatMap(({ text }) => titleOf(text) ?? [])),
    );
    const results: Found[] = [];
    for (const file of deleted) {
      const subject = candidatesFor(file.path).find((path) => files.has(path));
      const removed = removedLines(file).flatMap(({ text }) => titleOf(text) ?? []);
      const isMoved =
        removed.length === 0 || removed.filter((title) => titles.has(title)).length * 2 >= removed.length;
      const line = removedLines(file).find(({ text }) => titleOf(text) !== undefined);
      if (!subject || isMoved || !line || (await testedWhatIsGone(code, file.path, subject))) continue;
      // A revert takes the tests of what it undoes along.
      if (REVERT.test((await code.lastSubject(file.path)) ?? '')) continue;
      results.push({
        ...found(file, line, subject, {
          title: `Tests of ${subject} deleted`,
          scenario: `${subject} is still there, but its ${removed.length} ${removed.length === 1 ? 'test is' : 'tests are'} gone, and no added test has the same title.`,
        }),
        side: 'base' as const,
      });
    }
    return results;
  },
};

/** Whether the tests name a definition that the file had and no longer has. */
async function testedWhatIsGone(code: ReviewCode, test: string, subject: string): Promise<boolean> {
  const [before, after] = [await code.facts('base', subject), await code.facts('head', subject)];
  const kept = new Set(after?.symbols.map(({ name }) => name));
  const lost = new Set(before?.symbols.flatMap(({ name }) => (kept.has(name) ? [] : [name])));
  return (await code.facts('base', test))?.uses.some(({ name }) => lost.has(name)) ?? false;
}

function titleOf(text: string): string | undefined {
  const match = TITLE.exec(text);
  return match?.[2] ?? match?.[3] ?? match?.[4] ?? match?.[5];
}

/** `a/b.test.ts` is about `b.ts`; undefined for tests that don't name what they test. */
function subjectOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^(.+?)(?:[._-](?:test|spec)|_test)\.([a-z]+)$/.exec(name)?.[1] ?? /^test_(.+)\.py$/.exec(name)?.[1];
}

function candidatesFor(path: string): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const ending = path.slice(path.lastIndexOf('.'));
  const subject = subjectOf(path);
  if (!subject) return [];
  const near = folder.replace(/(__tests__|tests?|specs?)\/$/, '');
  return [...new Set([folder, near])].map((each) => `${each}${subject}${ending}`);
}

export const loweredCoverage: Check = {
  name: 'lowered_coverage',
  reviewer: 'tests_missing',
  looksFor: 'lowered test coverage thresholds',
  // Nobody lowers one by mistake.
  isOffByDefault: true,
  async run(change) {
    return change.files.flatMap((file) => {
      if (!COVERAGE_FILES.test(file.path)) return [];
      return file.hunks.flatMap(({ added, newStart, removed }) => {
        const before = new Map(removed.flatMap((text) => readCoverage(text) ?? []));
        return added.flatMap((text, index) => {
          const now = readCoverage(text)?.[0];
          const old = now && before.get(now[0]);
          if (!now || old === undefined || now[1] >= old) return [];
          return [
            found(file, { number: newStart + index, text }, now[0], {
              title: `Coverage limit lowered from ${old} to ${now[1]}`,
              scenario: `Tests can cover less than before without failing the build: ${now[0]} went from ${old} to ${now[1]}.`,
            }),
          ];
        });
      });
    });
  },
};

function readCoverage(text: string): [string, number][] | undefined {
  const match = COVERAGE.exec(text);
  return match ? [[match[1]!, Number(match[2])]] : undefined;
}

const IGNORED = /^\s*continue-on-error:\s*true\b/;

export const ignoredFailures: Check = {
  name: 'ignored_failure',
  reviewer: 'tests_missing',
  looksFor: 'workflow steps whose failures are now ignored',
  // Mostly intended: the change says so, or another step fails instead.
  isOffByDefault: true,
  async run(change, code) {
    const results: Found[] = [];
    for (const file of change.files) {
      if (file.change !== 'modified' || !/^\.github\/workflows\/[^/]+\.ya?ml$/.test(file.path)) continue;
      const added = addedLines(file).some(({ text }) => IGNORED.test(text));
      // Others check no changes.
      if (!added || !/\b(push|pull_request|merge_group)\b/.test((await code.read('head', file.path)) ?? ''))
        continue;
      results.push(...ignoredIn(file));
    }
    return results;
  },
};

/** In a step that was there: a new step that may fail is a choice. */
function ignoredIn(file: ReviewedFile): Found[] {
  return file.hunks.flatMap(({ added, newStart }) => {
    const index = added.findIndex((text) => IGNORED.test(text));
    if (index === -1 || added.some((text) => /^\s*-\s+(name|uses|run|id):/.test(text))) return [];
    return [
      found(file, { number: newStart + index, text: added[index]! }, 'continue-on-error', {
        title: 'Failures of this step no longer count',
        scenario: 'The workflow succeeds even if this step fails, so nobody notices when it does.',
      }),
    ];
  });
}

function found(
  file: ReviewedFile,
  line: Line,
  subject: string,
  words: { title: string; scenario: string },
): Found {
  return {
    ...{ claim: 'rule', subject, ...words, file: file.path, side: 'head', evidence: [] },
    ...{ line: line.number, quote: line.text },
  };
}
