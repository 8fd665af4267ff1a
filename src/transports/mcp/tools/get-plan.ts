/** get_plan: a plan's status, reviews and text. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { planReference, refuseOtherVersion } from '../plans/plan-reference.ts';
import { nextForPlan, presentReviewState, REVIEW_STATE } from '../plans/plan-status.ts';
import type { Part, Piece } from '../text/budget.ts';
import { plainName } from '../text/fence.ts';
import { ours } from '../text/marking.ts';
import {
  moreSentence,
  openPage,
  PAGE_ARGUMENTS,
  PAGE_OUTPUT,
  type PageEnd,
  pagedReply,
} from '../text/paged-reply.ts';
import { visible } from '../text/visible-text.ts';
import { defineTool, READS, type Reply } from '../tool.ts';

const Review = z.object({
  reviewer: z.string(),
  verdict: ours('word').describe('`approved` or `changes_requested`.'),
  version: z.int().describe('The version that was reviewed.'),
  note: z.string(),
  noteIsCut: z.boolean().optional().describe('Whether the rest of the note is on another page.'),
  createdAt: ours('time'),
  withdrawnAt: ours('time').optional(),
});
const Repository = z.object({ name: z.string(), state: ours('word') });
const PullRequest = z.object({ repository: z.string().optional(), prNumber: z.int() });
const Version = z.object({
  version: z.int(),
  author: z.string(),
  createdAt: ours('time'),
  unchanged: z.boolean().describe('Whether its text equals that of the previous version.'),
});

const PlanReply = z.object({
  planId: ours('id'),
  url: ours('page').describe('Its page, for people.'),
  status: ours('word').describe('`pending`, `approved`, `implemented` or `closed`.'),
  ...REVIEW_STATE,
  version: z.int().describe('The newest version.'),
  commentCount: z.int(),
  since: z
    .int()
    .describe('Send it as `since` to `wait_for_review` to get everything that happens from here on.'),
  next: ours('sentence'),
  ...PAGE_OUTPUT,
  reviews: z.array(Review).describe('Newest first.'),
  content: z.string().describe('The plan, or the part of it on this page, in Markdown.'),
  contentStart: z.int().optional().describe('Offset of `content` in the plan, in characters.'),
  contentLength: z.int().optional().describe('Length of the whole plan, in characters.'),
  repositories: z.array(Repository),
  pullRequests: z.array(PullRequest),
  versions: z.array(Version).describe('Newest first.'),
});

type PlanDetail = Operations['get-plan']['output'];

/** The parts of a plan, in the order of the reply; `shown` is the entry in the reply. */
type PlanPiece = Piece &
  (
    | { section: 'reviews'; shown: Omit<z.input<typeof Review>, 'note' | 'noteIsCut'> }
    | { section: 'content' }
    | { section: 'repositories'; shown: z.input<typeof Repository> }
    | { section: 'pullRequests'; shown: z.input<typeof PullRequest> }
    | { section: 'versions'; shown: z.input<typeof Version> }
  );
type Section = PlanPiece['section'];
type PieceOf<Name extends Section> = Extract<PlanPiece, { section: Name }>;

export const getPlan = defineTool({
  name: 'get_plan',
  title: 'Get a plan',
  description: {
    does: 'Read a plan: status, reviews (who approved or requested changes, with notes), text, repositories, pull requests and versions.',
    use: "to see whether a plan is approved, or to read notes or someone else's plan. For comments use `get_plan_comments`.",
    returns:
      'reviews first, then the text, then the rest. Only `reviewState` `approved` means that you may start: `implemented` says that a pull request is linked.',
    next: 'see `next` in the reply.',
  },
  operations: ['get-plan'],
  hints: READS,
  input: () => z.object({ planId: planReference(), ...PAGE_ARGUMENTS }),
  output: PlanReply,
  async run(given, context) {
    const opened = openPage('get_plan', given);
    const plan = await context.run('get-plan', { seriesId: given.planId });
    refuseOtherVersion(opened.pin, plan.version);
    return pagedReply(opened, {
      output: PlanReply,
      pieces: piecesOf(plan),
      pin: String(plan.version),
      render: (parts, end) => renderPlan(plan, parts, end),
    });
  },
});

function piecesOf(plan: PlanDetail): PlanPiece[] {
  return [
    ...plan.reviews.map(reviewPiece),
    { section: 'content', key: 'content', text: visible(plan.content) },
    ...plan.freshness.map(({ repoName, state }, index): PlanPiece => {
      const name = visible(repoName);
      const key = `repository:${index}`;
      return { section: 'repositories', key, text: name, atomic: true, shown: { name, state } };
    }),
    ...plan.pullRequests.map(({ prNumber, repoName }, index): PlanPiece => {
      const repository = repoName === null ? undefined : visible(repoName);
      const key = `pull_request:${index}`;
      const shown = { repository, prNumber };
      return { section: 'pullRequests', key, text: repository ?? '', atomic: true, shown };
    }),
    ...plan.versions.map(
      ({ author, createdAt, unchanged, version }): PlanPiece => ({
        section: 'versions',
        key: `version:${version}`,
        text: '',
        shown: { version, author: plainName(author.name), createdAt, unchanged },
      }),
    ),
  ];
}

function reviewPiece(review: PlanDetail['reviews'][number]): PlanPiece {
  const { createdAt, id, note, reviewer, verdict, version, withdrawnAt } = review;
  return {
    section: 'reviews',
    key: `review:${id}`,
    text: visible(note ?? ''),
    shown: {
      reviewer: plainName(reviewer.name),
      verdict,
      version,
      createdAt,
      withdrawnAt: withdrawnAt ?? undefined,
    },
  };
}

function renderPlan(
  plan: PlanDetail,
  parts: readonly Part<PlanPiece>[],
  end: PageEnd,
): Reply<typeof PlanReply> {
  const of = <Name extends Section>(section: Name) =>
    parts.filter((part): part is Part<PieceOf<Name>> => part.piece.section === section);
  const [content] = of('content');
  return {
    planId: plan.seriesId,
    url: plan.url,
    status: plan.status,
    ...presentReviewState(plan),
    version: plan.version,
    commentCount: plan.commentCount,
    since: plan.lastEvent,
    next: nextForPlan({ ...plan, hasPullRequest: plan.pullRequests.length > 0 }),
    more: moreSentence(end),
    nextCursor: end.nextCursor,
    reviews: of('reviews').map(({ piece, text }) => ({
      ...piece.shown,
      note: text,
      noteIsCut: text.length < piece.text.length || undefined,
    })),
    content: content?.text ?? '',
    contentStart: content?.start,
    contentLength: content?.piece.text.length,
    repositories: of('repositories').map(({ piece }) => piece.shown),
    pullRequests: of('pullRequests').map(({ piece }) => piece.shown),
    versions: of('versions').map(({ piece }) => piece.shown),
  };
}
