/** Describes what works with a code host and what does not, each with advice. Pure. */
import type { z } from 'zod';
import type { HostKind } from '../../../engines/code-hosts/index.ts';
import type { HostCheck } from '../contract.ts';

export type Check = z.input<typeof HostCheck>;

export interface HostFacts {
  kind: HostKind;
  isApp: boolean;
  state: 'working' | 'rate_limited' | 'unreachable' | 'unauthorized';
  problem: string | null;
  problemAt: Date | null;
  pausedUntil: Date | null;
  credentialExpiresAt: Date | null;
  missing: { permission: string; neededFor: string }[];
  checkedAt: Date | null;
  webhookSeenAt: Date | null;
  repositoryCount: number;
  /** Repositories whose webhook could not be created, and why. */
  webhookFailures: number;
  webhookProblem: string | null;
  /** Private repositories whose readers can't be read, and why. */
  accessFailures: number;
  accessProblem: string | null;
  /** Repositories whose statuses can't all be read, and why. */
  statusesFailures: number;
  statusesProblem: string | null;
}

const DAY_MS = 24 * 60 * 60_000;
const EXPIRES_SOON_DAYS = 14;

/** Where to create a new credential. */
const NEW_CREDENTIAL: Record<HostKind, string> = {
  github: 'Create a new token on GitHub under Settings → Developer settings, then replace it here.',
  gitlab: 'Create a new token on GitLab under Preferences → Access tokens, then replace it here.',
  gitea: 'Create a new token on Gitea under Settings → Applications, then replace it here.',
};

export function checkHost(facts: HostFacts, now: Date): Check[] {
  return [
    connectionCheck(facts),
    credentialCheck(facts, now),
    permissionsCheck(facts),
    webhooksCheck(facts),
    repositoriesCheck(facts),
    accessCheck(facts),
    statusesCheck(facts),
  ].filter((check) => check !== null);
}

function connectionCheck({ pausedUntil, problem, problemAt, state }: HostFacts): Check {
  if (state === 'unreachable') {
    return {
      name: 'connection',
      state: 'problem',
      message: `The host has been unreachable since ${timeText(problemAt)}.${problem === null ? '' : ` ${problem}`}`,
      fix: 'Check that the host is running, and that this service can reach it through firewalls and proxies. The service keeps trying.',
    };
  }
  if (state === 'rate_limited') {
    return {
      name: 'connection',
      state: 'warning',
      message: `The host's rate limit is used up until ${timeText(pausedUntil)}.`,
      fix: 'Nothing to do: work continues then. If it happens often, use a separate account for this service.',
    };
  }
  return { name: 'connection', state: 'ok', message: 'The host answers.', fix: null };
}

function credentialCheck({ credentialExpiresAt, isApp, kind, state }: HostFacts, now: Date): Check {
  if (state === 'unauthorized') {
    return {
      name: 'credential',
      state: 'problem',
      message: 'The host refused the credential. All work with this host has stopped.',
      fix: isApp
        ? 'Check on GitHub that the App still exists and is installed. If it was deleted, disconnect this host and connect it again.'
        : NEW_CREDENTIAL[kind],
    };
  }
  if (credentialExpiresAt !== null) {
    const days = Math.ceil((credentialExpiresAt.getTime() - now.getTime()) / DAY_MS);
    if (days <= EXPIRES_SOON_DAYS) {
      return {
        name: 'credential',
        state: days <= 0 ? 'problem' : 'warning',
        message: days <= 0 ? 'The token has expired.' : `The token expires in ${countOf(days, 'day')}.`,
        fix: NEW_CREDENTIAL[kind],
      };
    }
  }
  return { name: 'credential', state: 'ok', message: 'The host accepts the credential.', fix: null };
}

function permissionsCheck({ checkedAt, isApp, missing, state }: HostFacts): Check | null {
  if (checkedAt === null || state === 'unauthorized') return null;
  if (missing.length === 0) {
    return { name: 'permissions', state: 'ok', message: 'No missing permissions.', fix: null };
  }
  const list = missing.map(({ neededFor, permission }) => `${permission} (for ${neededFor})`);
  return {
    name: 'permissions',
    state: 'problem',
    message: `Missing: ${list.join('; ')}.`,
    fix: isApp
      ? "Open the App's page on GitHub, install it or accept its new permissions, then test again."
      : 'Give the token these permissions, or create a new token with them and replace it here.',
  };
}

function webhooksCheck(facts: HostFacts): Check | null {
  const { repositoryCount, webhookFailures, webhookProblem, webhookSeenAt } = facts;
  if (repositoryCount === 0) return null;
  const polling = 'The service asks the host regularly instead, so changes appear a few minutes later.';
  if (webhookFailures > 0) {
    return {
      name: 'webhooks',
      state: 'warning',
      message: `No webhook could be created for ${countOf(webhookFailures, 'repository', 'repositories')}: ${webhookProblem ?? 'the host refused it.'} ${polling}`,
      fix: 'Give the credential permission to manage webhooks, or add the webhook on the host yourself with the webhook URL below.',
    };
  }
  if (webhookSeenAt === null) {
    return {
      name: 'webhooks',
      state: 'warning',
      message: `No webhook has arrived yet. ${polling}`,
      fix: 'If there was activity on the host, check the list of recent deliveries there, and that the host can reach the webhook URL below. Behind a firewall, polling is fine.',
    };
  }
  return {
    name: 'webhooks',
    state: 'ok',
    message: `Webhooks arrive; the latest at ${timeText(webhookSeenAt)}.`,
    fix: null,
  };
}

function repositoriesCheck({ repositoryCount }: HostFacts): Check | null {
  if (repositoryCount > 0) return null;
  return {
    name: 'repositories',
    state: 'warning',
    message: 'No repositories were added yet.',
    fix: 'Choose the repositories to review here.',
  };
}

function accessCheck({ accessFailures, accessProblem }: HostFacts): Check | null {
  if (accessFailures === 0) return null;
  return {
    name: 'access',
    state: 'problem',
    message: `The service can't read who can see ${countOf(accessFailures, 'private repository', 'private repositories')}: ${accessProblem ?? 'the host refused it.'} Members who were not confirmed can't see them.`,
    fix: 'Give the credential admin access to these repositories on the host, or make them visible to the whole organization here.',
  };
}

function statusesCheck({ isApp, kind, statusesFailures, statusesProblem }: HostFacts): Check | null {
  if (statusesFailures === 0) return null;
  const advice = {
    github:
      'Give the token permission to read commit statuses. Fine-grained tokens can’t read check runs, and so no results of GitHub Actions: connect a GitHub App, or use a classic token with the scope repo.',
    gitlab: 'Let the account of the token see CI/CD in the settings of these projects.',
    gitea: 'Give the token the scope repository: read and write, and its account access to the code.',
  };
  return {
    name: 'statuses',
    state: 'warning',
    message: `Results of CI in ${countOf(statusesFailures, 'repository', 'repositories')} are not all shown: ${statusesProblem ?? 'the host refused it.'} Merge rules that require them are not met.`,
    fix: isApp
      ? "Accept the App's new permissions on GitHub (Commit statuses and Checks), then test again."
      : advice[kind],
  };
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function timeText(time: Date | null): string {
  return time === null ? 'an unknown time' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
