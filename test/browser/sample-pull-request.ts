/** A pull request of plain git for browser tests: real branches, opened through the API. */
import { expect } from 'vitest';
import type { FixtureFiles } from '../helpers/git/git-fixtures.ts';
import { addRepository, type TestRepository } from '../helpers/rows/code.ts';
import type { Person } from '../helpers/service/factories.ts';
import { type TestService, withSession } from '../helpers/service/harness.ts';

export interface SamplePullRequest {
  id: string;
  repository: TestRepository;
  base: string;
  head: string;
  /** Calls an operation below the pull request. */
  post(as: Person, path: string, body: object): Promise<Record<string, unknown>>;
}

export async function samplePullRequest(
  service: TestService,
  options: { title: string; before: FixtureFiles; after: FixtureFiles; description?: string; name?: string },
): Promise<SamplePullRequest> {
  const repository = await addRepository(service, options.before, { fullName: options.name });
  const base = await repository.git('rev-parse', 'main');
  const head = await repository.commit(options.after, {
    branch: 'feature',
    from: base,
    message: options.title,
  });
  await repository.refresh();
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(service.acme.member),
    body: {
      repository: repository.fullName,
      head: 'feature',
      title: options.title,
      ...(options.description && { description: options.description }),
    },
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const { id } = opened.body as { id: string };
  return {
    id,
    repository,
    base,
    head,
    async post(as, path, body) {
      const reply = await service.request('POST', `/api/v2/pull-requests/${id}/${path}`, {
        as: withSession(as),
        body,
      });
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
      return reply.body as Record<string, unknown>;
    },
  };
}

const numbered = (
  count: number,
  change: (line: number) => string = (line) => `const line${line} = ${line};`,
) => `${Array.from({ length: count }, (_, index) => change(index + 1)).join('\n')}\n`;
const LIST_BEFORE = {
  'src/list.ts': numbered(60),
  'src/deep/er/other.ts': numbered(5),
  'old-name.txt': numbered(12),
  'logo.png': '\u0000one',
  'package-lock.json': '{}\n',
};
const LIST_AFTER = {
  'src/list.ts': numbered(60, (line) =>
    line === 30 ? 'const line30 = cached(30);' : `const line${line} = ${line};`,
  ),
  'src/deep/er/other.ts': numbered(7),
  'old-name.txt': null,
  'new-name.txt': numbered(12),
  'logo.png': '\u0000two',
  'package-lock.json': '{"a": 1}\n',
};

/** `src/list.ts` as the pull request leaves it. */
export const CACHED_LIST = LIST_AFTER['src/list.ts'];

/** Changes, adds, renames and replaces files of every kind; line 30 of the list is cached. */
export const cachedListPullRequest = (service: TestService) =>
  samplePullRequest(service, { title: 'Cache the list', before: LIST_BEFORE, after: LIST_AFTER });
