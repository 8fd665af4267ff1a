/** Grouping threads by what an agent should do with them. */
import { describe, expect, it } from 'vitest';
import { groupThreads } from './comment-groups.ts';
import type { ThreadComment } from './read-threads.ts';

let made = 0;
function comment(fields: Partial<ThreadComment> & { id: string }): ThreadComment {
  made += 1;
  return {
    threadId: fields.id,
    versionId: 'v',
    parentId: null,
    body: '',
    anchor: null,
    editedAt: null,
    authorName: 'Ann',
    author: { id: 'u', name: 'Ann' },
    authorKind: 'session',
    version: 1,
    triageState: null,
    createdAt: new Date(made).toISOString(),
    quote: null,
    placement: null,
    addressed: null,
    ...fields,
  };
}

const groups = (comments: ThreadComment[]) =>
  groupThreads(comments, []).map(({ first, group }) => [first.id, group]);

describe('threads', () => {
  it('are grouped by triage state and by whether there is a reply', () => {
    expect(
      groups([
        comment({ id: 'dismissed', triageState: 'dismissed' }),
        comment({ id: 'answered', triageState: 'open' }),
        comment({ id: 'reply', threadId: 'answered', parentId: 'answered' }),
        comment({ id: 'undecided' }),
        comment({ id: 'wanted', triageState: 'open' }),
        comment({ id: 'wanted too', triageState: 'open' }),
      ]),
    ).toEqual([
      ['wanted', 'recommended'],
      ['wanted too', 'recommended'],
      ['undecided', 'awaitingTriage'],
      ['answered', 'alreadyReplied'],
      ['dismissed', 'skipped'],
    ]);
  });

  it('stay dismissed after a reply', () => {
    const thread = [
      comment({ id: 'a', triageState: 'dismissed' }),
      comment({ id: 'b', threadId: 'a', parentId: 'a' }),
    ];
    expect(groups(thread)).toEqual([['a', 'skipped']]);
  });

  it('have the same order, regardless of the order of the comments', () => {
    const list = [
      comment({ id: 'a' }),
      comment({ id: 'b' }),
      comment({ id: 'c', threadId: 'a', parentId: 'b' }),
      comment({ id: 'd', threadId: 'a', parentId: 'c' }),
    ];
    const [forth, back] = [groupThreads(list, []), groupThreads(list.toReversed(), [])];
    expect(back).toEqual(forth);
    expect(forth.at(-1)!.comments.map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  });
});
