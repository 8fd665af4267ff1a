/**
 * Makes commits without a working tree: merges, also with conflicts that a person resolved, squashes, rebases, edits of files, and
 * reverts. No hook, merge driver, filter or attribute of the repository takes part.
 */
import type { CodeChange, MakeOutcome, SignedChange } from '../../../platform/core/ports/code-writer.ts';
import { showPath } from '../../../platform/core/text/path-text.ts';
import type { Merged } from '../history/merge-trees.ts';
import { GitFailure } from '../run/git-failure.ts';
import { messageBytes, readCommit, signatureLine, writeCommit } from './commit-object.ts';
import { editFiles } from './edit-files.ts';
import { resolveTree } from './resolve-conflicts.ts';
import type { Workspace } from './workspace.ts';

type Of<Kind extends CodeChange['kind']> = Extract<CodeChange, { kind: Kind }>;
interface Signatures {
  author: string;
  committer: string;
}

const MAX_REBASED = 1000;
const MAX_PATHS = 20;
const UNSIGNED = signatureLine({ name: 'nobody', email: 'nobody' }, new Date(0));

export async function makeCommits(workspace: Workspace, signed: SignedChange): Promise<MakeOutcome> {
  const { at, change } = signed;
  const signatures = {
    author: signatureLine(signed.author, at),
    committer: signatureLine(signed.committer, at),
  };
  try {
    switch (change.kind) {
      case 'merge':
        return await makeMerge(workspace, change, signatures);
      case 'squash':
        return await makeSquash(workspace, change, signatures);
      case 'rebase':
        return await makeRebase(workspace, change, signatures);
      case 'files': {
        const tree = await editFiles(workspace, change.on, change.files);
        return await commitOn(workspace, { ...change, tree }, signatures);
      }
      case 'resolve':
        return await makeResolution(workspace, change, signatures);
      case 'revert': {
        const tree = await applyBetween(workspace, { on: change.on, from: change.after, to: change.before });
        return typeof tree === 'string'
          ? await commitOn(workspace, { ...change, tree }, signatures)
          : refused(tree);
      }
    }
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return { kind: 'failed' };
    throw error;
  }
}

async function makeMerge(
  workspace: Workspace,
  { base, head, message }: Of<'merge'>,
  signatures: Signatures,
): Promise<MakeOutcome> {
  if ((await workspace.ask(['rev-list', '-n', '1', head, `^${base}`])) === '') return { kind: 'unchanged' };
  const merged = await workspace.merge(base, head);
  if (!isClean(merged)) return refused(merged);
  return await commitMerge(workspace, { tree: merged.tree, parents: [base, head], message }, signatures);
}

async function makeResolution(
  workspace: Workspace,
  { files, message, on, other }: Of<'resolve'>,
  signatures: Signatures,
): Promise<MakeOutcome> {
  const resolved = await resolveTree(workspace, { on, other }, files);
  if (!resolved) return { kind: 'failed' };
  if ('unresolved' in resolved) return { kind: 'conflicts', paths: resolved.unresolved.slice(0, MAX_PATHS) };
  const { tree } = resolved;
  return await commitMerge(workspace, { tree, parents: [on, other], message }, signatures);
}

async function commitMerge(
  workspace: Workspace,
  { message, ...commit }: { tree: string; parents: [string, string]; message: string },
  signatures: Signatures,
): Promise<MakeOutcome> {
  const raw = { ...signatures, ...commit, encoding: undefined, message: messageBytes(message) };
  return { kind: 'made', commit: await writeCommit(workspace, raw), tree: commit.tree };
}

async function makeSquash(
  workspace: Workspace,
  { base, head, message }: Of<'squash'>,
  signatures: Signatures,
): Promise<MakeOutcome> {
  const merged = await workspace.merge(base, head);
  if (!isClean(merged)) return refused(merged);
  return await commitOn(workspace, { on: base, tree: merged.tree, message }, signatures);
}

async function makeRebase(
  workspace: Workspace,
  { base, head }: Of<'rebase'>,
  { committer }: Signatures,
): Promise<MakeOutcome> {
  const range = ['rev-list', '--reverse', '--topo-order', '--parents', head, `^${base}`];
  const listed = await workspace.ask(range);
  const commits = listed === '' ? [] : listed.split('\n').map((line) => line.split(' '));
  if (commits.some((ids) => ids.length !== 2)) return { kind: 'has_merges' };
  if (commits.length > MAX_REBASED) return { kind: 'failed' };
  let commit = base;
  let tree = await treeOf(workspace, base);
  for (const [id, parent] of commits as [string, string][]) {
    const original = await readCommit(workspace, id);
    if (parent === commit) {
      // Unchanged, a signature of its author stays valid.
      commit = id;
      tree = original.tree;
      continue;
    }
    const applied = await applyBetween(workspace, { on: commit, from: parent, to: id });
    if (typeof applied !== 'string') return refused(applied);
    // The base has this change already; a commit that was empty from the start stays.
    if (applied === tree && original.tree !== (await treeOf(workspace, parent))) continue;
    tree = applied;
    commit = await writeCommit(workspace, { ...original, committer, tree, parents: [commit] });
  }
  return commit === base ? { kind: 'unchanged' } : { kind: 'made', commit, tree };
}

/**
 * The tree of `on` with what changed from one commit to another. Both sides become children of `from`, so that git takes it for
 * their merge base; `merge-tree --merge-base` needs a newer git.
 */
export async function applyBetween(
  workspace: Workspace,
  { from, on, to }: { on: string; from: string; to: string },
): Promise<string | Merged> {
  const childOf = async (side: string) =>
    await writeCommit(workspace, {
      tree: await treeOf(workspace, side),
      parents: [from],
      author: UNSIGNED,
      committer: UNSIGNED,
      encoding: undefined,
      message: '\n',
    });
  const merged = await workspace.merge(await childOf(on), await childOf(to));
  return isClean(merged) ? merged.tree : merged;
}

async function commitOn(
  workspace: Workspace,
  { message, on, tree }: { on: string; tree: string; message: string },
  signatures: Signatures,
): Promise<MakeOutcome> {
  if (tree === (await treeOf(workspace, on))) return { kind: 'unchanged' };
  const commit = await writeCommit(workspace, {
    ...signatures,
    tree,
    parents: [on],
    encoding: undefined,
    message: messageBytes(message),
  });
  return { kind: 'made', commit, tree };
}

export function treeOf(workspace: Workspace, commit: string): Promise<string> {
  return workspace.ask(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]);
}

function isClean(merged: Merged): merged is Extract<Merged, { kind: 'merged' }> {
  return merged.kind === 'merged' && merged.conflicts.size === 0;
}

function refused(merged: Merged): MakeOutcome {
  if (merged.kind === 'failed') return merged;
  const paths = [...merged.conflicts.keys()].slice(0, MAX_PATHS);
  return { kind: 'conflicts', paths: paths.map((path) => showPath(Buffer.from(path, 'latin1'))) };
}
