/** POST /api/v2/code-hosts/:codeHostId/repositories: adds repositories of a code host by name or by pattern. */

import { type Context, defineOperation } from '../../../context.ts';
import { isHostError } from '../../../engines/code-hosts/index.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import type { CodeHostRow } from '../connections/code-host-store.ts';
import { lockCodeHost } from '../connections/connection-store.ts';
import { findCodeHost } from '../connections/find-code-host.ts';
import { askForHostCheck } from '../connections/host-check-store.ts';
import { askHost } from '../connections/host-problem.ts';
import { openCodeHost } from '../connections/open-code-host.ts';
import { hostName, presentSelection } from '../connections/present-code-host.ts';
import { selectSelections, upsertSelection } from '../connections/selection-store.ts';
import { AddedHostRepositories, AddHostRepositoriesInput, MAX_SELECTIONS } from '../contract.ts';
import { addHostRepository } from './add-host-repository.ts';

export const addHostRepositories = defineOperation({
  name: 'add-host-repositories',
  group: 'Code hosts',
  summary: 'Add repositories of a code host',
  description:
    'Each one is cloned and indexed with the credential of the host, and its pull requests are imported, open ones first. Who sees it follows the host: public ones are visible to everyone in the organization, private ones to admins and members whose linked account can read them.',
  http: { method: 'POST', path: '/api/v2/code-hosts/:codeHostId/repositories', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: AddHostRepositoriesInput,
  output: AddedHostRepositories,
  problems: ['not_found', 'conflict', 'unavailable'],
  async run(context, { codeHostId, includeNew = false, names = [], pattern }) {
    if (names.length === 0 && pattern === undefined) {
      throw invalidRequest([{ path: 'names', message: 'or `pattern` is required' }]);
    }
    const { actor, db, feed } = context;
    const row = await findCodeHost(context, codeHostId);
    const outcome = await addByName(context, row, [...new Set(names)]);
    if (pattern !== undefined) await select(context, row, pattern, includeNew);
    await askForHostCheck(db, codeHostId);
    context.afterCommit(() => {
      for (const { repositoryId } of outcome.added) feed.announce(repositoryId);
      feed.announce(codeHostId);
    });
    const selections = await selectSelections(db, [codeHostId]);
    const selection = selections.find(
      (one) => one.pattern === pattern && one.organization_id === actor.organizationId,
    );
    return { ...outcome, selection: selection ? presentSelection(selection) : null };
  },
});

async function addByName(context: Context, row: CodeHostRow, names: string[]) {
  const host = openCodeHost(context, row, context.disconnected());
  const added: { repositoryId: string; fullName: string }[] = [];
  const skipped: { fullName: string; reason: string }[] = [];
  for (const fullName of names) {
    const repository = await askHost(() =>
      host.repository(fullName).catch((error: unknown) => {
        if (isHostError(error, 'not_found', 'forbidden', 'invalid')) return null;
        throw error;
      }),
    );
    if (!repository) {
      skipped.push({ fullName, reason: "The host has no such repository, or the credential can't read it." });
      continue;
    }
    const outcome = await addHostRepository(context, row.id, repository, callerOf(context));
    if (outcome.kind === 'added') {
      added.push({ repositoryId: outcome.repositoryId, fullName: repository.fullName });
    } else skipped.push({ fullName: repository.fullName, reason: outcome.reason });
  }
  return { added, skipped };
}

async function select(context: Context, row: CodeHostRow, pattern: string, includeNew: boolean) {
  const { actor, db } = context;
  const source = callerOf(context);
  await inTransaction(db, async (transaction) => {
    await lockCodeHost(transaction, actor.organizationId, row.id);
    const known = await selectSelections(transaction, [row.id]);
    if (known.length >= MAX_SELECTIONS && !known.some((one) => one.pattern === pattern)) {
      throw new Problem('conflict', `There are already ${MAX_SELECTIONS} patterns. Remove one first.`);
    }
    await upsertSelection(transaction, {
      id: uuidv7(),
      organizationId: actor.organizationId,
      codeHostId: row.id,
      pattern,
      includeNew,
      createdBy: actor.userId,
      at: source.at,
    });
    await recordAudit(transaction, source, {
      action: 'code_host.pattern_added',
      subjectId: row.id,
      subjectName: hostName(row),
      detail: { pattern, includeNew },
    });
  });
}
