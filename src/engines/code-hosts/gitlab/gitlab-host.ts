/** GitLab: gitlab.com and self-managed servers. */
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { HostError, isHostError } from '../host-error.ts';
import { keepSummary } from '../keep-summary.ts';
import { MAX_READERS, MAX_TEAM_ACCOUNTS } from '../limits.ts';
import { collect, hasNextPage, listAll, pageNumber } from '../pages.ts';
import type { Capabilities, CodeHost, PullRequestRef, SuggestedLines } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { describeGitLab } from './describe.ts';
import { ensureWebhook } from './ensure-webhook.ts';
import { createForkNames } from './fork-names.ts';
import { listMergeRequests } from './list-merge-requests.ts';
import { withoutQuickActions, withSuggestionRange } from './note-text.ts';
import { publishReview } from './publish-review.ts';
import { accountOf, commentOf, mergeabilityOf, pullRequestOf, repositoryOf, verdictsOf } from './read.ts';
import { readDiscussion } from './read-discussion.ts';
import { addReactions } from './read-reactions.ts';
import { readReviewers } from './read-reviewers.ts';
import { readStatuses } from './read-statuses.ts';
import { setCommitStatus } from './set-commit-status.ts';
import {
  approvalsShape,
  createdShape,
  memberShape,
  mergeRequestShape,
  noteShape,
  projectShape,
  userShape,
} from './shapes.ts';

const PAGE_SIZE = 100;
/** Guests can't read the code of private projects. */
const REPORTER = 20;
const API = '/api/v4';

export const GITLAB_CAPABILITIES: Capabilities = {
  threads: true,
  resolve: true,
  checks: false,
  suggestions: true,
  fileComments: true,
};

export interface GitLabHostOptions {
  client: HostClient;
  /** The address for people, without a slash at the end. */
  web: string;
  token: string;
}

