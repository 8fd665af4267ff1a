/** The part of the walk about code: searching and reading it, and what is known about its architecture. */
import type { Recorder } from './recorder.ts';

export async function walkCode({ call, service, until }: Recorder): Promise<void> {
  const stranger = service.globex.member;
  await call('search-files', { pattern: 'src/*.ts' });
  await call('search-files', { repository: '', pattern: '' });
  await call('search-files', { repository: 'acme/unknown' });
  await call('search-files', {}, stranger);
  await call('grep-code', { pattern: 'format' });
  await call('grep-code', { pattern: '(' });
  await call('grep-code', { pattern: 7, path: null });
  await call('grep-code', { ref: 'gone' });
  await call('search-code', { pattern: 'format' });
  // The definition comes first as soon as the facts of the commit are known.
  await until('search-all-code', { pattern: 'format' }, ({ data }) => data.repository.rank < 0);
  await call('find-symbol', { name: 'format' });
  await call('list-tree');
  await until('list-last-commits', {}, ({ isComplete }) => isComplete);
  await call('read-file');
  await call('read-file', { path: 'gone.ts' });
  await call('read-image', { path: 'logo.png' });
  await call('blame-file');
  await call('read-file-history');
  await call('search-commits', { query: 'a or e', ignoreCase: true });
  const isDescribed = ({ summaries }: { summaries: unknown[] }) => summaries.length > 0;
  await until('list-summaries', {}, isDescribed);
  await until('search-summaries', {}, (list) => (list.summaries ?? list).length > 0);
  await call('search-summaries', { keywords: [], domains: ['Nothing'] });
  await call('search-summaries', {}, stranger);
  await call('search-architecture');
  await call('get-architecture');
  await call('find-uses', { name: 'express' });
  await call('list-neighbours');
  await call('read-repository');
  await call('list-repositories');
  await call('get-repository');
  await call('list-refs');
}
