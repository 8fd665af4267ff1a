/** Errors in the OpenAPI document: the `Problem` schema and the shared error responses. */

import { PROBLEMS, type ProblemCode } from '../../../platform/core/errors/errors.ts';
import { ROLES } from '../../../platform/core/operations/actor.ts';
import { type Operation, pathParameters, readsQuery } from '../../../platform/core/operations/operation.ts';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const EXAMPLE_REQUEST_ID = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

/** Every error code that an operation may return, in the order of `PROBLEMS`. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const fields = Object.keys(operation.input.shape).length;
  const hasBody = !readsQuery(operation) && fields > pathParameters(operation).length;
  const changes = operation.http.method !== 'GET';
  const possible: Partial<Record<ProblemCode, boolean>> = {
    invalid_request: fields > 0 || operation.idempotent === true,
    invalid_json: hasBody,
    unauthenticated: operation.accepts.length > 0,
    key_not_accepted: !operation.accepts.includes('key'),
    forbidden: operation.role !== null && operation.role !== ROLES[0],
    // Browsers never send a key automatically, so only endpoints that accept a cookie or nothing are open to cross-site requests.
    cross_origin: changes && (operation.accepts.length === 0 || operation.accepts.includes('session')),
    idempotency_conflict: operation.idempotent === true,
    payload_too_large: hasBody,
    unsupported_media_type: hasBody,
    rate_limited: true,
    internal: true,
    unavailable: true,
  };
  return CODES.filter((code) => possible[code] || operation.problems.includes(code));
}

/** Collects one shared response for each set of codes that operations return with one status. */
export class ProblemResponses {
  readonly #baseUrl: string;
  readonly #responses = new Map<string, { status: number; response: object }>();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** The `responses` entries of an operation: status to reference. */
  describe(operation: Operation): Record<string, object> {
    const byStatus = Map.groupBy(problemsOf(operation), (code) => PROBLEMS[code].status);
    return Object.fromEntries(
      [...byStatus].map(([status, codes]) => {
        const name = codes.map(pascalCase).join('Or');
        if (!this.#responses.has(name)) {
          this.#responses.set(name, { status, response: this.#response(status, codes) });
        }
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  /** By status, then by name. */
  components(): Record<string, object> {
    const sorted = [...this.#responses].sort(
      ([leftName, left], [rightName, right]) => left.status - right.status || (leftName < rightName ? -1 : 1),
    );
    return Object.fromEntries(sorted.map(([name, { response }]) => [name, response]));
  }

  #response(status: number, codes: ProblemCode[]): object {
    const waits = codes.some((code) => PROBLEMS[code].next.includes('`Retry-After`'));
    return {
      description: codes
        .map((code) => `\`${code}\`: ${PROBLEMS[code].title}. ${PROBLEMS[code].next}`)
        .join('\n\n'),
      headers: {
        'X-Request-Id': header('RequestId'),
        ...(codes.includes('unauthenticated') && { 'WWW-Authenticate': header('Challenge') }),
        ...(waits && { 'Retry-After': header('RetryAfter') }),
        ...(status === 429 && RATE_LIMIT_HEADERS),
      },
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(codes.map((code) => [code, this.#example(code)])),
        },
      },
    };
  }

  #example(code: ProblemCode): object {
    const { status, title } = PROBLEMS[code];
    return {
      summary: title,
      value: {
        type: `${this.#baseUrl}/docs/errors#${code}`,
        title,
        status,
        detail: `${title}.`,
        code,
        requestId: EXAMPLE_REQUEST_ID,
        ...(code === 'invalid_request' && { errors: [{ path: 'name', message: 'is required' }] }),
        ...(code === 'ambiguous_repository' && { candidates: ['acme/api', 'platform/api'] }),
      },
    };
  }
}

export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'What went wrong, as problem details (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri', description: 'The page that explains this code.' },
    title: { type: 'string', description: 'The same sentence for every problem of this code.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What went wrong this time, for a person to read.' },
    code: { type: 'string', enum: CODES, description: 'A stable code. Its meaning never changes.' },
    requestId: {
      type: 'string',
      format: 'uuid',
      description: 'Identifies this request in the service log.',
    },
    errors: {
      type: 'array',
      description: 'Everything that is wrong with the request.',
      items: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            description: 'The field, such as `items[2].name`; empty for the request as a whole.',
          },
          message: {
            type: 'string',
            description: 'What is wrong with it; reads as a sentence after the name of the field.',
          },
        },
        required: ['path', 'message'],
      },
    },
    candidates: {
      type: 'array',
      description: 'Full names of repositories to choose from, when a name was ambiguous or is not known.',
      items: { type: 'string' },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
};

export function header(name: keyof typeof HEADERS): object {
  return { $ref: `#/components/headers/${name}` };
}

export const HEADERS = {
  RequestId: {
    description: 'Identifies this request in the service log.',
    schema: { type: 'string', format: 'uuid' },
  },
  RateLimitLimit: { description: 'Requests allowed in a minute.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in this minute.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the limit resets.', schema: { type: 'integer' } },
  RetryAfter: {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1 },
  },
  Challenge: { description: 'The kind of credential that is required.', schema: { type: 'string' } },
};

export const RATE_LIMIT_HEADERS = {
  'RateLimit-Limit': header('RateLimitLimit'),
  'RateLimit-Remaining': header('RateLimitRemaining'),
  'RateLimit-Reset': header('RateLimitReset'),
};

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
