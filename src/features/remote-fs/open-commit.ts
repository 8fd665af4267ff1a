/** Resolves the repository and ref of a request to a commit that the caller can access. */
import { type Context, callOf } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { CommitRequestName, ReadRequests } from '../../platform/core/ports/code-reader.ts';
import {
  type FoundRepository,
  findCommitOf,
  resolveRepository,
  unknownRepository,
} from '../repositories/index.ts';

const RETRY_AFTER_SECONDS = 5;

/** A commit whose code can be read. */
export interface OpenCommit {
  repository: { id: string; name: string };
  commit: string;
  read<Name extends CommitRequestName | 'fileFacts'>(
    name: Name,
    params: Omit<ReadRequests[Name]['params'], 'commit'>,
  ): Promise<ReadRequests[Name]['result']>;
}

export async function openCommit(
  context: Context,
  input: { repository: string; ref?: string | undefined },
): Promise<OpenCommit | { candidates: string[] }> {
  const { actor, db } = context;
  const name = input.repository.trim();
  const found = await resolveRepository(db, actor, name);
  if (found.kind === 'none') throw await unknownRepository(context, name);
  if (found.kind === 'several') return { candidates: found.candidates };
  const { repository } = found;
  if (repository.state === 'waiting' || repository.state === 'cloning' || repository.state === 'failed') {
    throw new Problem('repository_not_ready', notReady(repository), {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  const call = callOf(context);
  const isHead = !input.ref || input.ref === 'HEAD';
  const commit = isHead
    ? headOf(repository)
    : await findCommitOf({ db, code: context.code, call }, repository, input.ref!, {
        field: 'ref',
        isPushed: false,
      });
  return {
    repository: { id: repository.id, name: repository.name },
    commit,
    read: (name, params) =>
      context.code.read(
        name,
        repository.id,
        { ...params, commit } as ReadRequests[typeof name]['params'],
        call,
      ),
  };
}

function headOf({ head_commit: commit, name }: FoundRepository): string {
  if (commit === null)
    throw new Problem('ref_not_found', `${name} has no commits on its default branch yet.`);
  return commit;
}

function notReady({ name, state }: FoundRepository): string {
  return state === 'failed'
    ? `${name} could not be cloned yet. The service will retry; administrators can see the cause on the repository's page.`
    : `${name} is being cloned for the first time.`;
}
