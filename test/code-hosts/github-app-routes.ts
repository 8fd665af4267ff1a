/** The routes of the fake GitHub for Apps: their manifest, installations and tokens. */
import { GITHUB_APP_EVENTS } from '../../src/engines/code-hosts/github/webhooks.ts';
import { FakeRefusal, pageOf } from './fake-server.ts';
import { type GitHubCallers, type GitHubRoute, notFound, ok } from './github-callers.ts';
import { githubDescription } from './github-description.ts';
import type { FakeInstallation, GitHubFake } from './github-fake.ts';
import { repositoryReply, userReply } from './github-replies.ts';

type Json = Record<string, unknown>;

export function appRoutes(
  fake: GitHubFake,
  { appOf, callerOf, canSee, issueToken }: GitHubCallers,
): Record<string, GitHubRoute> {
  const { model } = fake;
  return {
    'GET /app': (request) => {
      const { app } = appOf(request);
      const example = githubDescription().example('integration');
      const { events = [...GITHUB_APP_EVENTS], id, permissions, slug } = app;
      return ok({ ...example, id, slug, name: slug, permissions, events });
    },
    'GET /app/installations': (request) => {
      const { app } = appOf(request);
      const { headers, items } = pageOf(app.installations, request);
      return ok(items.map(installationReply), headers);
    },
    'POST /app/installations/{installation_id}/access_tokens': (request, { installation_id }) => {
      const { app } = appOf(request);
      const installation = app.installations.find(({ id }) => id === Number(installation_id));
      if (!installation) throw notFound();
      if (installation.suspended)
        throw new FakeRefusal(403, { message: 'This installation has been suspended' });
      const { expiresAt, token } = issueToken(app, installation);
      const example = githubDescription().example('installation-token');
      return {
        status: 201,
        body: {
          ...example,
          token,
          expires_at: expiresAt.toISOString(),
          permissions: installation.permissions,
        },
      };
    },
    'GET /installation/repositories': (request) => {
      const caller = callerOf(request);
      if (!caller.installation) throw new FakeRefusal(403, { message: 'Resource not accessible' });
      const { headers, items } = pageOf(
        model.repositories.filter((one) => canSee(caller, one)),
        request,
      );
      const repositories = items.map((one) => repositoryReply(one, fake.url, 'installation'));
      return ok({ total_count: model.repositories.length, repositories }, headers);
    },
    'POST /app-manifests/{code}/conversions': (_, { code }) => {
      const app = fake.manifestCodes.get(code!);
      if (!app) throw notFound();
      fake.manifestCodes.delete(code!);
      return { status: 201, body: { ...githubDescription().example('integration-from-manifest'), ...app } };
    },
  };

  function installationReply({ id, login, permissions, suspended }: FakeInstallation): Json {
    const [example] = githubDescription().example('base-installation-items') as unknown as Json[];
    return {
      ...example,
      id,
      // Described as an account and an enterprise at once.
      account: {
        ...userReply(model.account(login)),
        name: login,
        slug: login,
        created_at: null,
        updated_at: null,
      },
      permissions,
      suspended_at: suspended ? '2026-01-01T00:00:00Z' : null,
    };
  }
}
