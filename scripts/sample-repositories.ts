/** The sample organization's repositories: one with code, one that is being cloned, and one that can't be cloned. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import { makeRepository } from '../test/git-fixtures.ts';
import { DECLINED_CARDS, SHOP_FILES } from './sample-code.ts';
import type { SamplePeople } from './sample-organization.ts';
import { ago, MINUTE } from './story.ts';

export interface SampleRepositories {
  /** The one with code. */
  shop: string;
  /** The one that can't be cloned. */
  ledger: string;
  close(): Promise<void>;
}

const POLL_MS = 200;
const MAX_WAIT_MS = 60_000;
const CLONING = 'acme/monorepo';
const LOCKED = '/acme/ledger.git';

export async function makeSampleRepositories({ ada, people }: SamplePeople): Promise<SampleRepositories> {
  const repository = await makeRepository(SHOP_FILES, { name: 'acme/web-shop.git' });
  await repository.git('branch', 'feature/gift-cards');
  await repository.git('branch', 'release/2026-03');
  await repository.commit(DECLINED_CARDS, {
    branch: 'declined-cards',
    from: 'main',
    message: 'Tell customers which card was declined\n\nSupport gets 40 questions a week about it.',
  });
  await repository.git('tag', 'v4.1.0');
  const origin = await startOrigin();
  const add = async (url: string, name: string, more: object = {}): Promise<string> =>
    (await people.send(ada, 'POST', '/api/v2/repositories', { url, name, ...more })).id;
  const until = async (id: string, state: string) => {
    for (const endMs = Date.now() + MAX_WAIT_MS; ; ) {
      const repository = await people.send(ada, 'GET', `/api/v2/repositories/${id}`);
      if (repository.state === state) return;
      if (Date.now() > endMs)
        throw new Error(`The repository did not become ${state}: ${JSON.stringify(repository)}`);
      await new Promise((passed) => setTimeout(passed, POLL_MS));
    }
  };
  const shop = await add(repository.folder, 'acme/web-shop');
  const ledger = await add(`${origin.url}${LOCKED}`, 'acme/ledger', { visibility: 'members' });
  await add(`${origin.url}/acme/monorepo.git`, CLONING);
  await until(shop, 'ready');
  await until(ledger, 'failed');
  return {
    shop,
    ledger,
    async close() {
      origin.close();
      await repository.remove();
    },
  };
}

/** A git server that requires a password for one repository and never answers for the others. */
async function startOrigin(): Promise<{ url: string; close(): void }> {
  const held: ServerResponse[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url?.startsWith(LOCKED))
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    else held.push(response);
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const response of held) response.destroy();
      server.close();
    },
  };
}

interface Row {
  name: string;
  problem?: object | null;
  [field: string]: unknown;
}

/** Replaces times, addresses and progress in replies about repositories with those of the story. */
export async function settleRepositories(
  context: BrowserContext,
  origin: string,
  service: string,
): Promise<void> {
  await context.route(new RegExp(`^${origin}/api/v2/repositories(/[^/?]*)?(\\?|$)`), async (route) => {
    const request = route.request();
    if (request.method() !== 'GET') return route.fallback();
    const url = request.url().replace(origin, service);
    const reply = await route.fetch({ url, headers: await request.allHeaders() });
    const body = await reply.json();
    if (Array.isArray(body.repositories)) body.repositories = body.repositories.map(settle);
    return route.fulfill({ response: reply, json: body.name ? settle(body) : body });
  });
}

function settle(repository: Row): Row {
  const problem = repository.problem && {
    ...repository.problem,
    at: ago(6 * MINUTE),
    nextTryAt: ago(-9 * MINUTE),
  };
  const activity = repository.name === CLONING && {
    phase: 'receiving',
    percent: 62,
    objects: 1_284_310,
    totalObjects: 2_071_468,
    bytes: 812_400_000,
    startedAt: ago(3 * MINUTE),
  };
  return {
    ...repository,
    url: repository.url && `https://git.acme.example/${repository.name}.git`,
    problem,
    activity: activity || null,
    ...(activity && { state: 'cloning' }),
    refreshedAt: repository.refreshedAt && ago(2 * MINUTE),
  };
}
