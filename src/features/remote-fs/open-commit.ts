/** Resolves the repository and ref of a request to a commit that the caller can access. */
import { type Context, callOf } from '../../context.ts';
import type { CodeRequests, CommitRequestName } from '../../platform/core/code-reader.ts';
import { invalidRequest, Problem } from '../../platform/core/errors.ts';
import type { Call } from '../../platform/core/fair-queue.ts';
import {
  type FoundRepository,
  resolveRef,
  resolveRepository,
  unknownRepository,
} from '../repositories/index.ts';

const RETRY_AFTER_SECONDS = 5;

/** A commit whose code can be read. */
export interface OpenCommit {
  repository: { id: string; name: string };
  commit: string;
  read<Name extends CommitRequestName>(
    name: Name,
    params: Omit<CodeRequests[Name]['params'], 'commit'>,
  ): Promise<CodeRequests[Name]['result']>;
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
  const commit = await findCommit(context, repository, input.ref, call);
  return {
    repository: { id: repository.id, name: repository.name },
    commit,
    read: (name, params) =>
      context.code.read(
        name,
        repository.id,
        { ...params, commit } as CodeRequests[typeof name]['params'],
        call,
      ),
  };
}

function notReady({ name, state }: FoundRepository): string {
  return state === 'failed'
    ? `${name} could not be cloned yet. The service will retry; administrators can see the cause on the repository's page.`
    : `${name} is being cloned for the first time.`;
}

/** A branch, a tag, or digits of a commit, in this order. Nothing else is a ref, even if git would accept it. */
async function findCommit(
  { code, db }: Context,
  repository: FoundRepository,
  ref: string | undefined,
  call: Call,
): Promise<string> {
  if (!ref || ref === 'HEAD') {
    if (repository.head_commit) return repository.head_commit;
    throw new Problem('ref_not_found', `${repository.name} has no commits on its default branch yet.`);
  }
  const named = await resolveRef(db, repository.id, ref);
  if (named) return named;
  if (/^[0-9a-f]{4,64}$/i.test(ref)) {
    const looked = await code.findCommit(repository.id, ref.toLowerCase(), call);
    if (looked.kind === 'found') return looked.commit;
    if (looked.kind === 'ambiguous') {
      throw invalidRequest([{ path: 'ref', message: 'matches more than one commit: send more digits' }]);
    }
  }
  throw new Problem('ref_not_found', `${repository.name} has no branch, tag or commit with this name.`);
}
