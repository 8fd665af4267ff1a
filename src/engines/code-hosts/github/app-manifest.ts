/** Creates a GitHub App by its manifest: a form that the browser posts to GitHub, and the exchange of the code that comes back. */
import type { HostClient } from '../host-client.ts';
import type { AppManifestRequest, GitHubApp } from '../port.ts';
import { readReply } from '../read-reply.ts';
import type { GitHubAddresses } from './addresses.ts';
import { createdAppShape } from './shapes.ts';
import { GITHUB_APP_EVENTS } from './webhooks.ts';

/** Permissions that the App requests, with the reason. `describe` compares an installation with them. */
export const APP_PERMISSIONS: Record<string, { access: 'read' | 'write'; neededFor: string }> = {
  metadata: { access: 'read', neededFor: 'listing repositories and who can read them' },
  contents: { access: 'read', neededFor: 'fetching code' },
  pull_requests: { access: 'write', neededFor: 'reading pull requests, replying, resolving and reviewing' },
  checks: {
    access: 'write',
    neededFor: 'showing the result of a review on the commit, and reading checks of others',
  },
  statuses: { access: 'read', neededFor: 'reading commit statuses that others set' },
  members: { access: 'read', neededFor: 'knowing who is in teams, and when they change' },
};

const MAX_NAME_LENGTH = 34;

export function buildAppManifest(
  request: AppManifestRequest,
  { web }: GitHubAddresses,
): { action: string; manifest: string } {
  const { homeUrl, organization, redirectUrl, signInUrl, state, webhookUrl } = request;
  const owner = organization === null ? '' : `/organizations/${encodeURIComponent(organization)}`;
  const permissions = Object.entries(APP_PERMISSIONS).map(([name, { access }]) => [name, access] as const);
  const manifest = {
    name: request.name.slice(0, MAX_NAME_LENGTH),
    url: homeUrl,
    hook_attributes: { url: webhookUrl, active: true },
    redirect_url: redirectUrl,
    callback_urls: [signInUrl],
    public: false,
    default_permissions: Object.fromEntries(permissions),
    // Events about installations are always sent.
    default_events: [...GITHUB_APP_EVENTS],
  };
  return {
    action: `${web}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`,
    manifest: JSON.stringify(manifest),
  };
}

export async function exchangeManifestCode(
  client: HostClient,
  prefix: string,
  code: string,
): Promise<GitHubApp> {
  const { json } = await client({
    method: 'POST',
    path: `${prefix}/app-manifests/${encodeURIComponent(code)}/conversions`,
  });
  const app = readReply(createdAppShape, json, 'the new App');
  return {
    appId: String(app.id),
    slug: app.slug,
    name: app.name,
    url: app.html_url,
    privateKey: app.pem,
    webhookSecret: app.webhook_secret ?? '',
    clientId: app.client_id,
    clientSecret: app.client_secret,
  };
}
