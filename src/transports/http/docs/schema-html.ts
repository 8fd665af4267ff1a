/** A JSON Schema as HTML: its type in words, and a list of its fields. */

import { referenceName, type Schema } from '../openapi/openapi-types.ts';
import { renderInline } from './markdown-html.ts';
import { escapeHtml } from './page-frame.ts';

/** The type and the fields below it. A shared schema is a link to where it is described. */
export function renderSchema(schema: Schema): string {
  const nested = renderNested(schema);
  return schema.properties && !schema.$ref ? nested : `<p class="type">${renderType(schema)}</p>${nested}`;
}

export function renderField(
  name: string,
  schema: Schema,
  required: boolean,
  description = schema.description,
) {
  const limits = limitsOf(schema);
  return `<li><code class="field">${escapeHtml(name)}</code> <span class="type">${renderType(schema)}</span>${
    required ? ' <span class="required">required</span>' : ''
  }${description ? `<p>${renderInline(description)}</p>` : ''}${
    limits ? `<p class="limits">${escapeHtml(limits)}</p>` : ''
  }${renderNested(schema)}</li>`;
}

function renderFields({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, field]) =>
    renderField(name, field, required.includes(name)),
  );
  return `<ul class="fields">${fields.join('\n')}</ul>`;
}

function renderNested(schema: Schema): string {
  if (schema.$ref) return '';
  if (schema.properties) return renderFields(schema);
  if (schema.items) return renderNested(schema.items);
  const objects = (schema.anyOf ?? schema.oneOf ?? []).filter(({ properties }) => properties);
  if (objects.length === 1) return renderNested(objects[0]!);
  return objects.map((option) => `<p class="limits">One of:</p>${renderNested(option)}`).join('');
}

function renderType(schema: Schema): string {
  if (schema.$ref) {
    const name = escapeHtml(referenceName(schema.$ref));
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return codeOf(schema.const);
  if (schema.enum) return schema.enum.map(codeOf).join(' or ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(renderType))].join(' or ');
  const types = [schema.type ?? 'any'].flat();
  return types
    .map((type) => {
      if (type === 'array') return `array of ${schema.items ? renderType(schema.items) : 'any'}`;
      return schema.format && type !== 'null' ? `${type} (${escapeHtml(schema.format)})` : type;
    })
    .join(' or ');
}

function codeOf(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`;
}

function limitsOf(schema: Schema): string {
  const number = (value: number) => value.toLocaleString('en-US');
  const parts = [
    (schema.minLength ?? 0) > 1 && `at least ${number(schema.minLength!)} characters`,
    schema.maxLength !== undefined && `at most ${number(schema.maxLength)} characters`,
    schema.minimum !== undefined &&
      Math.abs(schema.minimum) < 2 ** 53 - 1 &&
      `minimum ${number(schema.minimum)}`,
    schema.maximum !== undefined && schema.maximum < 2 ** 53 - 1 && `maximum ${number(schema.maximum)}`,
    schema.minItems !== undefined && `at least ${number(schema.minItems)} items`,
    schema.maxItems !== undefined && `at most ${number(schema.maxItems)} items`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
  const text = parts.join(', ');
  return text && `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
