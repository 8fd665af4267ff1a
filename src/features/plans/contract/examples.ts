/** The examples in the API reference for the plan endpoints that accept an API key. */
import type { z } from 'zod';
import type { Plan, PlanComment } from '../contract.ts';

export const EXAMPLE_IDS = {
  series: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
  version: '0198c1f2-8b4c-7d5e-9f60-123456789abc',
  comment: '0198c1f3-0a1b-7c2d-8e3f-456789abcdef',
  person: '0198c0a0-1b2c-7d3e-8f40-56789abcdef0',
  repository: '0198c0b0-2c3d-7e4f-9051-6789abcdef01',
  pullRequest: '0198c0c0-3d4e-7f50-a162-789abcdef012',
} as const;

export const EXAMPLE_PLAN: z.input<typeof Plan> = {
  seriesId: EXAMPLE_IDS.series,
  seriesKey: EXAMPLE_IDS.series,
  versionId: EXAMPLE_IDS.version,
  version: 1,
  title: 'Retry failed deliveries',
  status: 'pending',
  reviewState: 'awaiting_review',
  content: '# Retry failed deliveries\n\nRetry with exponential backoff, at most eight times.',
  agentVendor: 'claude-code',
  modelId: null,
  tokensUsed: { input_tokens: 18_204, output_tokens: 2_411 },
  repoNames: ['acme/api'],
  repoIds: [EXAMPLE_IDS.repository],
  repos: [{ repoId: EXAMPLE_IDS.repository, repoName: 'acme/api' }],
  pullRequests: [],
  createdBy: { id: EXAMPLE_IDS.person, name: 'Ada Lovelace' },
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
  url: `https://review.example.com/plans/${EXAMPLE_IDS.series}`,
};

export const EXAMPLE_COMMENT: z.input<typeof PlanComment> = {
  id: EXAMPLE_IDS.comment,
  versionId: EXAMPLE_IDS.version,
  parentId: null,
  body: 'Add jitter, or all clients retry at the same moment.',
  authorName: 'Grace Hopper',
  anchor: 'Retry with exponential backoff',
  triageState: null,
  createdAt: '2026-01-31T12:05:00.000Z',
};
