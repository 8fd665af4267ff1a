/**
 * A GitHub Enterprise Server for tests. Each REST request and reply is checked against GitHub's published description, each
 * GraphQL one against its published schema; what doesn't fit is a problem that tests fail on.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  type FakeAccount,
  type FakeModel,
  type FakePullRequest,
  type FakeRepository,
  isInDiff,
  repositoryOfChange,
} from './fake-model.ts';
import {
  exchangeCode,
  FakeRefusal,
  type FakeReply,
  type FakeRequest,
  type FakeServer,
  findRoute,
  type Parameters,
  pageOf,
  startFakeServer,
} from './fake-server.ts';
import { githubDelivery } from './github-deliveries.ts';
import { githubDescription } from './github-description.ts';
import { answerGraphql } from './github-graphql.ts';
import {
  hookReply,
  issueCommentReply,
  privateUserReply,
  publicUserReply,
  pullRequestReply,
  repositoryReply,
  reviewCommentReply,
  reviewReply,
  userReply,
} from './github-replies.ts';

type Json = Record<string, unknown>;

export interface FakeInstallation {
  id: number;
  /** The account that installed the App. */
  login: string;
  permissions: Record<string, string>;
  suspended: boolean;
}

export interface FakeApp {
  id: number;
  slug: string;
  publicKey: string;
  permissions: Record<string, string>;
  installations: FakeInstallation[];
  hook: { url: string; secret: string } | null;
}

export interface GitHubFake extends FakeServer {
  model: FakeModel;
  /** The App, if there is one; its bot's account is `slug[bot]`. */
  app: FakeApp | null;
  /** Scopes of classic tokens, and their expiry as the header has it. */
  tokenHeaders: Record<string, string>;
  /** Codes of created Apps that can be exchanged. */
  manifestCodes: Map<string, Json>;
}

/** Who sends a request: a person's token, the App itself, or one of its installations. */
interface Caller {
  account: FakeAccount;
  installation: FakeInstallation | null;
  isApp: boolean;
}

const REST = '/api/v3';
const VERDICTS = { APPROVE: 'approved', REQUEST_CHANGES: 'changes_requested', COMMENT: 'commented' } as const;

