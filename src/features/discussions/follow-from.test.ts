/** From which commit on a discussion is judged. */
import { expect, it } from 'vitest';
import { followFrom } from './follow-from.ts';

const at = (minute: number) => new Date(minute * 60_000);

it('leaves out an objection from before a person reopened it', () => {
  const comment = (body: string, minute: number) => ({
    ...{ author_kind: 'person' as const, body, created_at: at(minute), edited_at: null },
  });
  const comments = [comment('Rename it.', 1), comment('That does not fix it.', 15)];
  const heads = [
    { position: 1, seen_at: at(10) },
    { position: 2, seen_at: at(20) },
  ];
  const discussion = { status: 'open', status_cause: 'person', status_at: at(30), judged_from: 2 };
  expect(followFrom(discussion as never, comments as never, heads)).toEqual({ position: 2, after: at(30) });
});
