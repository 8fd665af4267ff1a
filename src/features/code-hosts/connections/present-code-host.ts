/** Code hosts as returned by the API: what works and what does not, and never a secret. */
import type { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { CodeHost, HostSelection } from '../contract.ts';
import { type ShownHostRow, selectShownHost } from './connection-store.ts';
import { checkHost } from './host-checks.ts';
import { type SelectionRow, selectSelections } from './selection-store.ts';
import { accountReturnUrl, webhookUrlOf } from './webhook-address.ts';

type Shown = z.input<typeof CodeHost>;

export interface Presenting {
  db: Db;
  baseUrl: string;
  clock: { now(): Date };
}

export async function presentCodeHosts(
  { baseUrl, clock, db }: Presenting,
  rows: ShownHostRow[],
): Promise<Shown[]> {
  const selections = await selectSelections(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: hostName(row),
    url: row.url,
    credentialKind: row.credential_kind ?? 'token',
    account: row.account_login,
    state: row.state,
    checks: checkHost(factsOf(row), clock.now()),
    updates: row.webhook_seen_at === null ? 'polling' : 'webhooks',
    webhookUrl: webhookUrlOf(baseUrl, row.id),
    installUrl: row.app_url === null ? null : `${row.app_url}/installations/new`,
    canSignIn: row.sign_in_client_id !== null,
    signInRedirectUrl: accountReturnUrl(baseUrl),
    repositoryCount: row.repository_count,
    selections: selections.filter(({ code_host_id }) => code_host_id === row.id).map(presentSelection),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }));
}

/** The host as it is now. */
export async function presentCodeHost(
  context: Presenting,
  organizationId: string,
  codeHostId: string,
): Promise<Shown> {
  const row = await selectShownHost(context.db, organizationId, codeHostId);
  return (await presentCodeHosts(context, [row!]))[0]!;
}

export function hostName({ name, url }: { name: string | null; url: string }): string {
  return name ?? new URL(url).host;
}

export function presentSelection(row: SelectionRow): z.input<typeof HostSelection> {
  return {
    id: row.id,
    pattern: row.pattern,
    includeNew: row.include_new,
    state: row.finished_at === null ? 'adding' : 'done',
    addedCount: row.added_count,
    problem: row.problem,
  };
}

function factsOf(row: ShownHostRow) {
  return {
    kind: row.kind,
    isApp: row.credential_kind === 'app',
    state: row.state,
    problem: row.problem,
    problemAt: row.problem_at,
    pausedUntil: row.paused_until,
    credentialExpiresAt: row.credential_expires_at,
    missing: (row.missing ?? []) as { permission: string; neededFor: string }[],
    checkedAt: row.credential_checked_at,
    webhookSeenAt: row.webhook_seen_at,
    repositoryCount: row.repository_count,
    webhookFailures: row.webhook_failures,
    webhookProblem: row.webhook_problem,
    accessFailures: row.access_failures,
    accessProblem: row.access_problem,
    statusesFailures: row.statuses_failures,
    statusesProblem: row.statuses_problem,
  };
}
