/** The routes of the fake GitHub for people, repositories, webhooks and the results of checks. */
import type { FakeAccount, FakeRepository, FakeStatus } from './fake-model.ts';
import { FakeRefusal, pageOf } from './fake-server.ts';
import { type GitHubCallers, type GitHubRoute, notFound, ok } from './github-callers.ts';
import { githubDescription } from './github-description.ts';
import type { GitHubFake } from './github-fake.ts';
import {
  hookReply,
  privateUserReply,
  publicUserReply,
  repositoryReply,
  userReply,
} from './github-replies.ts';

type Json = Record<string, unknown>;

export function repositoryRoutes(
  fake: GitHubFake,
  { adminOf, callerOf, canSee, repositoryAt }: GitHubCallers,
): Record<string, GitHubRoute> {
  const { model } = fake;
  return {
    'GET /user': (request) => ok(privateUserReply(callerOf(request).account), fake.tokenHeaders),
    'GET /users/{username}': (request, { username }) => {
      callerOf(request);
      const account = model.accounts.find(({ login }) => login === username);
      if (!account) throw notFound();
      return ok(publicUserReply(account));
    },
    'GET /user/repos': (request) => {
      const caller = callerOf(request);
      const { headers, items } = pageOf(
        model.repositories.filter((one) => one.access.has(caller.account.login) && canSee(caller, one)),
        request,
      );
      const permissions = (one: FakeRepository) => permissionsOf(one, caller.account);
      return ok(
        items.map((one) => ({ ...repositoryReply(one, fake.url, 'list'), permissions: permissions(one) })),
        headers,
      );
    },
    'GET /repos/{owner}/{repo}': (request, parameters) => {
      const { caller, repository } = repositoryAt(request, parameters);
      return ok({
        ...repositoryReply(repository, fake.url, 'full'),
        permissions: permissionsOf(repository, caller.account),
      });
    },
    'GET /repos/{owner}/{repo}/collaborators': (request, parameters) => {
      const { caller, repository } = repositoryAt(request, parameters);
      if (!caller.installation && !['write', 'admin'].includes(repository.access.get(caller.account.login)!))
        throw new FakeRefusal(403, { message: 'Must have push access to view repository collaborators.' });
      const readers = [...repository.access].filter(([, access]) => access !== 'none');
      const { headers, items } = pageOf(readers, request);
      const [example] = githubDescription().example('collaborator-items') as unknown as Json[];
      return ok(
        items.map(([login]) => ({ ...example, ...userReply(model.account(login)) })),
        headers,
      );
    },
    'GET /orgs/{org}/teams/{team_slug}/members': (request, { org, team_slug }) => {
      callerOf(request);
      const team = model.teams.find(({ owner, slug }) => owner === org && slug === team_slug);
      if (!team) throw notFound();
      const { headers, items } = pageOf(team.members, request);
      return ok(items.map(userReply), headers);
    },
    'POST /repos/{owner}/{repo}/statuses/{sha}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      const { context, description, state, target_url } = request.body as Record<string, string>;
      setStatus(repository, {
        commit: parameters.sha!,
        name: context!,
        state: state!,
        title: description!,
        text: '',
        url: target_url ?? null,
      });
      return { status: 201, body: githubDescription().example('status') };
    },
    'GET /repos/{owner}/{repo}/commits/{ref}/check-runs': (request, parameters) => {
      const { caller, repository } = repositoryAt(request, parameters);
      if (fake.forbidden.includes('checks'))
        throw new FakeRefusal(403, { message: 'Resource not accessible by personal access token' });
      const name = request.query.get('check_name');
      const runs = repository.statuses.filter(
        (one) =>
          one.commit === parameters.ref &&
          (name === null || one.name === name) &&
          (one.app !== undefined || (one.by === undefined && caller.installation)),
      );
      const { headers, items } = pageOf(runs, request);
      return ok({ total_count: runs.length, check_runs: items.map(checkRunReply) }, headers);
    },
    'GET /repos/{owner}/{repo}/commits/{ref}/statuses': (request, parameters) => {
      const { caller, repository } = repositoryAt(request, parameters);
      const set = repository.statuses.filter(
        ({ app, by, commit }) =>
          commit === parameters.ref && app === undefined && (by !== undefined || !caller.installation),
      );
      const { headers, items } = pageOf(set, request);
      return ok(
        items.map((one) => commitStatusReply(one, one.by ?? caller.account)),
        headers,
      );
    },
    'POST /repos/{owner}/{repo}/check-runs': (request, parameters) => {
      const { caller, repository } = repositoryAt(request, parameters);
      if (!caller.installation)
        throw new FakeRefusal(403, { message: 'You must authenticate via a GitHub App.' });
      setStatus(repository, statusOf(request.body as Json, (request.body as { head_sha: string }).head_sha));
      return { status: 201, body: checkRunReply(repository.statuses[0]!) };
    },
    'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      setStatus(repository, statusOf(request.body as Json, repository.statuses[0]!.commit));
      return ok(checkRunReply(repository.statuses[0]!));
    },
    'GET /repos/{owner}/{repo}/hooks': (request, parameters) => {
      const { headers, items } = pageOf(adminOf(request, parameters).hooks, request);
      return ok(items.map(hookReply), headers);
    },
    'POST /repos/{owner}/{repo}/hooks': (request, parameters) => {
      const { config, events } = request.body as {
        config: { url: string; secret: string };
        events: string[];
      };
      const hook = { id: model.nextId(), url: config.url, secret: config.secret, events };
      adminOf(request, parameters).hooks.push(hook);
      return { status: 201, body: hookReply(hook) };
    },
    'PATCH /repos/{owner}/{repo}/hooks/{hook_id}': (request, parameters) => {
      const hook = adminOf(request, parameters).hooks.find(({ id }) => id === Number(parameters.hook_id));
      if (!hook) throw notFound();
      const { config, events } = request.body as {
        config: { url: string; secret: string };
        events: string[];
      };
      Object.assign(hook, { url: config.url, secret: config.secret, events });
      return ok(hookReply(hook));
    },
  };

  function checkRunReply({ app, name, state, title, url }: FakeStatus): Json {
    const example = githubDescription().example('check-run-example-of-completed-conclusion');
    const slug = app ?? fake.app!.slug;
    const id = slug === fake.app?.slug ? fake.app.id : 1_000_000 + slug.length;
    const isPending = state === 'pending';
    return {
      ...example,
      name,
      status: isPending ? 'in_progress' : 'completed',
      conclusion: isPending ? null : (CONCLUSIONS[state] ?? state),
      completed_at: isPending ? null : example.completed_at,
      details_url: url,
      output: { ...(example.output as Json), title },
      app: { ...(example.app as Json), id, slug },
    };
  }
}

const CONCLUSIONS: Record<string, string> = { error: 'cancelled' };

function commitStatusReply({ name, state, title, url }: FakeStatus, by: FakeAccount): Json {
  const [example] = githubDescription().example('status-items') as unknown as Json[];
  return { ...example, context: name, state, description: title, target_url: url, creator: userReply(by) };
}

function statusOf(body: Json, commit: string) {
  const { conclusion, details_url, name, output, status } = body as Record<string, string> & {
    output: { title: string; summary: string };
  };
  const state = status === 'completed' ? conclusion! : 'pending';
  return { commit, name: name!, state, title: output.title, text: output.summary, url: details_url ?? null };
}

function setStatus(repository: FakeRepository, status: FakeRepository['statuses'][number]): void {
  repository.statuses = repository.statuses.filter(
    ({ commit, name }) => commit !== status.commit || name !== status.name,
  );
  repository.statuses.unshift(status);
}

function permissionsOf({ access }: FakeRepository, { login }: FakeAccount) {
  const level = access.get(login) ?? 'none';
  return { admin: level === 'admin', maintain: false, push: level !== 'read', triage: false, pull: true };
}
