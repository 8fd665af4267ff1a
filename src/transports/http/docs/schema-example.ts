/** Makes an example value from a JSON Schema, for endpoints without their own example. */
import { type OpenApiDocument, referenceName, type Schema } from '../openapi/openapi-types.ts';

const MAX_DEPTH = 6;

/** Typical text values by field name; other names get a neutral word. */
const TEXT_BY_NAME: Record<string, string> = {
  body: 'Looks good to me.',
  branch: 'main',
  commit: '9f2c1d7e5a3b4c6d8e0f1a2b3c4d5e6f7a8b9c0d',
  content: '# Add retries\n\nRetry failed deliveries with backoff.',
  email: 'ada@example.com',
  name: 'Ada',
  password: 'correct horse battery staple',
  path: 'src/main.ts',
  pattern: 'retry',
  ref: 'main',
  repository: 'acme/api',
  repoName: 'acme/api',
  title: 'Add retries',
  url: 'https://example.com/acme/api.git',
};

export function exampleOf(
  schema: Schema,
  document: OpenApiDocument,
  options: { requiredOnly: boolean },
  name = '',
  depth = 0,
): unknown {
  const inner = (part: Schema, partName: string) => exampleOf(part, document, options, partName, depth + 1);
  if (schema.$ref) {
    const target = document.components.schemas[referenceName(schema.$ref)];
    return target && depth < MAX_DEPTH ? inner(target, name) : {};
  }
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.length) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return inner(choices.find(({ type }) => type !== 'null') ?? choices[0]!, name);
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  switch (type) {
    case 'string':
      return textExample(schema, name);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'array':
      return depth < MAX_DEPTH && schema.items ? [inner(schema.items, name.replace(/s$/, ''))] : [];
    case 'object':
      return objectExample(schema, options.requiredOnly, inner);
    default:
      return null;
  }
}

function objectExample(
  { properties = {}, required = [] }: Schema,
  requiredOnly: boolean,
  inner: (part: Schema, name: string) => unknown,
): object {
  const names = Object.keys(properties).filter((name) => !requiredOnly || required.includes(name));
  return Object.fromEntries(names.map((name) => [name, inner(properties[name]!, name)]));
}

function textExample({ format }: Schema, name: string): string {
  if (format === 'uuid') return '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
  if (format === 'date-time') return '2026-01-31T12:00:00.000Z';
  return TEXT_BY_NAME[name] ?? 'text';
}
