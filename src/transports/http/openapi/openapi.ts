/** The operations table as an OpenAPI 3.1 document: the same table always gives the same bytes. */
import { z } from 'zod';
import type { CredentialKind } from '../../../platform/core/operations/actor.ts';
import {
  keyAcceptingEndpoints,
  type Operation,
  pathParameters,
  readsQuery,
  restCredentials,
  type VendorSettings,
} from '../../../platform/core/operations/operation.ts';
import { sessionCookieName } from '../access/session-cookie.ts';
import { GROUP_DESCRIPTIONS, introduction } from './openapi-introduction.ts';
import {
  HEADERS,
  header,
  PROBLEM_SCHEMA,
  ProblemResponses,
  problemsOf,
  RATE_LIMIT_HEADERS,
} from './openapi-problems.ts';
import { type JsonSchema, SchemaCollection } from './openapi-schemas.ts';

export interface DocumentSite {
  /** Without a trailing slash. */
  baseUrl: string;
  version: string;
}

const SCHEME_OF: Record<CredentialKind, string> = { key: 'apiKey', session: 'session', oauth: 'oauth' };

export function openApiDocument(
  operations: readonly Operation[],
  site: DocumentSite,
  settings: VendorSettings,
): object {
  const schemas = new SchemaCollection(settings);
  const problems = new ProblemResponses(site.baseUrl);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = operation.http.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][operation.http.method.toLowerCase()] = describeOperation(operation, schemas, problems);
  }
  const groups = [...new Set(operations.map((operation) => operation.group))];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Countersign API',
      version: site.version,
      description: introduction(operations, site.baseUrl),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      'x-key-accepting-endpoints': keyAcceptingEndpoints(operations),
    },
    servers: [{ url: site.baseUrl }],
    tags: groups.map((name) => ({ name, description: GROUP_DESCRIPTIONS[name] })),
    paths,
    components: {
      securitySchemes: securitySchemes(operations, site.baseUrl),
      schemas: { Problem: PROBLEM_SCHEMA, ...schemas.components() },
      responses: problems.components(),
      headers: usedHeaders(operations),
    },
  };
}

function describeOperation(
  operation: Operation,
  schemas: SchemaCollection,
  problems: ProblemResponses,
): object {
  const { parameters, body } = describeInput(operation, schemas);
  return {
    operationId: operation.name,
    tags: [operation.group],
    summary: operation.summary,
    ...describeUse(operation),
    security: restCredentials(operation).map((kind) => ({ [SCHEME_OF[kind]]: [operation.role] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [operation.http.status]: describeReply(operation, schemas),
      ...(operation.http.also && {
        [operation.http.also.status]: {
          ...describeReply(operation, schemas),
          description: operation.http.also.when,
        },
      }),
      ...problems.describe(operation),
    },
  };
}

/** The description, and who may call it, for tools that don't show the roles of security requirements. */
function describeUse({ description, role }: Operation): { description?: string } {
  const sentence =
    role === null ? undefined : `Requires the role \`${role}\`${role === 'owner' ? '' : ' or higher'}.`;
  const text = [description, sentence].filter(Boolean).join(' ');
  return text === '' ? {} : { description: text };
}

function describeInput(operation: Operation, schemas: SchemaCollection) {
  const inPath = pathParameters(operation);
  const {
    properties = {},
    required = [],
    ...whole
  } = schemas.describe(
    // Only its fields: a named schema would hide them behind a reference.
    z.object(operation.input.shape),
    'input',
    `${operation.name}-request`,
  ) as JsonSchema & {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const names = Object.keys(properties);
  const outsidePath = names.filter((name) => !inPath.includes(name));
  const parameter = (name: string, place: 'path' | 'query') => {
    const { description, ...schema } = properties[name]!;
    const needed = place === 'path' || required.includes(name);
    return {
      name,
      in: place,
      ...(needed && { required: true }),
      ...(description ? { description } : {}),
      schema,
      ...(operation.example?.request[name] !== undefined && { example: operation.example.request[name] }),
    };
  };

  const parameters: object[] = inPath.map((name) => parameter(name, 'path'));
  if (operation.idempotent) parameters.push(IDEMPOTENCY_KEY);
  if (readsQuery(operation)) {
    return {
      parameters: [...parameters, ...outsidePath.map((name) => parameter(name, 'query'))],
      body: undefined,
    };
  }
  if (outsidePath.length === 0) return { parameters, body: undefined };
  const needed = required.filter((name) => outsidePath.includes(name));
  const schema = {
    ...whole,
    properties: Object.fromEntries(outsidePath.map((name) => [name, properties[name]])),
    ...(needed.length > 0 && { required: needed }),
  };
  const sent =
    operation.example &&
    exampleBody(operation.example.request, schema.properties as Record<string, JsonSchema>);
  const media = { schema, ...(sent && { example: sent }) };
  return { parameters, body: { required: needed.length > 0, content: { 'application/json': media } } };
}

/** The body fields of the example; a value that the settings don't allow is replaced by one they do. */
function exampleBody(request: Record<string, unknown>, properties: Record<string, JsonSchema>): object {
  const fields = Object.entries(request).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const allowed = properties[name]!.enum as unknown[] | undefined;
      return [name, allowed && !allowed.includes(value) ? allowed[0] : value];
    }),
  );
}

function describeReply(operation: Operation, schemas: SchemaCollection): object {
  const headers = { 'X-Request-Id': header('RequestId'), ...RATE_LIMIT_HEADERS };
  if (operation.output === null) return { description: 'Success, no body.', headers };
  const schema = schemas.describe(operation.output, 'output', `${operation.name}-reply`);
  const description = operation.http.status === 201 ? 'Created.' : 'Success.';
  const { download, eventStream, image } = operation.http;
  const type =
    download?.contentType ?? (image ? 'image/*' : eventStream ? 'text/event-stream' : 'application/json');
  const reply = operation.example?.reply;
  return {
    description,
    headers,
    content: { [type]: { schema, ...(reply !== undefined && { example: reply }) } },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique value that identifies this request. Sending the same request with the same key within 24 hours returns the first successful reply without running it again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function securitySchemes(operations: readonly Operation[], baseUrl: string): Record<string, object> {
  const schemes: Record<CredentialKind, object> = {
    key: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'An API key, such as `csk_…`. `Authorization: Bearer csk_…` works too.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(baseUrl),
      description: 'The session cookie that signing in sets.',
    },
    oauth: {
      type: 'http',
      scheme: 'bearer',
      description: 'The access token of an agent connected with OAuth 2.1.',
    },
  };
  const used = new Set(operations.flatMap(restCredentials));
  const kinds = (Object.keys(schemes) as CredentialKind[]).filter((kind) => used.has(kind));
  return Object.fromEntries(kinds.map((kind) => [SCHEME_OF[kind], schemes[kind]]));
}

/** `WWW-Authenticate` is sent only with `unauthenticated`, which a table of public operations does not use. */
function usedHeaders(operations: readonly Operation[]): object {
  const { Challenge, ...others } = HEADERS;
  const challenged = operations.some((operation) => problemsOf(operation).includes('unauthenticated'));
  return challenged ? { ...others, Challenge } : others;
}