export function createGitLabHost({ client, token, web }: GitLabHostOptions): CodeHost {
  const repositoryAt = (fullName: string) => `${API}/projects/${projectId(fullName)}`;
  const pullRequestAt = ({ number, repository }: PullRequestRef) =>
    `${repositoryAt(repository)}/merge_requests/${number}`;
  const urlOf = ({ number, repository }: PullRequestRef) => `${web}/${repository}/-/merge_requests/${number}`;

  const sourceOf = createForkNames(client, API);

  const noteText = (body: string, lines: SuggestedLines | undefined) =>
    withoutQuickActions(lines ? withSuggestionRange(body, lines) : body);
  async function createNote(path: string, body: string, lines?: SuggestedLines): Promise<string> {
    const { json } = await client({ method: 'POST', path, body: { body: noteText(body, lines) } });
    return String(readReply(createdShape, json, 'the comment').id);
  }
  async function editNote(
    ref: PullRequestRef,
    id: string,
    body: string,
    lines?: SuggestedLines,
  ): Promise<void> {
    const path = `${pullRequestAt(ref)}/notes/${encodeURIComponent(id)}`;
    await client({ method: 'PUT', path, body: { body: noteText(body, lines) } });
  }

  return {
    kind: 'gitlab',
    can: () => Promise.resolve(GITLAB_CAPABILITIES),
    describe: () => describeGitLab(client, GITLAB_CAPABILITIES),

    async repositories(page) {
      const number = pageNumber(page);
      const { headers, json } = await client({
        path: `${API}/projects`,
        query: { membership: true, order_by: 'id', sort: 'asc', per_page: PAGE_SIZE, page: number },
      });
      const found = readReply(z.array(projectShape), json, 'the projects');
      return { items: found.map(repositoryOf), next: hasNextPage(headers) ? String(number + 1) : null };
    },

    async repository(fullName) {
      const { json } = await client({ path: repositoryAt(fullName) });
      return repositoryOf(readReply(projectShape, json, 'the project'));
    },

    async readers(fullName) {
      const request = { path: `${repositoryAt(fullName)}/members/all` };
      const { items, truncated } = await collect(
        listAll({ client, request, shape: memberShape, what: 'the members' }),
        MAX_READERS,
      );
      const readers = items.filter(
        ({ access_level, state }) => access_level >= REPORTER && (state ?? 'active') === 'active',
      );
      return { accounts: readers.map(accountOf), truncated };
    },

    async teamMembers(path) {
      const request = { path: `${API}/groups/${encodeURIComponent(path)}/members/all` };
      const { items, truncated } = await collect(
        listAll({ client, request, shape: memberShape, what: 'the members of the group' }),
        MAX_TEAM_ACCOUNTS,
      );
      const active = items.filter(({ state }) => (state ?? 'active') === 'active');
      return { accounts: active.map(accountOf), truncated };
    },

    pullRequests: async (fullName, query) =>
      await listMergeRequests(client, repositoryAt(fullName), query, (found) => sourceOf(found, fullName)),

    async pullRequest(ref) {
      const path = pullRequestAt(ref);
      const found = readReply(mergeRequestShape, (await client({ path })).json, 'the merge request');
      const approvals = await client({ path: `${path}/approvals` });
      return {
        ...pullRequestOf(found, await sourceOf(found, ref.repository)),
        mergeability: mergeabilityOf(found),
        verdicts: verdictsOf(
          readReply(approvalsShape, approvals.json, 'the approvals'),
          await readReviewers(client, path),
        ),
      };
    },

    async discussion(ref, needsReactions) {
      const discussion = await readDiscussion(client, pullRequestAt(ref), urlOf(ref));
      if (needsReactions) await addReactions(client, ref, discussion.threads, needsReactions);
      return discussion;
    },

    publish: (ref, batch) => publishReview(client, pullRequestAt(ref), batch),

    async dismissReview(ref) {
      try {
        await client({ method: 'POST', path: `${pullRequestAt(ref)}/unapprove`, repeatable: true });
      } catch (error) {
        // Our account has not approved it.
        if (!isHostError(error, 'not_found')) throw error;
      }
    },

    async reply(ref, threadId, body, lines) {
      const path = `${pullRequestAt(ref)}/discussions/${encodeURIComponent(threadId)}/notes`;
      return { kind: 'thread', id: await createNote(path, body, lines) };
    },

    async comment(ref, body) {
      return { kind: 'conversation', id: await createNote(`${pullRequestAt(ref)}/notes`, body) };
    },

    edit: (ref, { id }, body, lines) => editNote(ref, id, body, lines),

    async remove(ref, { id }) {
      await client({ method: 'DELETE', path: `${pullRequestAt(ref)}/notes/${encodeURIComponent(id)}` });
    },

    async setResolved(ref, threadId, resolved) {
      const path = `${pullRequestAt(ref)}/discussions/${encodeURIComponent(threadId)}`;
      await client({ method: 'PUT', path, query: { resolved } });
    },

    async setDescription(ref, body) {
      const description = withoutQuickActions(body);
      await client({ method: 'PUT', path: pullRequestAt(ref), body: { description }, repeatable: true });
    },

    async setSummary(ref, summary) {
      const request = { path: `${pullRequestAt(ref)}/notes`, query: { sort: 'asc', order_by: 'created_at' } };
      const place = {
        async *comments() {
          for await (const note of listAll({ client, request, shape: noteShape, what: 'the notes' }))
            if (!note.system && !note.position) yield commentOf(note, 'conversation', urlOf(ref));
        },
        async ownAccountId() {
          const { json } = await client({ path: `${API}/user` });
          return accountOf(readReply(userShape, json, 'the account')).id;
        },
        edit: (id: string, body: string) => editNote(ref, id, body),
        create: (body: string) => createNote(request.path, body),
      };
      return await keepSummary(place, summary);
    },

    setCheck: async (fullName, commit, check) =>
      await setCommitStatus(client, repositoryAt(fullName), commit, check),

    statuses: async (fullName, commit) => await readStatuses(client, repositoryAt(fullName), commit),

    fetchAddress(fullName) {
      projectId(fullName);
      return Promise.resolve({
        url: `${web}/${fullName}.git`,
        credential: { username: 'oauth2', password: token },
        expiresAt: null,
        refspecs: [
          '+refs/heads/*:refs/heads/*',
          '+refs/tags/*:refs/tags/*',
          '+refs/merge-requests/*/head:refs/merge-requests/*/head',
        ],
      });
    },

    ensureWebhook: async (fullName, webhook) => await ensureWebhook(client, repositoryAt(fullName), webhook),
  };
}

/** `group/subgroup/name`, encoded for a path. Throws `not_found` for what no project can be called. */
function projectId(fullName: string): string {
  const parts = fullName.split('/');
  if (parts.length < 2 || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new HostError('not_found', 'A repository is named as group/name.');
  return encodeURIComponent(fullName);
}
