/** The life of a pull request in random steps. */
import type { FakeModel, FakePullRequest } from './fake-model.ts';

/** One event of a pull request's life, as far as it is possible at that moment. */
export function play(
  model: FakeModel,
  pullRequest: FakePullRequest,
  { act, text, which, who }: { act: string; text: string; which: number; who: string },
): void {
  const account = model.account(who);
  const thread = pullRequest.threads[which % Math.max(1, pullRequest.threads.length)];
  const comments = [...pullRequest.comments, ...pullRequest.threads.flatMap((one) => one.comments)];
  const comment = comments[which % Math.max(1, comments.length)];
  const isOpen = pullRequest.state === 'open';
  if (act === 'thread') {
    // Gitea joins threads on the same line.
    const line = pullRequest.threads.reduce((max, { endLine }) => Math.max(max, endLine), 0) + 1;
    model.startThread(
      pullRequest,
      account,
      { file: 'src/a.ts', side: 'new', startLine: line, endLine: line },
      text,
    );
  } else if (act === 'comment') model.comment(pullRequest, account, text);
  else if (act === 'reply' && thread) model.reply(pullRequest, thread, account, text);
  else if (act === 'edit' && comment) model.edit(pullRequest, comment, text);
  else if (act === 'remove' && comment) model.remove(pullRequest, comment);
  else if (act === 'resolve' && thread) model.resolve(pullRequest, thread, account);
  else if (act === 'unresolve' && thread) model.resolve(pullRequest, thread, null);
  else if (act === 'push') model.push(pullRequest, which.toString(16).padStart(40, '0'));
  else if (act === 'close' && isOpen) model.close(pullRequest, 'closed');
  else if (act === 'merge' && isOpen) model.close(pullRequest, 'merged');
  else if (act === 'reopen' && pullRequest.state === 'closed') model.reopen(pullRequest);
}
