/** Who the service is on GitHub, and what its credential lacks. */
import type { HostReply } from '../host-client.ts';
import type { Account, Capabilities, HostDescription } from '../port.ts';
import { readReply } from '../read-reply.ts';
import type { GitHubAccess } from './access.ts';
import { APP_PERMISSIONS } from './app-manifest.ts';
import { accountOf } from './read.ts';
import { appShape, userShape } from './shapes.ts';
import { GITHUB_APP_EVENTS } from './webhooks.ts';

export function githubCapabilities(isApp: boolean): Capabilities {
  return { threads: true, resolve: true, checks: isApp, suggestions: true, fileComments: true };
}

export async function describeGitHub(access: GitHubAccess, prefix: string): Promise<HostDescription> {
  return access.isApp ? await describeApp(access, prefix) : await describeToken(access, prefix);
}

async function describeApp(access: GitHubAccess, prefix: string): Promise<HostDescription> {
  const reply = await access.self({ path: `${prefix}/app` });
  const app = readReply(appShape, reply.json, 'the App');
  const installations = await access.installations();
  const missing = [
    ...lacking(app.permissions, 'the App'),
    ...installations.flatMap(({ account, permissions }) =>
      lacking(permissions, `the installation of ${account?.login ?? 'a deleted account'}`).filter(
        ({ name }) => !lacking(app.permissions, '').some((ofApp) => ofApp.name === name),
      ),
    ),
  ].map(({ neededFor, permission }) => ({ permission, neededFor }));
  const unheard = app.events ? GITHUB_APP_EVENTS.filter((event) => !app.events!.includes(event)) : [];
  if (unheard.length > 0)
    missing.push({
      permission: `webhook events of the App: ${unheard.join(', ')}`,
      neededFor: 'showing changes at once',
    });
  if (installations.length === 0)
    missing.push({ permission: 'an installation', neededFor: 'reading any repository' });
  return {
    account: await botAccount(access, prefix, app.slug),
    scopes: Object.entries(app.permissions).map(([name, level]) => `${name}:${level}`),
    expiresAt: null,
    version: versionOf(reply),
    missing,
    can: githubCapabilities(true),
  };
}

/** Permissions that the App requests and `given` lacks. */
function lacking(given: Record<string, string | null | undefined>, where: string) {
  return Object.entries(APP_PERMISSIONS)
    .filter(
      ([name, { access }]) => given[name] !== access && given[name] !== 'write' && given[name] !== 'admin',
    )
    .map(([name, { access, neededFor }]) => ({
      name,
      permission: `${name}: ${access} (${where})`,
      neededFor,
    }));
}

/** The account under which an App's comments appear. */
async function botAccount(access: GitHubAccess, prefix: string, slug: string): Promise<Account> {
  const login = `${slug}[bot]`;
  const [installation] = await access.installations();
  if (!installation) return { id: login, login, name: slug, bot: true };
  const client = access.installationClient(installation);
  const { json } = await client({ path: `${prefix}/users/${encodeURIComponent(login)}` });
  return accountOf(readReply(userShape, json, 'the account of the App'));
}

async function describeToken(access: GitHubAccess, prefix: string): Promise<HostDescription> {
  const reply = await access.self({ path: `${prefix}/user` });
  // Only classic tokens say their scopes.
  const header = reply.headers['x-oauth-scopes'];
  const scopes = typeof header === 'string' ? header.split(/,\s*/).filter((scope) => scope !== '') : [];
  const missing =
    typeof header !== 'string' || scopes.includes('repo')
      ? []
      : [{ permission: 'repo', neededFor: 'reading private repositories and writing reviews' }];
  if (typeof header === 'string' && !scopes.some((scope) => /^(admin|write):repo_hook$|^repo$/.test(scope)))
    missing.push({ permission: 'write:repo_hook', neededFor: 'creating webhooks' });
  if (typeof header === 'string' && !scopes.some((scope) => /^(read|write|admin):org$/.test(scope)))
    missing.push({
      permission: 'read:org',
      neededFor: 'knowing who can read private repositories of organizations',
    });
  return {
    account: accountOf(readReply(userShape, reply.json, 'the account')),
    scopes,
    expiresAt: expirationOf(reply),
    version: versionOf(reply),
    missing,
    can: githubCapabilities(false),
  };
}

/** `2026-12-24 10:30:00 UTC` or `… +0100`. */
function expirationOf({ headers }: HostReply): Date | null {
  const text = headers['github-authentication-token-expiration'];
  const date =
    typeof text === 'string' ? new Date(text.replace(/^(\S+) (\S+) /, '$1T$2').replace(/ ?UTC$/, 'Z')) : null;
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

function versionOf({ headers }: HostReply): string | null {
  const version = headers['x-github-enterprise-version'];
  return typeof version === 'string' ? version : null;
}
