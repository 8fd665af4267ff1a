import { describe, expect, it } from 'vitest';
import { checkHost, type HostFacts } from './host-checks.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const FINE: HostFacts = {
  kind: 'gitea',
  isApp: false,
  state: 'working',
  problem: null,
  problemAt: null,
  pausedUntil: null,
  credentialExpiresAt: null,
  missing: [],
  checkedAt: NOW,
  webhookSeenAt: NOW,
  repositoryCount: 3,
  webhookFailures: 0,
  webhookProblem: null,
  accessFailures: 0,
  accessProblem: null,
  statusesFailures: 0,
  statusesProblem: null,
};
const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 60 * 60_000);
const troubles = (facts: Partial<HostFacts>) =>
  checkHost({ ...FINE, ...facts }, NOW).filter(({ state }) => state !== 'ok');

describe('the checks of a host', () => {
  it('find nothing wrong when everything works', () => {
    expect(troubles({})).toEqual([]);
  });

  it.each<[string, Partial<HostFacts>, string, 'problem' | 'warning', RegExp]>([
    [
      'unreachable',
      { state: 'unreachable', problemAt: NOW },
      'connection',
      'problem',
      /since 2026-11-15 12:00/,
    ],
    [
      'rate limited',
      { state: 'rate_limited', pausedUntil: NOW },
      'connection',
      'warning',
      /until 2026-11-15/,
    ],
    ['refused', { state: 'unauthorized' }, 'credential', 'problem', /refused the credential/],
    ['expiring', { credentialExpiresAt: inDays(6) }, 'credential', 'warning', /expires in 6 days/],
    ['expiring tomorrow', { credentialExpiresAt: inDays(1) }, 'credential', 'warning', /in 1 day\./],
    ['expired', { credentialExpiresAt: inDays(-1) }, 'credential', 'problem', /has expired/],
    [
      'missing permission',
      { missing: [{ permission: 'repo', neededFor: 'reviews' }] },
      'permissions',
      'problem',
      /repo \(for reviews\)/,
    ],
    ['no webhook yet', { webhookSeenAt: null }, 'webhooks', 'warning', /No webhook has arrived/],
    ['webhook refused', { webhookFailures: 2 }, 'webhooks', 'warning', /2 repositories/],
    ['nothing added', { repositoryCount: 0 }, 'repositories', 'warning', /No repositories/],
    ['statuses unknown', { statusesFailures: 2 }, 'statuses', 'warning', /CI in 2 repositories/],
    ['readers unknown', { accessFailures: 1 }, 'access', 'problem', /1 private repository/],
  ])('%s: says what and how to fix it', (_, facts, name, state, message) => {
    expect(troubles(facts)).toEqual([
      { name, state, message: expect.stringMatching(message), fix: expect.any(String) },
    ]);
  });

  it('do not mention a token that expires in a month', () => {
    expect(troubles({ credentialExpiresAt: inDays(30) })).toEqual([]);
  });
});
