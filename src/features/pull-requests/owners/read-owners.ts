/**
 * After a change of the head or base of a pull request: reads CODEOWNERS at the base commit, by the rules of its code host, and who owns
 * the changed paths. What was found counts for the commits that were read, so it is dropped if they moved.
 */
import {
  type Dialect,
  OWNERS_PATHS,
  type OwnersFile,
  ownersOf,
  readOwners,
} from '../../../engines/owners/index.ts';
import { maskTexts } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { BY_SERVICE } from '../../events/index.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import { AUTHORS_READ, membersAmong } from '../files/commit-authors.ts';
import {
  isWatched,
  replaceOwners,
  type StoredOwners,
  selectHostKind,
  selectStoredOwners,
  selectUnreadOwners,
  type UnreadOwners,
} from '../ownership/owners-store.ts';
import { resolveOwners } from '../ownership/select-owners.ts';
import { askReviewers } from './ask-reviewers.ts';

const AT_ONCE = 100;
/** The file itself is limited to 3 MB by its reader. */
const MAX_FILE_BYTES = 4_000_000;
const MAX_CHANGED_PATHS = 20_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface OwnersServices {
  db: Db;
  code: Pick<CodeReader, 'compare' | 'readTexts'>;
  log: Log;
  announce(topic: string): void;
  now(): Date;
}

export async function readOwnersOfPullRequests(
  services: OwnersServices,
  { organizationId, repositoryId }: { organizationId: string; repositoryId: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = services;
  const call = { caller: { organizationId, userId: 'service', credentialId: 'service' }, signal };
  const dialect = ((await selectHostKind(db, repositoryId)) ?? 'github') as Dialect;
  for (let after = BEFORE_ALL; ; ) {
    const rows = await selectUnreadOwners(db, repositoryId, { after, limit: AT_ONCE });
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    for (const [base, some] of Map.groupBy(rows, ({ base_commit }) => base_commit!)) {
      const found = await readOwnersFile(services, repositoryId, { base, dialect }, call);
      for (const row of some) {
        const owners = await ownersOfChanges(services, repositoryId, found, row, call);
        const writerIds = await writersOf(services, { organizationId, repositoryId }, row, call);
        await record(services, organizationId, row, owners, writerIds);
      }
    }
  }
}

type FoundFile = Omit<StoredOwners, 'owned'> & { rules: OwnersFile | null };

/** The first place with a file counts, whether it can be read or not. */
export async function readOwnersFile(
  { code, log }: Pick<OwnersServices, 'code' | 'log'>,
  repositoryId: string,
  { base, dialect }: { base: string; dialect: Dialect },
  call: Call,
): Promise<FoundFile> {
  const unread = (file: string | null, reason: string) => ({
    file,
    dialect,
    problems: [{ line: null, reason }],
    rules: null,
  });
  try {
    const paths = OWNERS_PATHS[dialect];
    const files = paths.map((path) => ({ commit: base, path }));
    const texts = await code.readTexts(repositoryId, { files, maxBytes: MAX_FILE_BYTES }, call);
    const index = texts.findIndex(({ kind }) => kind !== 'no_path');
    const text = texts[index];
    if (!text) return { file: null, dialect, problems: [], rules: null };
    const file = paths[index]!;
    if (text.kind !== 'text') return unread(file, UNREADABLE[text.kind] ?? 'It can’t be read');
    const rules = readOwners(dialect, text.text);
    return { file, dialect, problems: rules.problems, rules };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ err: error, repositoryId }, 'CODEOWNERS could not be read');
    return unread(null, 'CODEOWNERS could not be read at the base commit');
  }
}

const UNREADABLE: Record<string, string> = {
  binary: 'The file is binary',
  too_large: 'The file is too large to be read',
  not_a_file: 'It is not a file',
};

export async function ownersOfChanges(
  { code, log }: Pick<OwnersServices, 'code' | 'log'>,
  repositoryId: string,
  { rules, ...found }: FoundFile,
  row: Pick<UnreadOwners, 'id' | 'head_commit' | 'merge_base'>,
  call: Call,
): Promise<StoredOwners> {
  const unknown = (reason: string): StoredOwners => ({
    ...found,
    owned: [],
    problems: [...found.problems, { line: null, reason }],
  });
  if (rules === null) return { ...found, owned: [] };
  if (row.merge_base === null)
    return unknown('The changed paths are not known: the branches share no history');
  try {
    const range = { from: row.merge_base, to: row.head_commit!, limit: MAX_CHANGED_PATHS };
    const { files, total } = await code.compare('listChanges', repositoryId, range, call);
    if (total > files.length)
      return unknown(`More than ${MAX_CHANGED_PATHS.toLocaleString('en-US')} files changed`);
    // Who moves a file away needs its owners too.
    const paths = files.flatMap(({ change, oldPath, path }) =>
      oldPath !== null && change === 'renamed' ? [oldPath, path] : [path],
    );
    const owned = await ownersOf(rules, paths);
    return owned ? { ...found, owned } : unknown('The rules take too long for the changed paths');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ err: error, pullRequestId: row.id }, 'the changed paths of a pull request could not be read');
    return unknown('The changed paths could not be read');
  }
}

/** Kept beside the owners, because merge requirements, which say who can approve, are read without git. */
async function writersOf(
  { code, db, log }: OwnersServices,
  { organizationId, repositoryId }: { organizationId: string; repositoryId: string },
  row: UnreadOwners,
  call: Call,
): Promise<string[]> {
  const from = row.merge_base ?? row.base_commit!;
  try {
    const range = { ...AUTHORS_READ, from, to: row.head_commit! };
    return await membersAmong(
      db,
      organizationId,
      await code.compare('listAuthors', repositoryId, range, call),
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ err: error, pullRequestId: row.id }, 'the authors of a pull request could not be read');
    return [];
  }
}

async function record(
  services: OwnersServices,
  organizationId: string,
  row: UnreadOwners,
  found: StoredOwners,
  writerIds: string[],
): Promise<void> {
  const owners = await storableOwners(found);
  const source = { ...BY_SERVICE, organizationId };
  await withPullRequestAs(services, source, row.id, services.now(), async (change) => {
    const { base_commit, head_commit } = change.pullRequest;
    if (head_commit !== row.head_commit || base_commit !== row.base_commit) return;
    const { db } = change;
    const before = await selectStoredOwners(db, row.id);
    await replaceOwners(db, change.pullRequest, { ...owners, writerIds });
    change.set({ owners_head: head_commit, owners_base: base_commit, owners_queued_at: null });
    if (!(await isWatched(db, change.pullRequest.repository_id))) change.set({ watched_head: head_commit });
    const owned = await resolveOwners(db, before!, owners.owned);
    await askReviewers(change, { isFirstReading: before!.dialect === null, owned });
  });
}

/** A file can hold anything, also secrets. Paths are shown as they are, like those of the changed files. */
export async function storableOwners(owners: StoredOwners): Promise<StoredOwners> {
  const texts = [
    ...owners.owned.map(({ pattern }) => storable(pattern)),
    ...owners.owned.map(({ section }) => storable(section ?? '')),
    ...owners.problems.map(({ reason }) => storable(reason)),
  ];
  const masked = await maskTexts(texts);
  const count = owners.owned.length;
  return {
    ...owners,
    owned: owners.owned.map((each, index) => ({
      ...each,
      pattern: masked[index]!,
      section: each.section === null ? null : masked[count + index]!,
      paths: each.paths.map(storable),
    })),
    problems: owners.problems.map(({ line }, index) => ({ line, reason: masked[2 * count + index]! })),
  };
}
