/** Makes commits on this node and pushes them to the origin of their repository. */
import { join } from 'node:path';
import {
  askBranch,
  GitFailure,
  makeCommits,
  type PushTarget,
  pushBranch,
  RemoteRefused,
  readConflicts,
  type Workspace,
  withWorkspace,
} from '../../engines/git/index.ts';
import { ProcessFailure } from '../../engines/processes/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import type {
  BranchUpdate,
  CodeChange,
  CodeWriter,
  PushOutcome,
} from '../../platform/core/ports/code-writer.ts';
import { notePush } from '../repositories/index.ts';
import type { Mirrors } from './create-mirrors.ts';
import { describeFailure } from './describe-failure.ts';
import { createMirrorRequests } from './mirror-requests.ts';
import { type OriginServices, openOrigin } from './open-origin.ts';

export function createCodeWriter(
  services: OriginServices & {
    mirrors: Pick<Mirrors, 'exists' | 'folderOf' | 'isBehind' | 'isOfOrigin' | 'sync'>;
  },
): CodeWriter {
  const { mirrors, settings } = services;
  const { onNode } = createMirrorRequests(mirrors);
  const knownHostsFile = join(settings.dataDir, 'repositories', 'known_hosts');

  const targetOf = async (workspace: Workspace, repositoryId: string, signal: AbortSignal) => {
    const { credential, remote } = await openOrigin(services, repositoryId, signal);
    return { remote, credential, folder: workspace.folder, knownHostsFile } satisfies PushTarget;
  };

  /** In the mirror of this node, once it has these commits. */
  const inMirror = <Result>(
    repositoryId: string,
    commits: string[],
    signal: AbortSignal,
    use: (workspace: Workspace) => Promise<Result>,
  ): Promise<Result> => {
    const { gitDir } = mirrors.folderOf(repositoryId);
    return onNode(repositoryId, commits.join(' '), signal, () =>
      withWorkspace({ gitDir, signal }, async (workspace) => {
        await requireCommits(workspace, commits);
        return await use(workspace);
      }),
    );
  };

  const push = async (
    workspace: Workspace,
    repositoryId: string,
    update: BranchUpdate & { to: string | null },
    signal: AbortSignal,
  ): Promise<PushOutcome> => {
    try {
      const target = await targetOf(workspace, repositoryId, signal);
      const { extraEnvironment, gitDir } = workspace;
      const outcome = await pushBranch(target, { ...update, gitDir, extraEnvironment, signal });
      // Pages say what to set before the next push is tried.
      if (outcome.kind === 'no_permission' || outcome.kind === 'pushed')
        await notePush(services.db, repositoryId, outcome.kind === 'no_permission');
      return outcome;
    } catch (error) {
      if (error instanceof RemoteRefused) return { kind: 'unreachable', message: error.message };
      throw error;
    }
  };

  return {
    writeBranch: (repositoryId, { branch, expected, onMade, ...signed }, { signal }) =>
      inMirror(repositoryId, commitsOf(signed.change), signal, async (workspace) => {
        const made = await makeCommits(workspace, signed);
        if (made.kind !== 'made') return made;
        if (onMade && !(await onMade(made))) return { kind: 'declined' };
        return {
          ...(await push(workspace, repositoryId, { branch, expected, to: made.commit }, signal)),
          made,
        };
      }),
    moveBranch: (repositoryId, update, { signal }) =>
      inMirror(repositoryId, update.to === null ? [] : [update.to], signal, (workspace) =>
        push(workspace, repositoryId, update, signal),
      ),
    readConflicts: (repositoryId, pair, { signal }) =>
      inMirror(repositoryId, [pair.on, pair.other], signal, (workspace) => readConflicts(workspace, pair)),
    askBranch: (repositoryId, branch, { signal }) =>
      inMirror(repositoryId, [], signal, async (workspace) => {
        try {
          return await askBranch(await targetOf(workspace, repositoryId, signal), { branch, signal });
        } catch (error) {
          if (!(error instanceof GitFailure || error instanceof RemoteRefused)) throw error;
          throw new Problem('unavailable', describeFailure(error), { cause: error });
        }
      }),
  };
}

function commitsOf(change: CodeChange): string[] {
  switch (change.kind) {
    case 'files':
      return [change.on];
    case 'resolve':
      return [change.on, change.other];
    case 'revert':
      return [change.on, change.before, change.after];
    default:
      return [change.base, change.head];
  }
}

async function requireCommits(workspace: Workspace, commits: string[]): Promise<void> {
  for (const commit of commits) {
    try {
      await workspace.run(['cat-file', '-e', `${commit}^{commit}`]);
    } catch (error) {
      if (!(error instanceof GitFailure) || error.reason !== 'exit') throw error;
      throw new ProcessFailure('missing', `The mirror lacks ${commit}.`);
    }
  }
}
