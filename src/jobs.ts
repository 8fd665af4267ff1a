/** All background work. `nodeJobs` run on every node, the others on nodes with the role `worker`. */
import { accountJobs } from './features/accounts/jobs.ts';
import { architectureJobs } from './features/architecture/jobs.ts';
import { auditJobs } from './features/audit/jobs.ts';
import { codeHostJobs } from './features/code-hosts/jobs.ts';
import { discussionJobs } from './features/discussions/jobs.ts';
import { imageJobs } from './features/images/jobs.ts';
import { inboxJobs } from './features/inbox/jobs.ts';
import { mailJobs } from './features/mail/jobs.ts';
import { mirrorJobs, mirrorNodeJobs } from './features/mirrors/jobs.ts';
import { oauthJobs } from './features/oauth/jobs.ts';
import { plannerEventJobs } from './features/planner-events/jobs.ts';
import { planJobs } from './features/plans/jobs.ts';
import { privacyJobs } from './features/privacy/jobs.ts';
import { pullRequestJobs } from './features/pull-requests/jobs.ts';
import { trialJobs } from './features/review-trials/jobs.ts';
import { reviewJobs } from './features/reviews/jobs.ts';
import { singleSignOnJobs } from './features/single-sign-on/jobs.ts';
import { watchingJobs } from './features/watching/jobs.ts';
import { webhookJobs } from './features/webhooks/jobs.ts';
import { backupJobs } from './platform/backup/jobs.ts';
import { idempotencyJobs } from './platform/idempotency/jobs.ts';

export const nodeJobs = mirrorNodeJobs;

export const jobs = [
  ...accountJobs,
  ...oauthJobs,
  ...idempotencyJobs,
  ...inboxJobs,
  ...imageJobs,
  ...plannerEventJobs,
  ...auditJobs,
  ...privacyJobs,
  ...singleSignOnJobs,
  ...backupJobs,
  ...webhookJobs,
  ...watchingJobs,
  ...mailJobs,
  ...planJobs,
  ...pullRequestJobs,
  ...discussionJobs,
  ...reviewJobs,
  ...trialJobs,
  ...architectureJobs,
  ...mirrorJobs,
  ...codeHostJobs,
];
