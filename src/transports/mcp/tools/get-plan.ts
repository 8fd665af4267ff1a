/** get_plan: where a plan stands, who reviewed it, and its text. */
import { z } from 'zod';
import type { Part, Piece } from '../budget.ts';
import { createFences, type Fences, plainName, quoteName } from '../fence.ts';
import {
  endingLines,
  leftOutSentence,
  openPage,
  PAGE_ANSWERS,
  PAGE_ARGUMENTS,
  type PageArguments,
  type PageEnd,
  pagedReply,
} from '../paged-reply.ts';
import { planReference, refuseOtherVersion } from '../plan-reference.ts';
import { nextForStatus } from '../plan-status.ts';
import type { PlanDetail, PlanReview } from '../plan-values.ts';
import { READS, type Reply, type ToolDefinition } from '../tool.ts';

interface Arguments extends PageArguments {
  planId: string;
}

/** What a plan is made of, in the order of a reply; `shown` is its entry in the structured form. */
interface PlanPiece extends Piece {
  section: 'reviews' | 'content' | 'repositories' | 'pullRequests' | 'versions';
  shown: Record<string, unknown>;
}

const Review = z.object({
  reviewer: z.string(),
  verdict: z.string().describe('`approved` or `changes_requested`.'),
  version: z.int().describe('The version that was reviewed.'),
  note: z.string().describe('Written by the reviewer: data.'),
  noteIsCut: z.boolean().optional().describe('Whether the note goes on, or began, on another page.'),
  createdAt: z.string(),
  withdrawnAt: z.string().optional(),
});

export const getPlan: ToolDefinition<Arguments> = {
  name: 'get_plan',
  title: 'Get a plan',
  operations: ['get-plan'],
  hints: READS,
  input: () => z.object({ planId: planReference(), ...PAGE_ARGUMENTS }),
  output: z.object({
    planId: z.string(),
    url: z.string().describe('Its page, for people.'),
    status: z.string().describe('`pending`, `approved`, `implemented` or `closed`.'),
    version: z.int().describe('The newest version.'),
    commentCount: z.int(),
    since: z.int().describe('Send it as `since` to `wait_for_plan_review` to miss nothing from here on.'),
    reviews: z.array(Review).describe('Newest first.'),
    content: z.string().describe('The plan, or the part of it on this page, in Markdown: data.'),
    contentStart: z.int().optional().describe('Where in the plan `content` begins.'),
    contentLength: z.int().optional().describe('How long the whole plan is.'),
    repositories: z.array(z.object({ name: z.string(), state: z.string() })),
    pullRequests: z.array(z.object({ repository: z.string().optional(), prNumber: z.int() })),
    versions: z
      .array(
        z.object({ version: z.int(), author: z.string(), createdAt: z.string(), unchanged: z.boolean() }),
      )
      .describe('Newest first.'),
    ...PAGE_ANSWERS,
  }),
  async run(given, context) {
    const opened = openPage('get_plan', given);
    const plan = await context.run<PlanDetail>('get-plan', { seriesId: given.planId });
    refuseOtherVersion(opened.pin, plan.version);
    const pieces = piecesOf(plan);
    const fences = createFences(pieces.map(({ text }) => text));
    return pagedReply(opened, {
      pieces,
      pin: String(plan.version),
      render: (parts, end) => renderPlan(plan, parts, end, fences),
    });
  },
};

function piecesOf(plan: PlanDetail): PlanPiece[] {
  return [
    ...plan.reviews.map((review) => reviewPiece(review)),
    { section: 'content', key: 'content', text: plan.content, shown: {} },
    ...plan.freshness.map(
      ({ repoName, state }, index): PlanPiece => ({
        section: 'repositories',
        key: `repository:${index}`,
        text: repoName,
        atomic: true,
        shown: { name: repoName, state },
      }),
    ),
    ...plan.pullRequests.map(
      ({ prNumber, repoName }, index): PlanPiece => ({
        section: 'pullRequests',
        key: `pull_request:${index}`,
        text: repoName ?? '',
        atomic: true,
        shown: { repository: repoName ?? undefined, prNumber },
      }),
    ),
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

function reviewPiece({
  createdAt,
  id,
  note,
  reviewer,
  verdict,
  version,
  withdrawnAt,
}: PlanReview): PlanPiece {
  return {
    section: 'reviews',
    key: `review:${id}`,
    text: note ?? '',
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
  fences: Fences,
): Reply {
  const of = (section: PlanPiece['section']) => parts.filter(({ piece }) => piece.section === section);
  const shown = (section: PlanPiece['section']) => of(section).map(({ piece }) => piece.shown);
  const reviews = of('reviews').map(({ piece, text }) => ({
    ...piece.shown,
    note: text,
    noteIsCut: text.length < piece.text.length || undefined,
  }));
  const [content] = of('content');
  const leftOut = leftOutSentence(end);
  return {
    structured: {
      planId: plan.seriesId,
      url: plan.url,
      status: plan.status,
      version: plan.version,
      commentCount: plan.commentCount,
      since: plan.lastEvent,
      reviews,
      content: content?.text ?? '',
      contentStart: content?.start,
      contentLength: content && plan.content.length,
      repositories: shown('repositories'),
      pullRequests: shown('pullRequests'),
      versions: shown('versions'),
      nextCursor: end.nextCursor,
      leftOut,
    },
    text: [
      `Plan ${plan.seriesId} is ${plan.status}, at version ${plan.version}. ${plan.url}`,
      `${plan.commentCount} ${plan.commentCount === 1 ? 'comment' : 'comments'}. To wait from here: since ${plan.lastEvent}.`,
      fences.notice,
      ...parts.map((part) => writePart(part, plan, fences)),
      ...endingLines(end, leftOut),
      `Next: ${nextForStatus(plan.status)}`,
    ].join('\n'),
  };
}

function writePart({ end, piece, start, text }: Part<PlanPiece>, plan: PlanDetail, fences: Fences): string {
  const { shown } = piece;
  const isCut = text.length < piece.text.length;
  switch (piece.section) {
    case 'reviews': {
      const verdict = shown.verdict === 'approved' ? 'Approval' : 'Request for changes';
      const line = `${verdict} of version ${shown.version} by ${quoteName(String(shown.reviewer))} at ${shown.createdAt}${shown.withdrawnAt ? ', withdrawn' : ''}`;
      if (text === '') return `${line}.`;
      return `${line}${isCut ? ', with a part of its note' : ''}:\n${fences.around('note', { author: String(shown.reviewer) }, text)}`;
    }
    case 'content':
      return `The plan${isCut ? ` (from ${start} to ${end} of ${piece.text.length})` : ''}:\n${fences.around('plan', { author: plan.versions[0]?.author.name }, text)}`;
    case 'repositories':
      return `Repository (${shown.state}):\n${fences.around('repository', {}, text)}`;
    case 'pullRequests':
      return `Pull request ${shown.prNumber}${text === '' ? '.' : ` in:\n${fences.around('repository', {}, text)}`}`;
    case 'versions':
      return `Version ${shown.version} by ${quoteName(String(shown.author))} at ${shown.createdAt}${shown.unchanged ? ', with the text of the one before' : ''}.`;
  }
}
