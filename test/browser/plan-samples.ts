/** Sample plans for browser tests and screenshots: two versions, the second with the changes that reviewers requested. */

export const SAMPLE_PLAN = `# Rotate API keys without downtime

Keys leak. Today the only remedy is to revoke a key and to hope that every pipeline is updated within minutes.

## Why

Last quarter three keys were pasted into a public chat. Each time the key was revoked at once, and each time a nightly job failed because nobody knew that it used the same key. A rotation that lets **both keys work for a while** would have prevented all three incidents.

## The change

A key gets a successor. Both are accepted until the old one expires, which is 24 hours later by default. The list of keys shows the pair as one entry, with the time that is left.

The look-up stays one query:

\`\`\`
SELECT id, user_id, expires_at
FROM api_keys
WHERE secret_hash = $1
  AND revoked_at IS NULL
  AND (expires_at IS NULL OR expires_at > now());
\`\`\`

## Affected repos

- \`acme/gateway\`
- \`acme/web-shop\`

## Decisions

| Question | Decision | Reason |
| --- | --- | --- |
| How long do both work? | 24 hours | covers every nightly job |
| Who may rotate? | the key's owner | the same as revoking |
| Does a rotation chain? | no | one successor at a time is enough |

## Steps

- [x] Add \`expires_at\` and \`successor_id\` in \`src/db/migrations/0009_key_rotation.sql\`
- [x] Accept expiring keys in \`src/api-keys/find-key.ts\`
- [ ] Add \`POST /api/v2/api-keys/:keyId/rotate\` in \`src/api-keys/rotate-api-key.ts\`
- [ ] Show the pair in \`web/pages/api-keys.tsx\`
- [ ] Write the audit event \`key.rotated\`

## Open questions

1. Should the owner get a message an hour before the old key expires?
2. Do we allow a longer time than 24 hours?

## Verification

Run \`npm test\`. Then rotate a key while \`bench/keys\` runs against it: no request may fail.
`;

const DIAGRAM = `\`\`\`mermaid
flowchart LR
  A[Active] -->|rotate| B[Active + successor]
  B -->|24 h| C[Old key expired]
  B -->|revoke| D[Both revoked]
\`\`\``;

/** With a diagram and colored code, for tests that look at them: they take longer than everything else on the page. */
export const inFull = (plan: string) =>
  plan
    .replace('The look-up stays', `${DIAGRAM}\n\nThe look-up stays`)
    .replace('```\nSELECT', '```sql\nSELECT');

/** The same after the review: words changed, a step moved, a question answered, a section added. */
export const SAMPLE_PLAN_REVISED = SAMPLE_PLAN.replace(
  'Both are accepted until the old one expires, which is 24 hours later by default.',
  'Both are accepted until the old one expires, which is 72 hours later by default, so that a weekend passes.',
)
  .replace('| 24 hours | covers every nightly job |', '| 72 hours | covers nightly jobs and a weekend |')
  .replace('2. Do we allow a longer time than 24 hours?\n', '')
  .replace(
    '- [x] Accept expiring keys in `src/api-keys/find-key.ts`\n- [ ] Add `POST /api/v2/api-keys/:keyId/rotate` in `src/api-keys/rotate-api-key.ts`\n',
    '- [x] Accept expiring keys in `src/api-keys/find-key.ts`\n- [x] Add `POST /api/v2/api-keys/:keyId/rotate` in `src/api-keys/rotate-api-key.ts`\n',
  )
  .replace(
    '## Verification',
    '## Rollback\n\nSwitch the feature off: keys that already have a successor keep it, no new ones are made. Nothing has to be migrated back.\n\n## Verification',
  );

/** Mentions the same files, so that the two plans overlap. */
export const OVERLAPPING_PLAN = `# Show when a key was used last

## Steps

1. Keep the time in \`src/api-keys/find-key.ts\`
2. Show it in \`web/pages/api-keys.tsx\`
`;

/** An anchor for words of the plan, like the page creates it. */
export function anchorTo(content: string, quote: string): string {
  const start = content.indexOf(quote);
  if (start < 0) throw new Error(`The plan does not say: ${quote}`);
  const end = start + quote.length;
  return JSON.stringify({
    quote,
    prefix: content.slice(Math.max(0, start - 64), start),
    suffix: content.slice(end, end + 64),
    heading: null,
  });
}

export interface SampleComment {
  /** The author: a person, or the agent with its key. */
  by: 'reviewer' | 'author' | 'agent';
  /** The quoted words; without them it is a general comment, or a reply if it has a parent. */
  on?: string;
  body: string;
  replies?: { by: SampleComment['by']; body: string }[];
  triage?: 'open' | 'dismissed';
}

