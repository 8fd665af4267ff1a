/**
 * The checks of what organizations set up. The operator's command checks every organization; an admin's page only their own,
 * so that nobody sees the addresses and problems of another organization.
 */

import { PrivateAddressError } from '../../platform/core/network/private-address.ts';
import { sendRequest } from '../../platform/core/network/send-request.ts';
import type { ModelEndpoint } from '../../platform/core/ports/model-endpoint.ts';
import {
  ANSWER_WITHIN_MS,
  bad,
  type CheckedHost,
  type CheckResult,
  good,
  NO_DATABASE,
  skipped,
} from './host-check.ts';
import {
  countFailedHostWebhooks,
  countFailingWebhooks,
  hasCodeHost,
  selectFailingHosts,
  selectIssuers,
  selectModelTests,
} from './organization-check-store.ts';

const MAX_REPLY_BYTES = 256 * 1024;

export async function checkCodeHosts({ db, organizationId }: CheckedHost): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  if (!(await hasCodeHost(db, organizationId))) return skipped('none is connected');
  const failing = await selectFailingHosts(db, organizationId);
  if (failing.length === 0) return good('all connections work');
  return bad(
    failing.map(({ problem, state, url }) => `${url}: ${problem ?? state}`).join('; '),
    'See Settings → Code hosts.',
  );
}

export async function checkHostWebhooks({ db, organizationId }: CheckedHost): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  if (!(await hasCodeHost(db, organizationId))) return skipped('no code host is connected');
  const failed = await countFailedHostWebhooks(db, organizationId);
  if (failed.length === 0) return good('none is missing');
  return bad(
    failed.map(({ count, problem, url }) => `${url}: missing for ${count} (${problem})`).join('; '),
    'Allow the credential to create webhooks, or create them as described in Settings → Code hosts. Until then, the host is polled.',
  );
}

export async function checkWebhooks({ db, organizationId }: CheckedHost): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const { deliveries, webhooks } = await countFailingWebhooks(db, organizationId);
  if (deliveries === 0) return good('no delivery failed in the last 24 hours');
  return bad(
    `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'} of ${webhooks} ${webhooks === 1 ? 'webhook' : 'webhooks'} failed in the last 24 hours`,
    'See Settings → Webhooks for the responses, and resend them there.',
  );
}

/** Reads what each provider publishes; whether it accepts the client is tested under Settings → Single sign-on. */
export async function checkSingleSignOn({ db, organizationId, settings }: CheckedHost): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const issuers = await selectIssuers(db, organizationId);
  if (issuers.length === 0) return skipped('not set up');
  const problems = await Promise.all(
    issuers.map(async (issuer) => {
      const allowPrivateAddresses =
        settings.allowPrivateAddresses || settings.singleSignOn?.issuer === issuer;
      const problem = await discoveryProblem(issuer, allowPrivateAddresses);
      return problem && `${issuer}: ${problem}`;
    }),
  );
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length === 0) return good(issuers.join(', '));
  return bad(found.join('; '), 'See Settings → Single sign-on and test the connection.');
}

async function discoveryProblem(issuer: string, allowPrivateAddresses: boolean): Promise<string | undefined> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const reply = await ask(url, {}, allowPrivateAddresses);
  if (typeof reply === 'string') return reply;
  if (reply.status !== 200) return `responds with ${reply.status}`;
  try {
    const published = JSON.parse(reply.body.toString()).issuer as unknown;
    return published === issuer ? undefined : 'publishes another issuer';
  } catch {
    return 'does not publish its configuration';
  }
}

/** Asks the operator's models for a list, which costs nothing, and shows what organizations' own tests found. */
export async function checkModel({ db, organizationId, settings }: CheckedHost): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const rows = await selectModelTests(db, organizationId);
  const tested = rows.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]));
  const { models } = settings;
  const own = rows.length > 0 && organizationId !== undefined;
  const endpoints = !models || own ? [] : [models.finding, ...(models.secondLook ? [models.secondLook] : [])];
  const asked = await Promise.all(endpoints.map(modelProblem));
  const problems = [...asked.filter((problem) => problem !== undefined), ...tested];
  if (problems.length > 0)
    return bad(
      problems.join('; '),
      'Check MODEL_URL and MODEL_API_KEY, or test the model under Settings → Model.',
    );
  if (endpoints.length > 0) return good(endpoints.map(({ model, url }) => `${model} at ${url}`).join(', '));
  return rows.length > 0 ? good('no problem in the last test') : skipped('not set up');
}

async function modelProblem(endpoint: ModelEndpoint): Promise<string | undefined> {
  const { format, key, url } = endpoint;
  const headers: Record<string, string> = format === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
  if (key !== null && format === 'anthropic') headers['x-api-key'] = key;
  if (key !== null && format === 'openai') headers.authorization = `Bearer ${key}`;
  const reply = await ask(new URL(`${url}/models`), headers, endpoint.allowPrivateAddresses);
  if (typeof reply === 'string') return `${url}: ${reply}`;
  if (reply.status === 401 || reply.status === 403) return `${url}: refuses the key (${reply.status})`;
  // Not every server has a list.
  return reply.status >= 500 ? `${url}: responds with ${reply.status}` : undefined;
}

/** The response, or why there is none. */
async function ask(url: URL, headers: Record<string, string>, allowPrivateAddresses: boolean) {
  try {
    return await sendRequest({
      method: 'GET',
      url,
      headers,
      allowPrivateAddresses,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      maxBytes: MAX_REPLY_BYTES,
    });
  } catch (error) {
    if (error instanceof PrivateAddressError) return 'has a loopback or private address';
    return `cannot be reached (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`;
  }
}
