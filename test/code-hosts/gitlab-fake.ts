/** A GitLab server for tests. It carries out quick actions in notes, as GitLab does, so that tests see if one slips through. */
import {
  type FakeAccount,
  type FakeHook,
  type FakeModel,
  type FakePullRequest,
  isInDiff,
  type Place,
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
import { gitlabDelivery } from './gitlab-deliveries.ts';
import {
  commitStatusReply,
  discussionId,
  discussionReply,
  hookReply,
  jobReply,
  memberReply,
  mergeRequestReply,
  noteReply,
  pipelineId,
  pipelineReply,
  projectReply,
  reactionsReply,
  reviewerReply,
  userReply,
  versionReply,
} from './gitlab-replies.ts';

export interface GitLabFake extends FakeServer {
  model: FakeModel;
  token: { scopes: string[]; expires_at: string | null };
  /** Lines that were carried out as commands. */
  quickActions: string[];
  /** `pipelines`: CI is not for this token. */
  forbidden: string[];
  /** Deliveries carry a signature in place of the token. */
  signs: boolean;
}

type Route = (request: FakeRequest, parameters: Parameters) => FakeReply;

interface Draft {
  id: number;
  pullRequest: FakePullRequest;
  author: FakeAccount;
  note: string;
  place: Place | null;
}

const PROJECT = '/projects/{id}';
const MERGE_REQUEST = `${PROJECT}/merge_requests/{iid}`;

export async function startGitLabFake(
  model: FakeModel,
  options: { gitFolder?: string } = {},
): Promise<GitLabFake> {
  const server = await startFakeServer({ answer, gitFolder: options.gitFolder, etags: true });
  const fake: GitLabFake = Object.assign(server, {
    model,
    token: { scopes: ['api'], expires_at: null },
    quickActions: [],
    forbidden: [],
    signs: false,
  });
  let drafts: Draft[] = [];

  model.onChange((change) => {
    for (const hook of repositoryOfChange(change).hooks) {
      const delivery = gitlabDelivery(change, hook, fake.signs);
      if (delivery) fake.deliveries.push(delivery);
    }
  });

  function answer(request: FakeRequest): FakeReply {
    if (request.path === '/oauth/token') return exchangeCode(fake, request, 400);
    const path = request.path.replace(/^\/api\/v4/, '');
    const found = findRoute(routes, request.method, path);
    if (!found) throw new FakeRefusal(404, { error: '404 Not Found' });
    return found.value(request, found.parameters);
  }

  function callerOf({ headers }: FakeRequest): FakeAccount {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    const account = fake.tokens.get(token);
    if (!account) throw new FakeRefusal(401, { message: '401 Unauthorized' });
    return account;
  }
  function projectAt(request: FakeRequest, { id }: Parameters) {
    const caller = callerOf(request);
    const repository = model.findRepository(id!) ?? model.repositories.find((one) => String(one.id) === id);
    const level = repository?.access.get(caller.login) ?? 'none';
    if (!repository || (repository.private && level === 'none'))
      throw new FakeRefusal(404, { message: '404 Project Not Found' });
    return { caller, level, repository };
  }
  function mergeRequestAt(request: FakeRequest, parameters: Parameters) {
    const { caller, repository } = projectAt(request, parameters);
    const pullRequest = repository.pullRequests.find(({ number }) => number === Number(parameters.iid));
    if (!pullRequest) throw new FakeRefusal(404, { message: '404 Not found' });
    return { caller, pullRequest };
  }
  function discussionAt(request: FakeRequest, parameters: Parameters) {
    const found = mergeRequestAt(request, parameters);
    const thread = found.pullRequest.threads.find((one) => discussionId(one) === parameters.discussion);
    if (!thread) throw new FakeRefusal(404, { message: '404 Discussion Not Found' });
    return { ...found, thread };
  }
  function hooksOf(request: FakeRequest, parameters: Parameters): FakeHook[] {
    const { level, repository } = projectAt(request, parameters);
    if (level !== 'admin') throw new FakeRefusal(403, { message: '403 Forbidden' });
    return repository.hooks;
  }
  /** The text that is left once its commands were carried out. */
  function carryOut(text: string, pullRequest: FakePullRequest, caller: FakeAccount): string {
    const withoutCode = text.replaceAll(/^```.+?\n```$/gms, '');
    for (const line of withoutCode.split('\n')) {
      if (!/^\s*\/\w/.test(line)) continue;
      fake.quickActions.push(line.trim());
      if (line.trim() === '/request_changes')
        model.review(pullRequest, caller, { state: 'changes_requested' });
    }
    return text;
  }

  const routes: Record<string, Route> = {
    'GET /user': (request) => ok(userReply(callerOf(request))),
    'GET /version': (request) => ok(callerOf(request) && { version: '18.5.1', revision: 'abc' }),
    'GET /personal_access_tokens/self': (request) => ok(callerOf(request) && { id: 1, ...fake.token }),
    'GET /projects': (request) => {
      const { login } = callerOf(request);
      if (request.query.get('membership') !== 'true') throw new Error('the whole server would be listed');
      const visible = model.repositories.filter(({ access }) => (access.get(login) ?? 'none') !== 'none');
      return listed(visible, request, (one) => projectReply(one, fake.url, one.access.get(login)!));
    },
    [`GET ${PROJECT}`]: (request, parameters) => {
      const { level, repository } = projectAt(request, parameters);
      return ok(projectReply(repository, fake.url, level));
    },
    [`GET ${PROJECT}/members/all`]: (request, parameters) => {
      const { access } = projectAt(request, parameters).repository;
      return listed([...access], request, ([login, level]) => memberReply(model.account(login), level));
    },
    'GET /groups/{id}/members/all': (request, { id }) => {
      callerOf(request);
      const group = model.teams.find(({ owner, slug }) => `${owner}/${slug}` === id);
      if (!group) throw new FakeRefusal(404, { message: '404 Group Not Found' });
      return listed(group.members, request, (one) => memberReply(one, 'write'));
    },
    [`GET ${PROJECT}/merge_requests`]: (request, parameters) => {
      const { repository } = projectAt(request, parameters);
      const { query } = request;
      const after = new Date(query.get('updated_after') ?? 0);
      const key = query.get('order_by') === 'updated_at' ? 'updatedAt' : 'createdAt';
      const sorted = repository.pullRequests
        .filter(
          ({ state, updatedAt }) => (query.get('state') === 'all' || state === 'open') && updatedAt >= after,
        )
        .sort((a, b) => a[key].getTime() - b[key].getTime());
      if (query.get('sort') === 'desc') sorted.reverse();
      return listed(sorted, request, (one) => mergeRequestReply(one, fake.url));
    },
    [`GET ${MERGE_REQUEST}`]: (request, parameters) =>
      ok(mergeRequestReply(mergeRequestAt(request, parameters).pullRequest, fake.url)),
    [`PUT ${MERGE_REQUEST}`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      const { description } = request.body as { description: string };
      model.change(pullRequest, { body: carryOut(description, pullRequest, caller) });
      return ok(mergeRequestReply(pullRequest, fake.url));
    },
    [`GET ${MERGE_REQUEST}/approvals`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      const approvers = pullRequest.reviews
        .filter(({ state }) => state === 'approved')
        .map(({ author }) => author);
      return ok({
        approved: approvers.length > 0,
        user_has_approved: approvers.includes(caller),
        approved_by: [...new Set(approvers)].map((one) => ({ user: userReply(one) })),
      });
    },
    [`GET ${MERGE_REQUEST}/reviewers`]: (request, parameters) => {
      const { pullRequest } = mergeRequestAt(request, parameters);
      const changes = pullRequest.reviews.filter(({ state }) => state === 'changes_requested');
      return ok(changes.map(({ author }) => reviewerReply(author, 'requested_changes')));
    },
    [`POST ${MERGE_REQUEST}/approve`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      if (pullRequest.reviews.some(({ author, state }) => author === caller && state === 'approved'))
        throw new FakeRefusal(401, { message: '401 Unauthorized' });
      if ((request.body as { sha: string }).sha !== pullRequest.head.commit)
        throw new FakeRefusal(409, { message: 'SHA does not match HEAD of source branch' });
      model.review(pullRequest, caller, { state: 'approved' });
      return { status: 201, body: { id: pullRequest.id } };
    },
    [`POST ${MERGE_REQUEST}/unapprove`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      const approval = pullRequest.reviews.find(
        ({ author, state }) => author === caller && state === 'approved',
      );
      if (!approval) throw new FakeRefusal(404, { message: '404 Not found' });
      model.removeReview(pullRequest, approval);
      return { status: 201, body: { id: pullRequest.id } };
    },
    'POST /api/graphql': (request) => {
      const { variables } = request.body as {
        variables: { project: string; number: string; cursor: string };
      };
      const { pullRequest } = mergeRequestAt(request, { id: variables.project, iid: variables.number });
      const notes = pullRequest.threads.flatMap(({ comments }) => comments);
      const from = Number(variables.cursor ?? 0);
      const page = {
        pageInfo: { hasNextPage: notes.length > from + 100, endCursor: String(from + 100) },
        nodes: notes.slice(from, from + 100).map(reactionsReply),
      };
      return ok({ data: { project: { mergeRequest: { notes: page } } } });
    },
    [`GET ${MERGE_REQUEST}/versions`]: (request, parameters) => {
      const {
        commits: _,
        diffs: __,
        ...version
      } = versionReply(mergeRequestAt(request, parameters).pullRequest);
      return ok([version]);
    },
    [`GET ${MERGE_REQUEST}/versions/{version}`]: (request, parameters) =>
      ok(versionReply(mergeRequestAt(request, parameters).pullRequest)),
    [`GET ${MERGE_REQUEST}/discussions`]: (request, parameters) => {
      const { pullRequest } = mergeRequestAt(request, parameters);
      const all = [
        ...pullRequest.threads.map((thread) => discussionReply(pullRequest, thread)),
        ...pullRequest.comments.map((comment) => ({
          id: `c${comment.id}`,
          individual_note: true,
          notes: [noteReply(pullRequest, comment, null)],
        })),
        { id: 's1', individual_note: true, notes: [systemNote(pullRequest)] },
      ];
      return listed(all, request, (one) => one);
    },
    [`PUT ${MERGE_REQUEST}/discussions/{discussion}`]: (request, parameters) => {
      const { caller, pullRequest, thread } = discussionAt(request, parameters);
      model.resolve(pullRequest, thread, request.query.get('resolved') === 'true' ? caller : null);
      return ok(discussionReply(pullRequest, thread));
    },
    [`POST ${MERGE_REQUEST}/discussions/{discussion}/notes`]: (request, parameters) => {
      const { caller, pullRequest, thread } = discussionAt(request, parameters);
      const text = carryOut((request.body as { body: string }).body, pullRequest, caller);
      const comment = model.reply(pullRequest, thread, caller, text);
      return { status: 201, body: noteReply(pullRequest, comment, thread) };
    },
    [`GET ${MERGE_REQUEST}/notes`]: (request, parameters) => {
      const { pullRequest } = mergeRequestAt(request, parameters);
      const notes = [
        systemNote(pullRequest),
        ...pullRequest.comments.map((comment) => noteReply(pullRequest, comment, null)),
        ...pullRequest.threads.flatMap((thread) =>
          thread.comments.map((comment) => noteReply(pullRequest, comment, thread)),
        ),
      ];
      return listed(notes, request, (one) => one);
    },
    [`POST ${MERGE_REQUEST}/notes`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      const text = carryOut((request.body as { body: string }).body, pullRequest, caller);
      if (text === '/request_changes') return { status: 202, body: { commands_changes: {} } };
      return { status: 201, body: noteReply(pullRequest, model.comment(pullRequest, caller, text), null) };
    },
    [`PUT ${MERGE_REQUEST}/notes/{note}`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      const thread = pullRequest.threads.find(({ comments }) =>
        comments.some(({ id }) => id === Number(parameters.note)),
      );
      const comment = (thread?.comments ?? pullRequest.comments).find(
        ({ id }) => id === Number(parameters.note),
      );
      if (!comment) throw new FakeRefusal(404, { message: '404 Note Not Found' });
      model.edit(
        pullRequest,
        comment,
        carryOut((request.body as { body: string }).body, pullRequest, caller),
      );
      return ok(noteReply(pullRequest, comment, thread ?? null));
    },
    [`DELETE ${MERGE_REQUEST}/notes/{note}`]: (request, parameters) => {
      const { pullRequest } = mergeRequestAt(request, parameters);
      const comments = [...pullRequest.comments, ...pullRequest.threads.flatMap((thread) => thread.comments)];
      const comment = comments.find(({ id }) => id === Number(parameters.note));
      if (!comment) throw new FakeRefusal(404, { message: '404 Note Not Found' });
      model.remove(pullRequest, comment);
      return { status: 204 };
    },
    [`GET ${MERGE_REQUEST}/draft_notes`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      const own = drafts.filter((one) => one.pullRequest === pullRequest && one.author === caller);
      return listed(own, request, ({ id, note }) => ({ id, note }));
    },
    [`POST ${MERGE_REQUEST}/draft_notes`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      const { note, position } = request.body as { note: string; position?: Record<string, unknown> };
      const place = position ? placeOf(position) : null;
      if (place && !isInDiff(pullRequest, place))
        throw new FakeRefusal(400, {
          message: { line_code: ["can't be blank", 'must be a valid line code'] },
        });
      drafts.push({ id: model.nextId(), pullRequest, author: caller, note, place });
      return { status: 201, body: { id: drafts.at(-1)!.id, note } };
    },
    [`DELETE ${MERGE_REQUEST}/draft_notes/{draft}`]: (request, parameters) => {
      mergeRequestAt(request, parameters);
      drafts = drafts.filter(({ id }) => id !== Number(parameters.draft));
      return { status: 204 };
    },
    [`POST ${MERGE_REQUEST}/draft_notes/bulk_publish`]: (request, parameters) => {
      const { caller, pullRequest } = mergeRequestAt(request, parameters);
      const own = drafts.filter((one) => one.pullRequest === pullRequest && one.author === caller);
      drafts = drafts.filter((one) => !own.includes(one));
      for (const { note, place } of own) {
        const text = carryOut(note, pullRequest, caller);
        if (place) model.startThread(pullRequest, caller, place, text);
        else model.comment(pullRequest, caller, text);
      }
      return { status: 204 };
    },
    [`POST ${PROJECT}/statuses/{sha}`]: (request, parameters) => {
      const { repository } = projectAt(request, parameters);
      const { description, name, state, target_url } = request.body as Record<string, string>;
      const earlier = repository.statuses.find((one) => one.name === name && one.commit === parameters.sha);
      if (earlier?.state === 'running' && state === 'running')
        throw new FakeRefusal(400, { message: 'Cannot transition status via :run from :running' });
      const status = {
        commit: parameters.sha!,
        name: name!,
        state: state!,
        title: description!,
        text: '',
        url: target_url ?? null,
      };
      repository.statuses = [status, ...repository.statuses.filter((one) => one !== earlier)];
      return { status: 201, body: { id: 1, status: state } };
    },
    [`GET ${PROJECT}/pipelines`]: (request, parameters) => {
      const { repository } = projectAt(request, parameters);
      if (fake.forbidden.includes('pipelines')) throw new FakeRefusal(403, { message: '403 Forbidden' });
      const { query } = request;
      if (query.get('order_by') !== 'id' || query.get('sort') !== 'desc')
        throw new Error('older pipelines would come first');
      const apps = new Set(
        repository.statuses.flatMap(({ app, commit }) => (commit === query.get('sha') && app) || []),
      );
      return listed([...apps], request, (app) => pipelineReply(repository, app, query.get('sha')!));
    },
    [`GET ${PROJECT}/pipelines/{pipeline}/jobs`]: (request, parameters) => {
      const { repository } = projectAt(request, parameters);
      const jobs = repository.statuses.filter(
        ({ app }) => app && pipelineId(app) === Number(parameters.pipeline),
      );
      return listed(jobs, request, (one) => jobReply(repository, one));
    },
    [`GET ${PROJECT}/repository/commits/{sha}/statuses`]: (request, parameters) => {
      const { caller, repository } = projectAt(request, parameters);
      const all = repository.statuses.filter(({ commit }) => commit === parameters.sha);
      return listed(all, request, (one) => commitStatusReply(repository, one, one.by ?? caller));
    },
    [`GET ${PROJECT}/hooks`]: (request, parameters) =>
      listed(hooksOf(request, parameters), request, hookReply),
    [`POST ${PROJECT}/hooks`]: (request, parameters) => {
      const { token, url } = request.body as { token: string; url: string };
      const hook = { id: model.nextId(), url, secret: token, events: [] };
      hooksOf(request, parameters).push(hook);
      return { status: 201, body: hookReply(hook) };
    },
    [`PUT ${PROJECT}/hooks/{hook}`]: (request, parameters) => {
      const hook = hooksOf(request, parameters).find(({ id }) => id === Number(parameters.hook))!;
      const { token, url } = request.body as { token: string; url: string };
      Object.assign(hook, { url, secret: token });
      return ok(hookReply(hook));
    },
  };

  return fake;
}

function ok(body: unknown): FakeReply {
  return { status: 200, body };
}

function listed<Item>(all: Item[], request: FakeRequest, reply: (item: Item) => unknown): FakeReply {
  const { headers, items } = pageOf(all, request);
  return { status: 200, body: items.map(reply), headers };
}

/** GitLab needs both numbers for unchanged lines; the fakes show only changed ones. */
function placeOf(position: Record<string, unknown>): Place {
  const range = position.line_range as { start: Record<string, number> } | undefined;
  const side = position.new_line === undefined && position.old_line !== undefined ? 'old' : 'new';
  const endLine = position.position_type === 'file' ? 0 : (position[`${side}_line`] as number);
  return {
    file: position.new_path as string,
    side,
    startLine: range?.start[`${side}_line`] ?? endLine,
    endLine,
  };
}

function systemNote(pullRequest: FakePullRequest) {
  const at = pullRequest.createdAt;
  const times = { createdAt: at, updatedAt: at };
  const comment = { id: 1, author: pullRequest.author, body: 'added 1 commit', ...times, reactions: [] };
  return { ...noteReply(pullRequest, comment, null), system: true };
}
