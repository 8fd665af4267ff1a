/** GitHub's own description of its REST API: examples to build replies from, and a check of each request and reply. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type FakeReply, type FakeRequest, findRoute, type Parameters } from './fake-server.ts';

export interface Schema {
  [keyword: string]: unknown;
}

export interface GithubOperation {
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  body?: { required: boolean; schema: Schema };
  /** By status; null without a body. */
  replies: Record<string, Schema | null>;
}

/** The part that `npm run renew:github-description` keeps; a `$ref` is the name of a schema. */
export interface GithubPart {
  source: string;
  operations: Record<string, GithubOperation>;
  schemas: Record<string, Schema>;
  examples: Record<string, unknown>;
}

/** GitHub sends null for the branch of a deleted fork, and describes something else. */
const NULL_ANYWAY = /\/head\/(?:repo|user)$/;

/** Described for the API as a whole. */
const REFUSALS = [401, 403, 404, 429, 500, 502, 503];

export interface Description {
  /** A fresh copy of a published example. */
  example(name: string): Record<string, unknown>;
  /** Returns errors of a request or its reply. */
  check(request: FakeRequest, path: string, reply: FakeReply): string[];
}

let loaded: Description | undefined;

export function githubDescription(): Description {
  loaded ??= describe(
    JSON.parse(readFileSync(join(import.meta.dirname, 'github-description.json'), 'utf8')) as GithubPart,
  );
  return loaded;
}

function describe({ examples, operations, schemas }: GithubPart): Description {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, coerceTypes: false, verbose: true });
  ajv.addSchema(Object.entries(schemas).map(([name, schema]) => ({ ...schema, $id: name })));
  // `/user` before `/{anything}`: fixed paths are more specific.
  const sorted = Object.fromEntries(
    Object.entries(operations).sort(([a], [b]) => a.split('{').length - b.split('{').length),
  );

  function misfits(schema: Schema, value: unknown, name: string): string[] {
    const fits = ajv.compile(schema);
    if (fits(value)) return [];
    return fits
      .errors!.filter(({ data, instancePath }) => data !== null || !NULL_ANYWAY.test(instancePath))
      .map(
        ({ instancePath, message, params }) => `${name}${instancePath}: ${message} ${JSON.stringify(params)}`,
      );
  }

  function checkParameters({ parameters }: GithubOperation, { query }: FakeRequest, inPath: Parameters) {
    const unknown = [...query.keys()].filter(
      (name) => !parameters.some((one) => one.in === 'query' && one.name === name),
    );
    const wrong = parameters.flatMap(({ in: place, name, required, schema }) => {
      const text = place === 'query' ? query.get(name) : place === 'path' ? inPath[name] : null;
      if (text === null || text === undefined) return required ? [`${name} is missing`] : [];
      const value =
        schema.type === 'integer' ? Number(text) : schema.type === 'boolean' ? text === 'true' : text;
      return misfits(schema, value, name);
    });
    return [...unknown.map((name) => `the parameter ${name} is not described`), ...wrong];
  }

  function checkBody({ body: described }: GithubOperation, { body }: FakeRequest): string[] {
    if (!described) return body === undefined ? [] : ['no body is described'];
    if (body === undefined) return described.required ? ['the body is missing'] : [];
    const known = Object.keys((described.schema.properties ?? {}) as object);
    const unknown =
      known.length === 0 ? [] : Object.keys(body as object).filter((name) => !known.includes(name));
    return [
      ...unknown.map((name) => `the field ${name} is not described`),
      ...misfits(described.schema, body, 'body'),
    ];
  }

  function checkReply({ replies }: GithubOperation, { body, status }: FakeReply): string[] {
    if (REFUSALS.includes(status)) return [];
    const schema = replies[status];
    if (schema === undefined) return [`the status ${status} is not described`];
    if (schema === null) return body === undefined ? [] : ['no reply body is described'];
    return misfits(schema, body, 'reply').slice(0, 5);
  }

  return {
    example(name) {
      if (!(name in examples))
        throw new Error(`no example ${name}: if GitHub publishes it, run npm run renew:github-description`);
      return structuredClone(examples[name]) as Record<string, unknown>;
    },
    check(request, path, reply) {
      const found = findRoute(sorted, request.method, path);
      if (!found)
        return [
          `${request.method} ${path} is not described: if GitHub does, run npm run renew:github-description`,
        ];
      const { parameters, template, value } = found;
      return [
        ...checkParameters(value, request, parameters),
        ...checkBody(value, request),
        ...checkReply(value, reply),
      ].map((problem) => `${request.method} ${template}: ${problem}`);
    },
  };
}
