/** GitHub's own description of its REST API: examples to build replies from, and a check of each request and reply. */
import { type FakeReply, type FakeRequest, findRoute, type Parameters } from './fake-server.ts';
import { publishedFile } from './published-file.ts';
import {
  misfits,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Response,
  resolve,
} from './schema-check.ts';

/** GitHub's replies differ from its description here: deleted forks are null. */
const GAPS = [/head\.(repo|user): is null$/];

export interface Description {
  /** A fresh copy of a published example. */
  example(name: string): Record<string, unknown>;
  /** Returns errors of a request or its reply. */
  check(request: FakeRequest, path: string, reply: FakeReply): string[];
}

let loaded: Description | undefined;

/** Loaded once per process: the document has 13 MB. */
export function githubDescription(): Description {
  loaded ??= describe(
    JSON.parse(publishedFile('@octokit/openapi', 'generated/api.github.com.json')) as OpenApiDocument,
  );
  return loaded;
}

function describe(document: OpenApiDocument): Description {
  const operations: Record<string, Operation> = {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      operations[`${method.toUpperCase()} ${path}`] = operation;
  // `/user` before `/{anything}`: fixed paths are more specific.
  const sorted = Object.fromEntries(
    Object.entries(operations).sort(([a], [b]) => a.split('{').length - b.split('{').length),
  );
  return {
    example(name) {
      const found = document.components.examples?.[name] as { value: Record<string, unknown> } | undefined;
      if (!found) throw new Error(`GitHub publishes no example ${name}`);
      return structuredClone(found.value);
    },
    check(request, path, reply) {
      const found = findRoute(sorted, request.method, path);
      if (!found) return [`${request.method} ${path} is not described`];
      const { parameters, template, value } = found;
      return [
        ...checkParameters(document, value, request, parameters),
        ...checkBody(document, value, request),
        ...checkReply(document, value, reply),
      ].map((problem) => `${request.method} ${template}: ${problem}`);
    },
  };
}

function checkParameters(
  document: OpenApiDocument,
  operation: Operation,
  { query }: FakeRequest,
  inPath: Parameters,
): string[] {
  const described = (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one));
  const unknown = [...query.keys()].filter(
    (name) => !described.some((one) => one.in === 'query' && one.name === name),
  );
  const wrong = described.flatMap((one) => {
    const text = one.in === 'query' ? query.get(one.name) : one.in === 'path' ? inPath[one.name] : null;
    if (text === null || text === undefined) return one.required ? [`${one.name} is missing`] : [];
    const type = resolve(document, one.schema).type;
    const value = type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text;
    return misfits(document, one.schema, value, one.name);
  });
  return [...unknown.map((name) => `the parameter ${name} is not described`), ...wrong];
}

function checkBody(document: OpenApiDocument, operation: Operation, { body }: FakeRequest): string[] {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  if (!schema) return body === undefined ? [] : ['no body is described'];
  if (body === undefined) return operation.requestBody?.required ? ['the body is missing'] : [];
  const known = Object.keys((resolve(document, schema).properties ?? {}) as object);
  const unknown =
    known.length === 0 ? [] : Object.keys(body as object).filter((name) => !known.includes(name));
  return [
    ...unknown.map((name) => `the field ${name} is not described`),
    ...misfits(document, schema, body, 'body'),
  ];
}

function checkReply(document: OpenApiDocument, operation: Operation, reply: FakeReply): string[] {
  // Limits and failures are described for the API as a whole.
  if ([401, 403, 404, 429, 500, 502, 503].includes(reply.status)) return [];
  const described = operation.responses[String(reply.status)];
  if (!described) return [`the status ${reply.status} is not described`];
  const schema = resolve<Response>(document, described).content?.['application/json']?.schema;
  if (!schema) return reply.body === undefined ? [] : ['no reply body is described'];
  return misfits(document, schema, reply.body, 'reply')
    .filter((problem) => !GAPS.some((gap) => gap.test(problem)))
    .slice(0, 5);
}
