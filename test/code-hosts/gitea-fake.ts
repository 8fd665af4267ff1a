/**
 * A Gitea or Forgejo server for tests. Owners whose name begins with a capital letter or is `acme` are organizations: there,
 * people with read access are members of a team, and one team has no access to code.
 */
import { createHmac, randomUUID } from 'node:crypto';
import type { CreateHookOption, CreatePullReviewOptions, CreateStatusOption } from 'gitea-js';
import { diffOf } from './fake-diff.ts';
import {
  type FakeChange,
  type FakeHook,
  type FakeModel,
  type FakeRepository,
  fullNameOf,
  repositoryOfChange,
} from './fake-model.ts';
import {
  exchangeCode,
  type FakeDelivery,
  FakeRefusal,
  type FakeReply,
  type FakeRequest,
  type FakeServer,
  findRoute,
  type Parameters,
  pageOf,
  startFakeServer,
} from './fake-server.ts';
import {
  commentReply,
  commitStatusReply,
  hookReply,
  pullRequestReply,
  repositoryReply,
  reviewCommentReply,
  reviewReply,
  teamReply,
  userReply,
} from './gitea-replies.ts';

export interface GiteaFake extends FakeServer {
  model: FakeModel;
  /** `1.27.0`, or `13.0.3+gitea-1.22.0` for Forgejo. */
  version: string;
  /** Paths that the token's scopes don't allow. */
  forbidden: string[];
}

type Route = (request: FakeRequest, parameters: Parameters) => FakeReply;
type Body<Type> = Required<Type>;

const REPOSITORY = '/repos/{owner}/{repo}';
const PULL = `${REPOSITORY}/pulls/{index}`;
const STATES: Record<string, 'approved' | 'changes_requested' | 'commented'> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  COMMENT: 'commented',
};
const TEAMS = [
  { id: 1, name: 'Readers', code: 'read' },
  { id: 2, name: 'Triage', code: 'none' },
] as const;

