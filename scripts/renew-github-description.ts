/**
 * `npm run renew:github-description [VERSION]`: writes `test/code-hosts/github-description.json` from GitHub's own description of
 * its REST API. Only what the fake GitHub names is kept: the package has 400 MB.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GithubOperation, GithubPart, Schema } from '../test/code-hosts/github-description.ts';

const PACKAGE = '@octokit/openapi';
const FOLDER = join(import.meta.dirname, '..', 'test', 'code-hosts');
const JSON_CONTENT = 'application/json';

/** Keywords that say nothing about a value, or that GitHub's own examples don't follow (`format`, `uniqueItems`). */
const LEFT_OUT = new Set(
  'title description example examples default deprecated format uniqueItems readOnly writeOnly externalDocs discriminator'.split(
    ' ',
  ),
);
const BY_NAME = new Set(['properties', 'patternProperties']);

interface Published {
  info: { version: string };
  paths: Record<string, Record<string, PublishedOperation>>;
  components: Record<string, Record<string, unknown>>;
}

interface PublishedOperation {
  parameters?: unknown[];
  requestBody?: { content?: Record<string, { schema: Schema }>; required?: boolean };
  responses: Record<string, unknown>;
}

function download(version: string): Published {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-github-'));
  try {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', `${PACKAGE}@${version}`, '--json', '--pack-destination', folder], {
        encoding: 'utf8',
      }),
    ) as [{ filename: string }];
    const file = 'package/generated/api.github.com.json';
    execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder, file]);
    return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Published;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function takePart({ components, info, paths }: Published, named: ReadonlySet<string>): GithubPart {
  const schemas: Record<string, Schema> = {};

  function resolve<Value>(value: unknown): Value {
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) return value as Value;
    const [, , kind, name] = $ref.split('/');
    return resolve(components[kind!]![name!]);
  }

  /** As JSON Schema: OpenAPI 3.0 says `nullable`, and several options of GitHub's `oneOf` fit at once. */
  function schemaOf(published: Schema): Schema {
    if (typeof published.$ref === 'string') return { $ref: keep(published.$ref.split('/').at(-1)!) };
    const { nullable, oneOf, ...rest } = published;
    const schema: Schema = {};
    for (const [keyword, value] of Object.entries(oneOf ? { ...rest, anyOf: oneOf } : rest))
      if (!LEFT_OUT.has(keyword) && !keyword.startsWith('x-')) schema[keyword] = argumentOf(keyword, value);
    if (nullable !== true) return schema;
    if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] };
    if (schema.enum) schema.enum = [...new Set([...(schema.enum as unknown[]), null])];
    return { ...schema, type: [schema.type, 'null'] };
  }

  function argumentOf(keyword: string, value: unknown): unknown {
    if (BY_NAME.has(keyword))
      return Object.fromEntries(
        Object.entries(value as Record<string, Schema>).map(([name, one]) => [name, schemaOf(one)]),
      );
    if (/^(?:all|any)Of$/.test(keyword)) return (value as Schema[]).map(schemaOf);
    return typeof value === 'object' && !Array.isArray(value) ? schemaOf(value as Schema) : value;
  }

  function keep(name: string): string {
    if (!schemas[name]) {
      schemas[name] = {};
      Object.assign(schemas[name], schemaOf(components.schemas![name] as Schema));
    }
    return name;
  }

  function operationOf({ parameters = [], requestBody, responses }: PublishedOperation): GithubOperation {
    const body = requestBody?.content?.[JSON_CONTENT];
    return {
      parameters: parameters.map((one) => {
        const { in: place, name, required, schema } = resolve<GithubOperation['parameters'][number]>(one);
        return { name, in: place, ...(required ? { required } : {}), schema: schemaOf(schema) };
      }),
      ...(body ? { body: { required: requestBody?.required === true, schema: schemaOf(body.schema) } } : {}),
      replies: Object.fromEntries(
        Object.entries(responses).map(([status, one]) => {
          const { content } = resolve<{ content?: Record<string, { schema?: Schema }> }>(one);
          const schema = content?.[JSON_CONTENT]?.schema;
          return [status, schema ? schemaOf(schema) : null];
        }),
      ),
    };
  }

  const operations: GithubPart['operations'] = {};
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      if (named.has(name)) operations[name] = operationOf(operation);
    }
  const examples = Object.entries(components.examples!).filter(([name]) => named.has(name));
  return {
    source: `${PACKAGE} ${info.version}, MIT License, Copyright (c) 2020 Octokit contributors`,
    operations,
    schemas,
    examples: Object.fromEntries(examples.map(([name, one]) => [name, (one as { value: unknown }).value])),
  };
}

/** A line for each entry, so that a difference shows which changed. */
function print({ source, ...parts }: GithubPart): string {
  const groups = Object.entries(parts).map(([name, entries]) => {
    const lines = Object.entries(entries).map(
      ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    return `${JSON.stringify(name)}: {\n${lines.toSorted().join(',\n')}\n}`;
  });
  return `{\n${[`"source": ${JSON.stringify(source)}`, ...groups].join(',\n')}\n}\n`;
}

const sources = readdirSync(FOLDER).filter((name) => /^github-.*\.ts$/.test(name));
const texts = sources.flatMap((name) => [
  ...readFileSync(join(FOLDER, name), 'utf8').matchAll(/'([^'\n]+)'/g),
]);
const part = takePart(download(process.argv[2] ?? 'latest'), new Set(texts.map(([, text]) => text!)));
writeFileSync(join(FOLDER, 'github-description.json'), print(part));
process.stdout.write(`${part.source}: ${Object.keys(part.operations).length} operations\n`);
