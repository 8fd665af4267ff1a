/** Describes repositories for the terminal. */
import { printable } from '../terminal/printable.ts';
import { describeProgress } from '../terminal/show-progress.ts';
import type { ShownRepository } from './refresh-here.ts';

/** A repository's branches and tags, in one line. */
export function summaryOf({ branchCount, defaultBranch, headCommit, tagCount }: ShownRepository): string {
  const counts = `${countOf(branchCount, 'branch', 'branches')}, ${countOf(tagCount, 'tag', 'tags')}`;
  if (headCommit === null) return branchCount === 0 ? 'it is empty' : counts;
  return `${printable(defaultBranch!)} is at ${headCommit.slice(0, 12)}; ${counts}`;
}

function countOf(count: number, one: string, several: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;
}

/** For a table column. */
export function stateOf({ activity, problem, state }: ShownRepository): string {
  if (activity) return activity.percent === null ? activity.phase : `${activity.phase} ${activity.percent}%`;
  return problem && state === 'ready' ? 'ready, fetch failed' : state;
}

/** Everything about a repository, one line each. */
export function describeRepository(repository: ShownRepository): string {
  const { activity, problem } = repository;
  const lines: [string, string | null][] = [
    ['Name', repository.name],
    ['URL', repository.url],
    ['State', repository.state],
    ['Now', activity && describeProgress(activity)],
    ['Problem', problem && `${problem.message} (${problem.at})`],
    ['Next attempt', problem?.nextTryAt ?? null],
    ['Default branch', repository.defaultBranch],
    ['Latest commit', repository.headCommit],
    ['Branches', repository.branchCount.toLocaleString('en-US')],
    ['Tags', repository.tagCount.toLocaleString('en-US')],
    ['Visible to', repository.visibility === 'organization' ? 'the organization' : seenBy(repository)],
    [
      'Credential',
      { none: 'none', password: 'a password', ssh_key: 'an SSH key' }[repository.credentialKind],
    ],
    ['Last fetched', repository.refreshedAt],
    ['ID', repository.id],
  ];
  return lines
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${`${label}:`.padEnd(16)}${printable(value!)}`)
    .join('\n');
}

function seenBy({ members }: ShownRepository): string {
  return ['admins and owners', ...members.map(({ name }) => name)].join(', ');
}
