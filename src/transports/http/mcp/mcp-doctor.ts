/** GET /mcp/doctor: tells callers which credential they sent and whether it is accepted. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CredentialCheck } from '../../../platform/core/operations/credential-check.ts';
import { resourceMetadataUrl } from '../../../platform/core/ports/agent-sign-in.ts';
import {
  countRequest,
  findCaller,
  type IdentifyRules,
  type SentCredential,
  sentCredential,
} from '../access/identify.ts';
import type { Authenticate, ServerOptions } from '../types.ts';
import { type Diagnosis, diagnose } from './mcp-diagnosis.ts';

export interface DoctorReport extends Diagnosis {
  credential: { header: SentCredential['header']; kind: 'key' | 'token' | 'session'; shown: string } | null;
  /** Who the credential belongs to, if it is accepted. */
  caller: { user: string; organization: string; role: string } | null;
  warnings: { code: string; detail: string }[];
  service: { mcpUrl: string; resourceMetadataUrl: string };
}

export function addMcpDoctor<Context>(
  server: FastifyInstance,
  { authenticate, site }: ServerOptions<Context>,
  rules: IdentifyRules,
): void {
  server.get('/mcp/doctor', { config: { operation: 'mcp-doctor' } }, async (request, reply) => {
    countRequest(await findCaller(request, rules), request, reply, rules.rateLimit);
    const sent = sentCredential(request, site.baseUrl);
    const check = await explain(sent, authenticate);
    const report: DoctorReport = {
      ...diagnose(sent, check, request.headers.authorization),
      credential: sent ? describe(sent) : null,
      caller: check?.accepted
        ? { user: check.user, organization: check.organization, role: check.role }
        : null,
      warnings: warningsAbout(request, site.baseUrl),
      service: {
        mcpUrl: `${site.baseUrl}/mcp`,
        resourceMetadataUrl: resourceMetadataUrl(site.baseUrl),
      },
    };
    return reply.header('cache-control', 'no-store').send(report);
  });
}

async function explain(
  sent: SentCredential | undefined,
  { explain: by }: Authenticate,
): Promise<CredentialCheck | undefined> {
  if (!sent || sent.header === 'cookie') return undefined;
  return 'key' in sent ? by.key(sent.key) : by.token(sent.token);
}

function describe(sent: SentCredential): DoctorReport['credential'] {
  const { header } = sent;
  if ('key' in sent) return { header, kind: 'key', shown: endsOf(sent.key, 8) };
  if ('token' in sent) return { header, kind: 'token', shown: endsOf(sent.token, 4) };
  return { header, kind: 'session', shown: '…' };
}

/** The first and last characters, if the secret is long enough to stay unusable. */
function endsOf(secret: string, first: number): string {
  return secret.length < 32 ? '…' : `${secret.slice(0, first)}…${secret.slice(-4)}`;
}

function warningsAbout(request: FastifyRequest, baseUrl: string): DoctorReport['warnings'] {
  const warnings: DoctorReport['warnings'] = [];
  const { headers } = request;
  if (headers['x-api-key'] !== undefined && headers.authorization !== undefined) {
    warnings.push({
      code: 'two_credentials',
      detail: 'Both x-api-key and Authorization were sent. Only x-api-key is used; send just one.',
    });
  }
  const expected = new URL(baseUrl).host;
  if (request.host !== expected) {
    warnings.push({
      code: 'base_url_differs',
      detail: `You reached ${JSON.stringify(request.host)}, but the service's BASE_URL is ${JSON.stringify(expected)}. OAuth sign-in and links to plans use BASE_URL: use that address, or correct the setting.`,
    });
  }
  return warnings;
}
