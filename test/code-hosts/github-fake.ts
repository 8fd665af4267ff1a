/**
 * A GitHub Enterprise Server for tests. Each REST request and reply is checked against GitHub's published description, each
 * GraphQL one against its published schema; what doesn't fit is a problem that tests fail on.
 */
import { type FakeModel, repositoryOfChange } from './fake-model.ts';
import {
  exchangeCode,
  FakeRefusal,
  type FakeReply,
  type FakeRequest,
  type FakeServer,
  findRoute,
  startFakeServer,
} from './fake-server.ts';
import { appRoutes } from './github-app-routes.ts';
import { createCallers } from './github-callers.ts';
import { githubDelivery } from './github-deliveries.ts';
import { githubDescription } from './github-description.ts';
import { answerGraphql } from './github-graphql.ts';
import { pullRequestRoutes } from './github-pull-request-routes.ts';
import { repositoryRoutes } from './github-repository-routes.ts';

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
  /** Default: all that the manifest asks for. */
  events?: string[];
  installations: FakeInstallation[];
  hook: { url: string; secret: string } | null;
}

export interface GitHubFake extends FakeServer {
  model: FakeModel;
  /** The App, if there is one; its bot's account is `slug[bot]`. */
  app: FakeApp | null;
  /** Scopes of classic tokens, and their expiry as the header has it. */
  tokenHeaders: Record<string, string>;
  /** `checks`: the credential may not read check runs, as fine-grained tokens. */
  forbidden: string[];
  /** Codes of created Apps that can be exchanged. */
  manifestCodes: Map<string, Json>;
}

const REST = '/api/v3';

export async function startGitHubFake(
  model: FakeModel,
  options: { gitFolder?: string } = {},
): Promise<GitHubFake> {
  const server = await startFakeServer({ answer, gitFolder: options.gitFolder, etags: true });
  const fake: GitHubFake = Object.assign(server, {
    model,
    app: null,
    tokenHeaders: {},
    forbidden: [],
    manifestCodes: new Map(),
  });
  const callers = createCallers(fake);
  const routes = {
    ...appRoutes(fake, callers),
    ...repositoryRoutes(fake, callers),
    ...pullRequestRoutes(fake, callers),
  };

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

  async function graphql(request: FakeRequest): Promise<FakeReply> {
    const caller = callers.callerOf(request);
    const { body, problems } = await answerGraphql(
      model,
      { account: caller.account, canSee: ({ repository }) => callers.canSee(caller, repository) },
      request.body as { query: string; variables: Record<string, unknown> },
    );
    fake.problems.push(...problems.map((problem) => `GraphQL: ${problem}`));
    return { status: 200, body };
  }

  return fake;
}
