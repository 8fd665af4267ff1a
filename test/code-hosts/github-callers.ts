/** Who sends a request to the fake GitHub, what they can see there, and what a request's path names. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { FakeAccount, FakePullRequest, FakeRepository } from './fake-model.ts';
import { FakeRefusal, type FakeReply, type FakeRequest, type Parameters } from './fake-server.ts';
import type { FakeApp, FakeInstallation, GitHubFake } from './github-fake.ts';

/** Who sends a request: a person's token, the App itself, or one of its installations. */
export interface Caller {
  account: FakeAccount;
  installation: FakeInstallation | null;
  isApp: boolean;
}

export type GitHubCallers = ReturnType<typeof createCallers>;
export type GitHubRoute = (request: FakeRequest, parameters: Parameters) => FakeReply | Promise<FakeReply>;

export function createCallers(fake: GitHubFake) {
  const { model } = fake;
  const installationTokens = new Map<string, { installation: FakeInstallation; expiresAt: Date }>();
  let publicKey: KeyObject | undefined;

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

  function appOf(request: FakeRequest): { app: FakeApp } {
    const { isApp } = callerOf(request);
    if (!isApp || !fake.app) throw new FakeRefusal(401, { message: 'A JSON web token could not be decoded' });
    return { app: fake.app };
  }
  /** A token of an installation of the App, valid for an hour. */
  function issueToken(app: FakeApp, installation: FakeInstallation): { token: string; expiresAt: Date } {
    const token = `ghs_${model.nextId()}`;
    const expiresAt = new Date(Date.now() + 3_600_000);
    installationTokens.set(token, { installation, expiresAt });
    fake.tokens.set(token, model.account(`${app.slug}[bot]`, { bot: true }));
    return { token, expiresAt };
  }

  return {
    adminOf,
    appOf,
    callerOf,
    canSee,
    issueToken,
    pullRequestAt,
    repositoryAt,
    reviewAt,
    visibleReviews,
  };
}

export function ok(body: unknown, headers: Record<string, string> = {}): FakeReply {
  return { status: 200, body, headers };
}

export function notFound(): FakeRefusal {
  const documentation_url = 'https://docs.github.com/rest';
  return new FakeRefusal(404, { message: 'Not Found', documentation_url, status: '404' });
}

export function unprocessable(message: string): FakeRefusal {
  return new FakeRefusal(422, {
    message: 'Unprocessable Entity',
    errors: [message],
    documentation_url: 'https://docs.github.com/rest',
  });
}