export async function startGitHubFake(
  model: FakeModel,
  options: { gitFolder?: string } = {},
): Promise<GitHubFake> {
  const server = await startFakeServer({ answer, gitFolder: options.gitFolder, etags: true });
  const fake: GitHubFake = Object.assign(server, {
    model,
    app: null,
    tokenHeaders: {},
    manifestCodes: new Map(),
  });
  const installationTokens = new Map<string, { installation: FakeInstallation; expiresAt: Date }>();
  let publicKey: KeyObject | undefined;

  model.onChange((change) => {
    const repository = repositoryOfChange(change);
    const { app } = fake;
    const hooks = [
      ...repository.hooks,
      ...(app?.hook && app.installations.some(({ login }) => login === repository.owner) ? [app.hook] : []),
    ];
    fake.deliveries.push(...hooks.map((hook) => githubDelivery(change, hook)));
  });

  async function answer(request: FakeRequest): Promise<FakeReply> {
    if (request.path === '/login/oauth/access_token') return exchangeCode(fake, request, 200);
    if (request.path === '/api/graphql') return await graphql(request);
    if (!request.path.startsWith(`${REST}/`)) throw new FakeRefusal(404, { message: 'Not Found' });
    const path = request.path.slice(REST.length);
    const reply = await route(request, path);
    fake.problems.push(...githubDescription().check(request, path, reply));
    return reply;
  }

  async function route(request: FakeRequest, path: string): Promise<FakeReply> {
    const found = findRoute(routes, request.method, path);
    if (!found) throw new Error(`the fake has no route for ${request.method} ${path}`);
    try {
      return await found.value(request, found.parameters);
    } catch (error) {
      if (error instanceof FakeRefusal) return error.reply;
      throw error;
    }
  }

  function callerOf({ headers }: FakeRequest): Caller {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    const person = fake.tokens.get(token);
    if (person && !installationTokens.has(token))
      return { account: person, installation: null, isApp: false };
    const { app } = fake;
    const bot = app && model.account(`${app.slug}[bot]`, { bot: true });
    const issued = installationTokens.get(token);
    if (bot && issued && !issued.installation.suspended && fake.tokens.has(token))
      return { account: bot, installation: issued.installation, isApp: false };
    if (bot && isValidJwt(token, app)) return { account: bot, installation: null, isApp: true };
    throw new FakeRefusal(401, { message: 'Bad credentials' });
  }

  function isValidJwt(token: string, app: FakeApp): boolean {
    const [header, claims, signature] = token.split('.');
    if (!header || !claims || !signature) return false;
    publicKey ??= createPublicKey(app.publicKey);
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const { exp, iat, iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    // GitHub refuses tokens that live longer than ten minutes.
    return isSigned && iss === String(app.id) && Number(exp) - Number(iat) <= 600;
  }

  function canSee({ account, installation }: Caller, repository: FakeRepository): boolean {
    if (installation) return installation.login === repository.owner;
    return !repository.private || (repository.access.get(account.login) ?? 'none') !== 'none';
  }

  function repositoryAt(request: FakeRequest, { owner, repo }: Parameters) {
    const caller = callerOf(request);
    const repository = model.findRepository(`${owner}/${repo}`);
    if (!repository || !canSee(caller, repository)) throw notFound();
    return { caller, repository };
  }
  function pullRequestAt(request: FakeRequest, parameters: Parameters) {
    const { caller, repository } = repositoryAt(request, parameters);
    const number = Number(parameters.pull_number ?? parameters.issue_number);
    const pullRequest = repository.pullRequests.find((one) => one.number === number);
    if (!pullRequest) throw notFound();
    return { caller, repository, pullRequest };
  }
  function adminOf(request: FakeRequest, parameters: Parameters): FakeRepository {
    const { caller, repository } = repositoryAt(request, parameters);
    if (repository.access.get(caller.account.login) !== 'admin') throw notFound();
    return repository;
  }
  function visibleReviews({ account }: Caller, { reviews }: FakePullRequest) {
    return reviews.filter(({ author, state }) => state !== 'pending' || author === account);
  }
  function reviewAt(request: FakeRequest, parameters: Parameters) {
    const found = pullRequestAt(request, parameters);
    const review = visibleReviews(found.caller, found.pullRequest).find(
      ({ id }) => id === Number(parameters.review_id),
    );
    if (!review) throw notFound();
    return { ...found, review };
  }

  async function graphql(request: FakeRequest): Promise<FakeReply> {
    const caller = callerOf(request);
    const { body, problems } = await answerGraphql(
      model,
      { account: caller.account, canSee: ({ repository }) => canSee(caller, repository) },
      request.body as { query: string; variables: Record<string, unknown> },
    );
    fake.problems.push(...problems.map((problem) => `GraphQL: ${problem}`));
    return { status: 200, body };
  }

  const routes: Record<
    string,
    (request: FakeRequest, parameters: Parameters) => FakeReply | Promise<FakeReply>
  > = {
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
    'GET /app': (request) => {
      const { app } = appOf(request);
      const example = githubDescription().example('integration');
      return ok({ ...example, id: app.id, slug: app.slug, name: app.slug, permissions: app.permissions });
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
      const token = `ghs_${model.nextId()}`;
      const expiresAt = new Date(Date.now() + 3_600_000);
      installationTokens.set(token, { installation, expiresAt });
      fake.tokens.set(token, model.account(`${app.slug}[bot]`, { bot: true }));
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
    'GET /repos/{owner}/{repo}/pulls': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      const { query } = request;
      const sorted = repository.pullRequests
        .filter(({ state }) => query.get('state') === 'all' || state === 'open')
        .sort((a, b) =>
          query.get('sort') === 'updated'
            ? a.updatedAt.getTime() - b.updatedAt.getTime()
            : a.createdAt.getTime() - b.createdAt.getTime(),
        );
      if (query.get('direction') === 'desc') sorted.reverse();
      const { headers, items } = pageOf(sorted, request);
      return ok(
        items.map((one) => pullRequestReply(one, fake.url, 'list')),
        headers,
      );
    },
    'GET /repos/{owner}/{repo}/pulls/{pull_number}': (request, parameters) =>
      ok(pullRequestReply(pullRequestAt(request, parameters).pullRequest, fake.url, 'full')),
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews': (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const { headers, items } = pageOf(visibleReviews(caller, pullRequest), request);
      return ok(items.map(reviewReply), headers);
    },
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews': (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const { body = '', comments = [], commit_id, event } = request.body as ReviewRequest;
      const places = comments.map((one) => ({ place: placeOf(one), body: one.body }));
      if (pullRequest.reviews.some(({ author, state }) => author === caller.account && state === 'pending'))
        throw unprocessable('User can only have one pending review per pull request');
      if (places.some(({ place }) => !isInDiff(pullRequest, place)))
        throw unprocessable('Pull request review thread line must be part of the diff');
      if (event && event !== 'COMMENT' && caller.account === pullRequest.author)
        throw unprocessable('Can not approve your own pull request');
      if (event === 'REQUEST_CHANGES' && body === '') throw unprocessable('Body is required');
      const state = event ? VERDICTS[event] : 'pending';
      const commit = commit_id ?? pullRequest.head.commit;
      const review = model.review(pullRequest, caller.account, { state, body, commit });
      for (const one of places) model.startThread(pullRequest, caller.account, one.place, one.body, review);
      return ok(reviewReply(review));
    },
    'PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}': (request, parameters) => {
      const { review } = reviewAt(request, parameters);
      review.body = (request.body as { body: string }).body;
      return ok(reviewReply(review));
    },
    'DELETE /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}': (request, parameters) => {
      const { pullRequest, review } = reviewAt(request, parameters);
      if (review.state !== 'pending') throw unprocessable('Can not delete a non-pending pull request review');
      model.removeReview(pullRequest, review);
      return ok(reviewReply(review));
    },
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events': (request, parameters) => {
      const { caller, pullRequest, review } = reviewAt(request, parameters);
      const { body = '', event } = request.body as { body?: string; event: keyof typeof VERDICTS };
      if (event !== 'COMMENT' && caller.account === pullRequest.author)
        throw unprocessable('Can not approve your own pull request');
      model.submit(pullRequest, review, VERDICTS[event], body);
      return ok(reviewReply(review));
    },
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments': (request, parameters) => {
      const { pullRequest, review } = reviewAt(request, parameters);
      const threads = pullRequest.threads.filter((one) => one.review === review);
      const { headers, items } = pageOf(threads, request);
      return ok(
        items.map((one) => reviewCommentReply(one, one.comments[0]!, 'review')),
        headers,
      );
    },
    'PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      for (const pullRequest of repository.pullRequests)
        for (const thread of pullRequest.threads) {
          const comment = thread.comments.find(({ id }) => id === Number(parameters.comment_id));
          if (!comment) continue;
          model.edit(pullRequest, comment, (request.body as { body: string }).body);
          return ok(reviewCommentReply(thread, comment, 'single'));
        }
      throw notFound();
    },
    'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': (request, parameters) => {
      const { headers, items } = pageOf(pullRequestAt(request, parameters).pullRequest.comments, request);
      return ok(items.map(issueCommentReply), headers);
    },
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const comment = model.comment(pullRequest, caller.account, (request.body as { body: string }).body);
      return { status: 201, body: issueCommentReply(comment) };
    },
    'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      for (const pullRequest of repository.pullRequests) {
        const comment = pullRequest.comments.find(({ id }) => id === Number(parameters.comment_id));
        if (!comment) continue;
        model.edit(pullRequest, comment, (request.body as { body: string }).body);
        return ok(issueCommentReply(comment));
      }
      throw notFound();
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
      const { repository } = repositoryAt(request, parameters);
      const name = request.query.get('check_name');
      const runs = repository.statuses.filter((one) => one.commit === parameters.ref && one.name === name);
      return ok({ total_count: runs.length, check_runs: runs.map(() => checkRunReply()) });
    },
    'POST /repos/{owner}/{repo}/check-runs': (request, parameters) => {
      const { caller, repository } = repositoryAt(request, parameters);
      if (!caller.installation)
        throw new FakeRefusal(403, { message: 'You must authenticate via a GitHub App.' });
      setStatus(repository, statusOf(request.body as Json, (request.body as { head_sha: string }).head_sha));
      return { status: 201, body: checkRunReply() };
    },
    'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      setStatus(repository, statusOf(request.body as Json, repository.statuses[0]!.commit));
      return ok(checkRunReply());
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

  function appOf(request: FakeRequest): { app: FakeApp } {
    const { isApp } = callerOf(request);
    if (!isApp || !fake.app) throw new FakeRefusal(401, { message: 'A JSON web token could not be decoded' });
    return { app: fake.app };
  }
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
  function checkRunReply(): Json {
    const example = githubDescription().example('check-run-example-of-completed-conclusion');
    return { ...example, app: { ...(example.app as Json), id: fake.app!.id } };
  }

  return fake;
}

interface ReviewRequest {
  commit_id?: string;
  body?: string;
  event?: keyof typeof VERDICTS;
  comments?: { path: string; body: string; line?: number; side?: string; start_line?: number }[];
}

function placeOf({ line = 0, path, side, start_line }: NonNullable<ReviewRequest['comments']>[number]) {
  return {
    file: path,
    side: side === 'LEFT' ? ('old' as const) : ('new' as const),
    startLine: start_line ?? line,
    endLine: line,
  };
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

function ok(body: unknown, headers: Record<string, string> = {}): FakeReply {
  return { status: 200, body, headers };
}

function notFound(): FakeRefusal {
  const documentation_url = 'https://docs.github.com/rest';
  return new FakeRefusal(404, { message: 'Not Found', documentation_url, status: '404' });
}

function unprocessable(message: string): FakeRefusal {
  return new FakeRefusal(422, {
    message: 'Unprocessable Entity',
    errors: [message],
    documentation_url: 'https://docs.github.com/rest',
  });
}