/** On the first version. */
export const SAMPLE_COMMENTS: SampleComment[] = [
  {
    by: 'reviewer',
    on: 'which is 24 hours later by default',
    body: 'A key that is rotated on a Friday evening is dead on Saturday. Can we make it long enough for a **weekend**?',
    replies: [{ by: 'agent', body: 'Yes: 72 hours in the next version.' }],
    triage: 'open',
  },
  {
    by: 'reviewer',
    on: 'AND (expires_at IS NULL OR expires_at > now())',
    body: 'Whose clock is `now()`? The database and the nodes may differ by seconds.',
  },
  {
    by: 'author',
    on: 'Do we allow a longer time than 24 hours?',
    body: 'I would not: one fixed time is easier to explain.',
  },
  {
    by: 'reviewer',
    on: 'Show the pair in `web/pages/api-keys.tsx`',
    body: 'Nice to have. Let us do that later.',
    triage: 'dismissed',
  },
  {
    by: 'reviewer',
    body: 'What happens to **idempotency keys** of the old key? They belong to the caller, and that changes with the rotation.',
    replies: [{ by: 'author', body: 'They belong to the user, so nothing changes. I added a test.' }],
  },
];

export interface PostedPlan {
  seriesId: string;
  version: number;
  versionId: string;
  content: string;
}

/** Calls the service with a key or a session. */
interface Service {
  request(
    method: string,
    path: string,
    options: { as: { key: string } | { session: string }; body?: unknown },
  ): Promise<{ status: number; body: unknown }>;
}

interface Caller {
  key: string;
  token: string;
}

const REPOSITORIES = ['acme/gateway', 'acme/web-shop'];

/** Posts a plan like an agent, with a user's key; the same series again adds a version. */
export async function postPlan(
  service: Service,
  person: Caller,
  content = SAMPLE_PLAN,
  more: Record<string, unknown> = {},
): Promise<PostedPlan> {
  const body = {
    seriesKey: crypto.randomUUID(),
    content,
    agentVendor: 'claude-code',
    modelId: 'claude-opus-4-5',
    tokensUsed: { input_tokens: 182_400, output_tokens: 12_850 },
    repoNames: REPOSITORIES,
    ...more,
  };
  return answerOf(await service.request('POST', '/api/v2/plans', { as: { key: person.key }, body }));
}

export function postVersion(
  service: Service,
  person: Caller,
  plan: PostedPlan,
  content = SAMPLE_PLAN_REVISED,
) {
  return postPlan(service, person, content, { seriesKey: plan.seriesId });
}

/** Comments on words of the plan or on the whole plan; returns the comment's id. */
export async function postComment(
  service: Service,
  person: Caller,
  plan: PostedPlan,
  body: string,
  about: { on?: string; parentId?: string; anchor?: string; byKey?: boolean } = {},
): Promise<string> {
  const { byKey, on, parentId, anchor = on && anchorTo(plan.content, on) } = about;
  const sent = { body, versionId: plan.versionId, parentId, anchor };
  const as = byKey ? { key: person.key } : { session: person.token };
  const path = `/api/v2/plans/${plan.seriesId}/comments`;
  return answerOf<{ id: string }>(await service.request('POST', path, { as, body: sent })).id;
}

export async function doToPlan(
  service: Service,
  person: Caller,
  plan: PostedPlan,
  action: string,
  body: Record<string, unknown> = {},
): Promise<void> {
  const path = `/api/v2/plans/${plan.seriesId}/${action}`;
  answerOf(await service.request('POST', path, { as: { session: person.token }, body }));
}

function answerOf<Answer = PostedPlan>({ body, status }: { status: number; body: unknown }): Answer {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body as Answer;
}

/** The part of a page that these functions use; scripts are strings, because tests have no DOM types. */
interface Page {
  evaluate(script: string): Promise<unknown>;
}

/** Selects words in the text of the plan, like a pointer would. */
export async function selectWords(page: Page, words: string): Promise<void> {
  const found = await page.evaluate(`(() => {
    const words = ${JSON.stringify(words)};
    const texts = document.createTreeWalker(document.querySelector('[data-source-view]'), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const at = node.textContent.indexOf(words);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      node.parentElement.scrollIntoView({ block: 'center' });
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return true;
    }
    return false;
  })()`);
  if (!found) throw new Error(`The page does not show: ${words}`);
}
