/** GET /api/v2/reviewer/config (endpoint 1): the organization's settings, and the paths that reviews skip. */
import { defineOperation } from '../../context.ts';
import { GetReviewerConfigInput, ReviewerConfig } from './contract.ts';
import { createConfigReader } from './read-config.ts';

export const getReviewerConfig = defineOperation({
  name: 'get-reviewer-config',
  group: 'Reviewers',
  summary: 'Get the configuration of reviews',
  description:
    'The settings of the organization, and the excluded paths of the repositories that you can see.',
  http: { method: 'GET', path: '/api/v2/reviewer/config', status: 200 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'viewer',
  input: GetReviewerConfigInput,
  output: ReviewerConfig,
  problems: [],
  example: {
    request: {},
    reply: {
      excludedConfig: [
        {
          repoName: 'acme/api',
          paths: ['vendor/', '*.generated.ts'],
          repoId: '0199a8f2-6b3c-7d41-9e52-1f0c7a9b4e10',
        },
      ],
      orgConfig: [
        {
          key: 'review_on_every_push',
          configurationId: '0199a8f2-6b3c-7d41-9e52-1f0c7a9b4e11',
          enabled: true,
          configurationMetadata: { repositories: ['acme/api'], maxLines: 2000 },
        },
      ],
    },
  },
  run: ({ actor, state }) => state.of(createConfigReader).read(actor),
});
