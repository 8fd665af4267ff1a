/** Fills an empty service with the data of a believable team. The demo and the screenshots show the same. */
import { withDatabase } from '../../src/commands/serve/open-database.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/platform/core/telemetry/log.ts';
import { type DemoAgents, makeDemoAgents } from './agents.ts';
import { backdate } from './backdate.ts';
import type { DemoOrganization } from './organization.ts';
import { type DemoPlans, makeDemoPlans } from './plans.ts';
import { type DemoPullRequests, makeDemoPullRequests } from './pull-requests.ts';
import { makeDemoRepositories } from './repositories.ts';
import { makeDemoReviewers, tryDemoReviewer } from './reviewers.ts';
import { DAY, MINUTE, type Story } from './story.ts';

/** Settings that the service needs to be filled. */
export const DEMO_SETTINGS = {
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT: 'off',
  ALLOW_PRIVATE_ADDRESSES: 'true',
  ALLOW_LOCAL_REPOSITORIES: 'true',
};

export interface Demo {
  /** An API key of the owner. */
  key: string;
  plans: DemoPlans;
  /** The ids of the repositories by name. */
  repositories: Record<string, string>;
  /** The id of the reviewer with rules. */
  reviewer: string;
  pullRequests: DemoPullRequests;
  agents: DemoAgents;
}

export interface DemoService {
  url: string;
  dataDir: string;
  /** For the origins of the repositories. */
  folder: string;
  stopped: AbortSignal;
}

export async function fillDemo(
  { dataDir, folder, stopped, url }: DemoService,
  { owner, people }: DemoOrganization,
  story: Story,
): Promise<Demo> {
  const now = new Date();
  await story.at(35 * DAY);
  const repositories = await makeDemoRepositories(people, folder, now);
  const [reviewer, plans, pullRequests] = await story.tell(
    (chapter) => makeDemoReviewers(people, chapter),
    (chapter) => makeDemoPlans(people, chapter),
    (chapter) => makeDemoPullRequests(people, repositories, chapter, now),
  );
  await story.at(5 * MINUTE);
  await tryDemoReviewer(people, reviewer);
  const agents = await makeDemoAgents(url, owner);
  const { secret } = await people.people.send(people.ada, 'POST', '/api/v2/api-keys', { name: 'Demo' });
  const config = readConfig({ DATA_DIR: dataDir });
  const log = createLog({ level: 'error', terminal: false, destination: 'stderr' });
  await withDatabase({ config, log, stopped }, (db) => backdate(db, story, now));
  return { key: secret, plans, repositories: repositories.ids, reviewer, pullRequests, agents };
}