export async function startGiteaFake(
  model: FakeModel,
  options: { gitFolder?: string } = {},
): Promise<GiteaFake> {
  const server = await startFakeServer({ answer, gitFolder: options.gitFolder, etags: false });
  const fake: GiteaFake = Object.assign(server, { model, version: '1.27.0', forbidden: [] });

  model.onChange((change) => {
    const event = EVENTS[change.kind];
    if (!event) return;
    for (const hook of repositoryOfChange(change).hooks)
      fake.deliveries.push(giteaDelivery(event, payloadOf(change), hook));
  });

  function answer(request: FakeRequest): FakeReply {
    if (request.path === '/login/oauth/access_token') return exchangeCode(fake, request, 400);
    if (request.path === '/swagger.v1.json')
      return { status: 200, body: { paths: swaggerPaths(fake.version) } };
    const path = request.path.replace(/^\/api\/v1/, '');
    const found = findRoute(routes, request.method, path);
    if (!found || !isKnownTo(fake.version, found.template))
      throw new FakeRefusal(404, { message: 'not found' });
    if (fake.forbidden.includes(path))
      throw new FakeRefusal(403, { message: 'token does not have at least one of required scope(s)' });
    return found.value(request, found.parameters);
  }

  function callerOf({ headers }: FakeRequest) {
    const [, token = ''] = /^(?:token|Bearer) (.+)$/.exec(headers.authorization ?? '') ?? [];
    const account = fake.tokens.get(token);
    if (!account) throw new FakeRefusal(401, { message: 'invalid username, password or token' });
    return account;
  }
  const ownerOf = ({ owner }: FakeRepository) => model.account(owner);
  function repositoryAt(request: FakeRequest, { owner, repo }: Parameters) {
    const caller = callerOf(request);
    const repository = model.findRepository(`${owner}/${repo}`);
    const level = repository?.access.get(caller.login) ?? 'none';
    if (!repository || (repository.private && level === 'none'))
      throw new FakeRefusal(404, { message: "The target couldn't be found." });
    return { caller, level, repository };
  }
  function pullRequestAt(request: FakeRequest, parameters: Parameters) {
    const { caller, repository } = repositoryAt(request, parameters);
    const pullRequest = repository.pullRequests.find(({ number }) => number === Number(parameters.index));
    if (!pullRequest) throw new FakeRefusal(404, { message: "The target couldn't be found." });
    return { caller, repository, pullRequest };
  }
  function adminOf(request: FakeRequest, parameters: Parameters): FakeRepository {
    const { level, repository } = repositoryAt(request, parameters);
    if (level !== 'admin')
      throw new FakeRefusal(403, { message: 'user should be an owner or a collaborator with admin write' });
    return repository;
  }
  function commentAt(request: FakeRequest, parameters: Parameters) {
    const { caller, repository } = repositoryAt(request, parameters);
    for (const pullRequest of repository.pullRequests) {
      const thread = pullRequest.threads.find(({ comments }) =>
        comments.some(({ id }) => id === Number(parameters.id)),
      );
      const comments = thread?.comments ?? pullRequest.comments;
      const comment = comments.find(({ id }) => id === Number(parameters.id));
      if (comment) return { caller, pullRequest, thread, comment };
    }
    throw new FakeRefusal(404, { message: "The target couldn't be found." });
  }

  const routes: Record<string, Route> = {
    'GET /version': () => ({ status: 200, body: { version: fake.version } }),
    'GET /user': (request) => ({ status: 200, body: userReply(callerOf(request)) }),
    'GET /user/orgs': (request) => ({ status: 200, body: callerOf(request) && [] }),
    'GET /repos/issues/search': (request) => ({ status: 200, body: callerOf(request) && [] }),
    'GET /user/repos': (request) => {
      const { login } = callerOf(request);
      const visible = model.repositories.filter(({ access }) => (access.get(login) ?? 'none') !== 'none');
      return listed(visible, request, (one) =>
        repositoryReply(one, fake.url, ownerOf(one), one.access.get(login)!),
      );
    },
    [`GET ${REPOSITORY}`]: (request, parameters) => {
      const { level, repository } = repositoryAt(request, parameters);
      return { status: 200, body: repositoryReply(repository, fake.url, ownerOf(repository), level) };
    },
    [`GET ${REPOSITORY}/collaborators`]: (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      const direct = [...repository.access].filter(
        ([, level]) =>
          level === 'write' || level === 'admin' || (level === 'read' && !isOrganization(repository)),
      );
      return listed(direct, request, ([login]) => userReply(model.account(login)));
    },
    [`GET ${REPOSITORY}/teams`]: (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      if (!isOrganization(repository))
        throw new FakeRefusal(405, { message: 'repo is not owned by an organization' });
      return listed([...TEAMS], request, ({ code, id, name }) => teamReply(id, name, code));
    },
    'GET /orgs/{org}/teams': (request, { org }) => {
      callerOf(request);
      const teams = model.teams.filter(({ owner }) => owner === org);
      return listed([...TEAMS, ...teams], request, ({ id, name }) => teamReply(id, name, 'read'));
    },
    'GET /teams/{id}/members': (request, { id }) => {
      callerOf(request);
      const team = model.teams.find((one) => String(one.id) === id);
      if (team) return listed(team.members, request, userReply);
      const members = model.repositories
        .filter(isOrganization)
        .flatMap(({ access }) => [...access])
        .filter(([, level]) => level === (id === '1' ? 'read' : 'none'));
      return listed(members, request, ([login]) => userReply(model.account(login)));
    },
    [`GET ${REPOSITORY}/pulls`]: (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      const { query } = request;
      if (!['oldest', 'recentupdate'].includes(query.get('sort')!))
        throw new Error('the fake has no such order');
      const sorted = repository.pullRequests
        .filter(({ state }) => query.get('state') === 'all' || state === 'open')
        .sort((a, b) =>
          query.get('sort') === 'oldest'
            ? a.createdAt.getTime() - b.createdAt.getTime()
            : b.updatedAt.getTime() - a.updatedAt.getTime(),
        );
      return listed(sorted, request, (one) => pullRequestReply(one, fake.url, ownerOf(repository)));
    },
    [`GET ${PULL}`]: (request, parameters) => {
      if (parameters.index!.endsWith('.diff')) {
        const index = parameters.index!.slice(0, -'.diff'.length);
        return { status: 200, text: diffOf(pullRequestAt(request, { ...parameters, index }).pullRequest) };
      }
      const { pullRequest, repository } = pullRequestAt(request, parameters);
      return { status: 200, body: pullRequestReply(pullRequest, fake.url, ownerOf(repository)) };
    },
    [`PATCH ${PULL}`]: (request, parameters) => {
      const { pullRequest, repository } = pullRequestAt(request, parameters);
      model.change(pullRequest, request.body as { body: string });
      return { status: 201, body: pullRequestReply(pullRequest, fake.url, ownerOf(repository)) };
    },
    [`GET ${PULL}/reviews`]: (request, parameters) => {
      const { pullRequest } = pullRequestAt(request, parameters);
      return listed(pullRequest.reviews, request, (review) => reviewReply(review, pullRequest));
    },
    [`POST ${PULL}/reviews`]: (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const { body, comments, commit_id, event } = request.body as Body<CreatePullReviewOptions>;
      if (event !== 'COMMENT' && caller === pullRequest.author)
        throw new FakeRefusal(422, { message: 'approve your own pull is not allowed' });
      if (body === '' && (event === 'REQUEST_CHANGES' || (event === 'COMMENT' && comments.length === 0)))
        throw new FakeRefusal(422, { message: `review event ${event} requires a body` });
      const review = model.review(pullRequest, caller, { state: STATES[event]!, body, commit: commit_id });
      for (const comment of comments) {
        const { body: text, new_position = 0, old_position = 0, path } = comment;
        const line = old_position || new_position;
        const side = old_position ? ('old' as const) : ('new' as const);
        const known = pullRequest.threads.find(
          (one) => one.file === path && one.side === side && one.endLine === line && one.commit === commit_id,
        );
        if (known) model.reply(pullRequest, known, caller, text!);
        else
          model.startThread(
            pullRequest,
            caller,
            { file: path!, side, startLine: line, endLine: line },
            text!,
            review,
          );
      }
      return { status: 200, body: reviewReply(review, pullRequest) };
    },
    [`POST ${PULL}/reviews/{id}/dismissals`]: (request, parameters) => {
      const { pullRequest } = pullRequestAt(request, parameters);
      const review = pullRequest.reviews.find(({ id }) => id === Number(parameters.id));
      if (!review) throw new FakeRefusal(404, { message: 'not found' });
      model.submit(pullRequest, review, 'dismissed', review.body);
      return { status: 200, body: reviewReply(review, pullRequest) };
    },
    [`GET ${PULL}/reviews/{id}/comments`]: (request, parameters) => {
      const { pullRequest } = pullRequestAt(request, parameters);
      const threads = pullRequest.threads.filter(({ review }) => review.id === Number(parameters.id));
      return {
        status: 200,
        body: threads.flatMap((thread) =>
          thread.comments.map((comment) => reviewCommentReply(thread, comment)),
        ),
      };
    },
    [`POST ${PULL}/reviews/{id}/comments`]: (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const {
        body,
        new_position = 0,
        old_position = 0,
        path,
      } = request.body as Record<string, string & number>;
      const thread = pullRequest.threads.find(
        (one) =>
          one.review.id === Number(parameters.id) &&
          one.file === path &&
          one.endLine === (old_position || new_position),
      );
      if (!thread) throw new FakeRefusal(404, { message: 'not found' });
      const comment = model.reply(pullRequest, thread, caller, body!);
      return { status: 200, body: reviewCommentReply(thread, comment) };
    },
    [`POST ${PULL}/comments/{id}/replies`]: (request, parameters) => {
      const { caller, pullRequest, thread } = commentAt(request, parameters);
      if (!thread) throw new FakeRefusal(404, { message: 'not found' });
      const comment = model.reply(pullRequest, thread, caller, (request.body as { body: string }).body);
      return { status: 201, body: reviewCommentReply(thread, comment) };
    },
    [`POST ${REPOSITORY}/pulls/comments/{id}/resolve`]: (request, parameters) => {
      const { caller, pullRequest, thread } = commentAt(request, parameters);
      model.resolve(pullRequest, thread!, caller);
      return { status: 204 };
    },
    [`POST ${REPOSITORY}/pulls/comments/{id}/unresolve`]: (request, parameters) => {
      const { pullRequest, thread } = commentAt(request, parameters);
      model.resolve(pullRequest, thread!, null);
      return { status: 204 };
    },
    [`GET ${REPOSITORY}/issues/{index}/comments`]: (request, parameters) => {
      const { pullRequest } = pullRequestAt(request, parameters);
      return { status: 200, body: pullRequest.comments.map(commentReply) };
    },
    [`POST ${REPOSITORY}/issues/{index}/comments`]: (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const comment = model.comment(pullRequest, caller, (request.body as { body: string }).body);
      return { status: 201, body: commentReply(comment) };
    },
    [`GET ${REPOSITORY}/issues/comments/{id}/reactions`]: (request, parameters) => {
      const { comment } = commentAt(request, parameters);
      const reactions = comment.reactions.map(({ account, emoji }) => ({
        ...{ user: userReply(account), content: emoji === '👎' ? '-1' : 'hooray' },
        created_at: comment.createdAt.toISOString(),
      }));
      return { status: 200, body: reactions };
    },
    [`PATCH ${REPOSITORY}/issues/comments/{id}`]: (request, parameters) => {
      const { comment, pullRequest } = commentAt(request, parameters);
      model.edit(pullRequest, comment, (request.body as { body: string }).body);
      return { status: 200, body: commentReply(comment) };
    },
    [`DELETE ${REPOSITORY}/issues/comments/{id}`]: (request, parameters) => {
      const { comment, pullRequest, thread } = commentAt(request, parameters);
      if (!thread) model.remove(pullRequest, comment);
      return { status: 204 };
    },
    [`POST ${REPOSITORY}/statuses/{sha}`]: (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      const { context, description, state, target_url } = request.body as Body<CreateStatusOption>;
      const status = {
        commit: parameters.sha!,
        name: context,
        state,
        title: description,
        text: '',
        url: target_url,
      };
      repository.statuses = [
        status,
        ...repository.statuses.filter((one) => one.name !== context || one.commit !== status.commit),
      ];
      return { status: 201, body: { id: model.nextId(), context, status: state } };
    },
    [`GET ${REPOSITORY}/commits/{ref}/status`]: (request, parameters) => {
      const { caller, repository } = repositoryAt(request, parameters);
      const all = repository.statuses.filter(({ commit }) => commit === parameters.ref);
      const { items } = pageOf(all, request, 'limit');
      const ci = { id: -2, login: 'gitea-actions', name: 'Gitea Actions', bot: true };
      const statuses = items.map((one) => commitStatusReply(one, one.app ? ci : (one.by ?? caller)));
      // Without a `Link` header, and with the count of the page.
      return { status: 200, body: { sha: parameters.ref, statuses, total_count: items.length } };
    },
    [`GET ${REPOSITORY}/hooks`]: (request, parameters) =>
      listed(adminOf(request, parameters).hooks, request, hookReply),
    [`POST ${REPOSITORY}/hooks`]: (request, parameters) => {
      const { config, events } = request.body as Body<CreateHookOption>;
      const hook = { id: model.nextId(), url: config.url!, secret: config.secret!, events };
      adminOf(request, parameters).hooks.push(hook);
      return { status: 201, body: hookReply(hook) };
    },
    [`PATCH ${REPOSITORY}/hooks/{id}`]: (request, parameters) => {
      const hook = adminOf(request, parameters).hooks.find(({ id }) => id === Number(parameters.id))!;
      const { config, events } = request.body as Body<CreateHookOption>;
      Object.assign(hook, { url: config.url, secret: config.secret, events });
      return { status: 200, body: hookReply(hook) };
    },
  };

  return fake;
}

