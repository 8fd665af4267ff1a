/** The OpenAPI document is valid, complete and deterministic, and states correctly what each credential gives access to. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { submitPlan } from '../../../features/plans/changes/submit-plan.ts';
import { operations } from '../../../operations.ts';
import {
  keyAcceptingEndpoints,
  type Operation,
  restCredentials,
} from '../../../platform/core/operations/operation.ts';
import {
  jsonObjectAsSent,
  requiredText,
  secretText,
  timestamp,
  uuid,
} from '../../../platform/core/operations/shapes.ts';
import { openApiDocument } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look deep into a document whose type says no more than "object".
type Document = any;

const SITE = { baseUrl: 'https://review.acme.test', version: '1.2.3' };
const table = operations as readonly Operation[];

function documentOf(list: readonly Operation[], site = SITE): Document {
  return openApiDocument(list, site, { agentVendors: ['codex', 'my-agent'] });
}

async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(({ severity, ruleId, message, location }) =>
    [severity, ruleId, message, location[0] && 'pointer' in location[0] ? location[0].pointer : ''].join(
      ' | ',
    ),
  );
}

function operationIn(document: Document, operation: Operation): Document {
  return document.paths[operation.http.path.replaceAll(/:(\w+)/g, '{$1}')]?.[
    operation.http.method.toLowerCase()
  ];
}

function sample(change: Partial<Operation> = {}): Operation {
  return {
    name: 'rename-thing',
    group: 'People',
    summary: 'Rename a thing',
    http: { method: 'PATCH', path: '/api/v2/things/:thingId', status: 200 },
    accepts: ['key', 'session'],
    role: 'viewer',
    input: z.object({ thingId: uuid(), name: requiredText({ max: 20 }).optional() }),
    output: z.object({ id: uuid() }),
    problems: ['not_found'],
    run: async () => undefined,
    ...change,
  };
}

describe('the document of all operations', () => {
  const document = documentOf(table);

  test('passes every recommended rule of OpenAPI 3.1 without an error or a warning', async () => {
    expect(await lint(document)).toEqual([]);
  });

  test('is the same, byte for byte, every time', () => {
    expect(JSON.stringify(documentOf(table))).toBe(JSON.stringify(document));
  });

  test('contains every operation once, under its own name', () => {
    const ids = Object.values<Document>(document.paths).flatMap((path) =>
      Object.values<Document>(path).map((entry) => entry.operationId),
    );
    expect(ids.toSorted()).toEqual(table.map(({ name }) => name).toSorted());
    for (const operation of table) expect(operationIn(document, operation).operationId).toBe(operation.name);
  });

  test('offers the key scheme for exactly the operations that accept keys', () => {
    const keyed = table.filter((operation) =>
      operationIn(document, operation).security.some((scheme: object) => 'apiKey' in scheme),
    );
    expect(keyed.map(({ http }) => `${http.method} ${http.path}`)).toEqual(keyAcceptingEndpoints(table));
    expect(document.info['x-key-accepting-endpoints']).toEqual(keyAcceptingEndpoints(table));
  });

  test('requires no credential for public operations', () => {
    for (const operation of table.filter(({ accepts }) => accepts.length === 0)) {
      expect(operationIn(document, operation).security).toEqual([]);
    }
  });

  test('states the role that an operation requires', () => {
    for (const operation of table.filter(({ role }) => role !== null)) {
      const { description, security } = operationIn(document, operation);
      expect(security.flatMap((scheme: object) => Object.values(scheme).flat())).toEqual(
        restCredentials(operation).map(() => operation.role),
      );
      expect(description).toContain(`Requires the role \`${operation.role}\``);
    }
  });

  test('lists the values that the settings of this installation allow', () => {
    const { requestBody } = operationIn(document, submitPlan as Operation);
    expect(requestBody.content['application/json'].schema.properties.agentVendor).toEqual({
      type: 'string',
      enum: ['codex', 'my-agent'],
      description: expect.any(String),
    });
    expect(JSON.stringify(document)).not.toContain('x-setting');
  });

  test('has an example for every operation that accepts a key, and each fits its shapes', () => {
    for (const operation of table.filter(({ accepts }) => accepts.includes('key'))) {
      const { example, input, name, output } = operation;
      expect([name, input.safeParse(example?.request).error]).toEqual([name, undefined]);
      expect([name, output?.safeParse(example?.reply).error]).toEqual([name, undefined]);
      const described = operationIn(document, operation);
      if (output) {
        const reply = described.responses[operation.http.status].content['application/json'];
        expect(reply.example).toEqual(example!.reply);
      }
    }
  });

  test('shares the schemas of replies under their names', () => {
    const { responses } = operationIn(document, submitPlan as Operation);
    expect(responses['201'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/SubmittedPlan',
    });
    expect(document.components.schemas.Plan.properties.createdBy).toEqual({
      $ref: '#/components/schemas/Person',
    });
  });

  test('describes every group', () => {
    for (const { name, description } of document.tags) {
      expect(
        description,
        `GROUP_DESCRIPTIONS in src/transports/http/openapi/openapi-introduction.ts lacks "${name}"`,
      ).toBeTruthy();
    }
  });

  test('contains no keywords of standalone JSON Schema documents, and nothing undefined', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"$schema"');
    expect(text).not.toContain('#/$defs/');
    expect(JSON.parse(text)).toStrictEqual(document);
  });
});

describe('one operation', () => {
  test('has its path parameters in the path and the rest in the body', () => {
    const entry = operationIn(documentOf([sample()]), sample());
    expect(entry.parameters).toEqual([
      { name: 'thingId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
    ]);
    expect(Object.keys(entry.requestBody.content['application/json'].schema.properties)).toEqual(['name']);
  });

  test('has the rest in the query when it is a GET or a DELETE', () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const operation = sample({ http: { method, path: '/api/v2/things/:thingId', status: 200 } });
      const entry = operationIn(documentOf([operation]), operation);
      expect(entry.parameters.map((parameter: Document) => parameter.in)).toEqual(['path', 'query']);
      expect(entry.requestBody).toBeUndefined();
    }
  });

  test('lists its own problems and those of every operation', () => {
    const keys = Object.keys(operationIn(documentOf([sample()]), sample()).responses);
    expect(keys).toEqual(['200', '400', '401', '403', '404', '413', '415', '429', '500', '503']);
  });

  test('has the Idempotency-Key header only if it supports it', () => {
    const named = (operation: Operation) =>
      JSON.stringify(operationIn(documentOf([operation]), operation)).includes('Idempotency-Key');
    expect(named(sample())).toBe(false);
    expect(named(sample({ idempotent: true }))).toBe(true);
  });

  test('has no reply body when its status is 204', () => {
    const operation = sample({
      http: { method: 'POST', path: '/api/v2/things/:thingId', status: 204 },
      output: null,
    });
    expect(operationIn(documentOf([operation]), operation).responses['204'].content).toBeUndefined();
  });

  test('allows additional fields in its reply', () => {
    expect(JSON.stringify(documentOf([sample()]))).not.toContain('"additionalProperties":false');
  });
});

describe('the session cookie', () => {
  test('has the __Host- prefix only over HTTPS', () => {
    const nameAt = (baseUrl: string) =>
      documentOf([sample()], { ...SITE, baseUrl }).components.securitySchemes.session.name;
    expect(nameAt('https://review.acme.test')).toBe('__Host-countersign');
    expect(nameAt('http://review.acme.test')).toBe('countersign');
  });
});

describe('unusual shapes', () => {
  const Tree: z.ZodType = z.object({ name: z.string(), children: z.lazy(() => z.array(Tree)) });
  const Named = z.object({ at: timestamp() }).meta({ id: 'Named' });
  const unusual = sample({
    input: z.object({ thingId: uuid(), sent: jsonObjectAsSent().optional(), tree: Tree.optional() }),
    output: z.object({
      secret: secretText('Shown once.'),
      date: z.date(),
      big: z.bigint(),
      anything: z.unknown(),
      role: z.enum(['a', 'b']).nullable(),
      either: z.union([z.object({ items: z.array(Named) }), z.object({ candidates: z.array(z.string()) })]),
      lookup: z.record(z.string(), Named.nullable()),
      tree: Tree,
    }),
  });

  test('give a valid document', async () => {
    expect(await lint(documentOf([unusual]))).toEqual([]);
  });

  test('with a name become shared components; two that differ may not share one', () => {
    expect(documentOf([unusual]).components.schemas).toHaveProperty('Named');
    const other = sample({
      name: 'other-thing',
      http: { method: 'GET', path: '/api/v2/other', status: 200 },
      input: z.object({}),
      output: z.object({ other: z.string() }).meta({ id: 'Named' }),
    });
    expect(() => documentOf([unusual, other])).toThrow('Two different shapes are called Named');
  });
});
