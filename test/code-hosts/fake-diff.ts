/** A unified diff that shows the lines of a pull request's `diff`, each in a hunk of its own. */
import type { FakePullRequest } from './fake-model.ts';

export function hunksOf({ new: added, old: removed }: FakePullRequest['diff'][string]): string {
  return [
    ...removed.map((line) => `@@ -${line},1 +${line - 1},0 @@\n-removed\n`),
    ...added.map((line) => `@@ -${line - 1},0 +${line},1 @@\n+added\n`),
  ].join('');
}

export function diffOf({ diff }: FakePullRequest): string {
  return Object.entries(diff)
    .map(([file, lines]) => `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n${hunksOf(lines)}`)
    .join('');
}
