/** The reply that both servers of P1 send: as large as the reviewer configuration of a small organization. */

export const SAMPLE_REPLY = {
  excludedConfig: ['web', 'api', 'infrastructure'].map((name, index) => ({
    repoName: `acme/${name}`,
    paths: ['dist/**', '**/*.generated.ts', 'vendor/**'],
    repoId: `0198c1f2-7a3b-7c4d-8e5f-00000000000${index}`,
  })),
  orgConfig: [
    'review_draft_pull_requests',
    'review_on_every_push',
    'review_only_on_request',
    're_review_after_resolution',
    'auto_resolve_addressed',
    'auto_approve_clean',
    'generate_description',
    'planner',
    'self_approval',
  ].map((key, index) => ({
    key,
    configurationId: `0198c1f2-7a3b-7c4d-8e5f-10000000000${index}`,
    enabled: index % 2 === 0,
    configurationMetadata: {},
  })),
};
