/** `npm run test:changed` chooses the tests that a change can affect. */
import { describe, expect, it } from 'vitest';
import { affectedTests } from './affected-tests.ts';

const IMPORTS: Record<string, string[]> = {
  'src/features/plans/comments/add.test.ts': [
    'test/helpers/service/harness.ts',
    'src/features/plans/store/rows.ts',
  ],
  'src/features/plans/reading/get.test.ts': ['src/features/plans/reading/get.ts'],
  'src/features/plans/reading/get.ts': ['src/features/plans/store/rows.ts'],
  'src/features/inbox/list.test.ts': ['src/features/inbox/list.ts'],
  'src/features/inbox/list.ts': ['src/features/plans/index.ts'],
  'src/features/plans/index.ts': ['src/features/plans/store/rows.ts'],
  'test/helpers/service/harness.ts': ['src/node.ts'],
  'test/browser/plan-threads.test.ts': [],
  'test/suites/query-plans/plans.test.ts': [],
  'src/layers.test.ts': [],
};
const tests = Object.keys(IMPORTS).filter((file) => file.endsWith('.test.ts'));
const chosen = (...changed: string[]) =>
  affectedTests(changed, { tests, importsOf: (file) => IMPORTS[file] ?? [] }).filter(
    (test) => test !== 'src/layers.test.ts',
  );

describe('the chosen tests', () => {
  it('stand beside a changed file', () => {
    expect(chosen('src/features/plans/comments/add.ts')).toEqual(['src/features/plans/comments/add.test.ts']);
  });

  it('reach it within their feature, and not through another one', () => {
    expect(chosen('src/features/plans/store/rows.ts')).toEqual([
      'src/features/plans/comments/add.test.ts',
      'src/features/plans/reading/get.test.ts',
    ]);
  });

  it('are those of the whole feature if the folder has none', () => {
    expect(chosen('src/features/plans/index.ts')).toEqual([
      'src/features/plans/comments/add.test.ts',
      'src/features/plans/reading/get.test.ts',
      'src/features/inbox/list.test.ts',
    ]);
  });

  it('look at the query plans of a changed store, and at a changed page in the browser', () => {
    expect(chosen('src/features/accounts/user-store.ts')).toEqual(['test/suites/query-plans/plans.test.ts']);
    expect(chosen('web/pages/plan/reader.tsx')).toEqual(['test/browser/plan-threads.test.ts']);
  });

  it('always include the rules on layers', () => {
    expect(affectedTests(['docs/search.md'], { tests, importsOf: () => [] })).toEqual(['src/layers.test.ts']);
  });
});