function listed<Item>(all: Item[], request: FakeRequest, reply: (item: Item) => unknown): FakeReply {
  if (Number(request.query.get('limit') ?? 0) > 50) throw new Error('servers give out at most 50');
  const { headers, items } = pageOf(all, request, 'limit');
  return { status: 200, body: items.map(reply), headers };
}

function isOrganization({ owner }: FakeRepository): boolean {
  return owner === 'acme' || /^[A-Z]/.test(owner);
}

/** Resolving came with Gitea 1.26 and replying with 1.27; Forgejo has neither, but adds comments to reviews. */
function isKnownTo(version: string, template: string): boolean {
  const isForgejo = version.includes('+gitea-');
  const minor = Number(version.split('.')[1]);
  if (template.endsWith('resolve')) return !isForgejo && minor >= 26;
  if (template.endsWith('/replies')) return !isForgejo && minor >= 27;
  return true;
}

function swaggerPaths(version: string): Record<string, unknown> {
  return {
    [`${PULL}/reviews/{id}/comments`]: version.includes('+gitea-') ? { get: {}, post: {} } : { get: {} },
  };
}

const EVENTS: Record<FakeChange['kind'], string | null> = {
  pull_request: 'pull_request',
  review: 'pull_request_approved',
  thread_comment: 'pull_request_comment',
  // Nothing is sent.
  thread: null,
  comment: 'issue_comment',
  push: 'push',
  access: null,
  status: 'status',
};

function payloadOf(change: FakeChange): Record<string, unknown> {
  const named = repositoryOfChange(change);
  const repository = { id: named.id, full_name: fullNameOf(named) };
  if (change.kind === 'status')
    return { sha: change.status.commit, context: change.status.name, state: change.status.state, repository };
  if (!('pullRequest' in change)) return { repository };
  const { number } = change.pullRequest;
  return change.kind === 'comment'
    ? { action: change.action, issue: { number }, is_pull: true, repository }
    : { action: change.action, number, pull_request: { number }, repository };
}

function giteaDelivery(event: string, payload: unknown, { secret, url }: FakeHook): FakeDelivery {
  const body = JSON.stringify(payload);
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'x-gitea-event': event,
      'x-gitea-delivery': randomUUID(),
      'x-gitea-signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
  };
}
