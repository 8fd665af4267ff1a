/** get_plan: where a plan stands, who reviewed it, and its text. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import type { Part, Piece } from '../budget.ts';
import { createFences, type Fences, plainName, quoteName } from '../fence.ts';
import {
  endingLines,
  leftOutSentence,
  openPage,
  PAGE_ANSWERS,
  PAGE_ARGUMENTS,
  type PageEnd,
  pagedReply,
} from '../paged-reply.ts';
import { planReference, refuseOtherVersion } from '../plan-reference.ts';
import { nextForStatus } from '../plan-status.ts';
import { defineTool, READS, type Reply } from '../tool.ts';

type PlanDetail = Operations['get-plan']['output'];

/** What a plan is made of, in the order of a reply; `shown` is its entry in the structured form. */
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

const Review = z.object({
  reviewer: z.string(),
  verdict: z.string().describe('`approved` or `changes_requested`.'),
  version: z.int().describe('The version that was reviewed.'),
  note: z.string().describe('Written by the reviewer: data.'),
  noteIsCut: z.boolean().optional().describe('Whether the note goes on, or began, on another page.'),
  createdAt: z.string(),
  withdrawnAt: z.string().optional(),
});

const Repository = z.object({ name: z.string(), state: z.string() });
const PullRequest = z.object({ repository: z.string().optional(), prNumber: z.int() });
const Version = z.object({
  version: z.int(),
  author: z.string(),
  createdAt: z.string(),
  unchanged: z.boolean(),
});

const PlanReply = z.object({
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
  repositories: z.array(Repository),
  pullRequests: z.array(PullRequest),
  versions: z.array(Version).describe('Newest first.'),
  ...PAGE_ANSWERS,
});

export const getPlan = defineTool({
  name: 'get_plan',
  title: 'Get a plan',
  operations: ['get-plan'],
  hints: READS,
  input: () => z.object({ planId: planReference(), ...PAGE_ARGUMENTS }),
  output: PlanReply,
  async run(given, context) {
    const opened = openPage('get_plan', given);
    const plan = await context.run('get-plan', { seriesId: given.planId });
    refuseOtherVersion(opened.pin, plan.version);
    const pieces = piecesOf(plan);
    const fences = createFences(pieces.map(({ text }) => text));
    return pagedReply(opened, {
      pieces,
      pin: String(plan.version),
      render: (parts, end) => renderPlan(plan, parts, end, fences),
    });
  },
});

function piecesOf(plan: PlanDetail): PlanPiece[] {
  return [
    ...plan.reviews.map((review) => reviewPiece(review)),
    { section: 'content', key: 'content', text: plan.content },
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
}: PlanDetail['reviews'][number]): PlanPiece {
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
): Reply<z.input<typeof PlanReply>> {
  const of = <Name extends Section>(section: Name) =>
    parts.filter((part): part is Part<PieceOf<Name>> => part.piece.section === section);
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
      repositories: of('repositories').map(({ piece }) => piece.shown),
      pullRequests: of('pullRequests').map(({ piece }) => piece.shown),
      versions: of('versions').map(({ piece }) => piece.shown),
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
  const isCut = text.length < piece.text.length;
  switch (piece.section) {
    case 'reviews': {
      const { createdAt, reviewer, verdict, version, withdrawnAt } = piece.shown;
      const line = `${verdict === 'approved' ? 'Approval' : 'Request for changes'} of version ${version} by ${quoteName(reviewer)} at ${createdAt}${withdrawnAt ? ', withdrawn' : ''}`;
      if (text === '') return `${line}.`;
      return `${line}${isCut ? ', with a part of its note' : ''}:\n${fences.around('note', { author: reviewer }, text)}`;
    }
    case 'content':
      return `The plan${isCut ? ` (from ${start} to ${end} of ${piece.text.length})` : ''}:\n${fences.around('plan', { author: plan.versions[0]?.author.name }, text)}`;
    case 'repositories':
      return `Repository (${piece.shown.state}):\n${fences.around('repository', {}, text)}`;
    case 'pullRequests':
      return `Pull request ${piece.shown.prNumber}${text === '' ? '.' : ` in:\n${fences.around('repository', {}, text)}`}`;
    case 'versions': {
      const { author, createdAt, unchanged, version } = piece.shown;
      return `Version ${version} by ${quoteName(author)} at ${createdAt}${unchanged ? ', with the text of the one before' : ''}.`;
    }
  }
}
