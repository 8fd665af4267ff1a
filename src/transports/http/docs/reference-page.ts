/** `/docs`: every endpoint of the OpenAPI document on one page, readable without JavaScript. */

import {
  type Endpoint,
  type Media,
  type OpenApiDocument,
  type Parameter,
  type Response,
  referenceName,
} from '../openapi/openapi-types.ts';
import { curlCommand } from './curl-command.ts';
import { renderInline, renderMarkdown } from './markdown-html.ts';
import { escapeHtml, renderPage } from './page-frame.ts';
import { exampleOf } from './schema-example.ts';
import { renderField, renderSchema } from './schema-html.ts';

const CREDENTIAL_NAMES: Record<string, string> = {
  apiKey: 'API key',
  session: 'browser session',
  oauth: 'OAuth token',
};

interface Entry {
  method: string;
  path: string;
  endpoint: Endpoint;
}

export function renderReferencePage(document: OpenApiDocument): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]): Entry => ({ method, path, endpoint })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    id: `group-${name.toLowerCase().replaceAll(/\W+/g, '-')}`,
    entries: entries.filter(({ endpoint }) => endpoint.tags.includes(name)),
  }));
  const links = groups.map(({ id, name }) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`);
  return renderPage({
    path: '/docs',
    title: 'API · Countersign',
    description: 'Every endpoint of the Countersign API, with its parameters, replies and errors.',
    head: `<link rel="stylesheet" href="/docs/assets/reference.css">
<script src="/docs/assets/reference.js" type="module"></script>`,
    main: `<div class="text reference">
<h1>${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></h1>
<div class="prose">${renderMarkdown(document.info.description)}</div>
<nav class="groups" aria-label="Endpoint groups"><ul>${links.join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
${groups
  .map(
    (group) => `<section aria-labelledby="${group.id}">
<h2 id="${group.id}">${escapeHtml(group.name)}</h2>
<p class="lead">${renderInline(group.description)}</p>
${group.entries.map((entry) => renderEntry(entry, document)).join('\n')}
</section>`,
  )
  .join('\n')}
${renderSchemas(document)}
<p role="status" class="copied"></p>
</div>`,
  });
}

function renderEntry({ method, path, endpoint }: Entry, document: OpenApiDocument): string {
  const { description, parameters = [], requestBody, summary } = endpoint;
  const media = requestBody?.content['application/json'];
  return `<details class="endpoint" id="${endpoint.operationId}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${escapeHtml(path)}</code> <span class="summary">${escapeHtml(summary)}</span></summary>
<div class="body">
${description ? `<p>${renderInline(description)}</p>` : ''}
<p><strong>Accepts:</strong> ${acceptedBy(endpoint)}.</p>
${renderCurl(curlCommand(method, path, endpoint, document))}
${parameters.length > 0 ? `<h3>Parameters</h3><ul class="fields">${parameters.map(renderParameter).join('\n')}</ul>` : ''}
${media ? `<h3>Request body</h3>${renderSchema(media.schema)}${renderExample(media, document, true)}` : ''}
${Object.entries(endpoint.responses)
  .filter(([status]) => status.startsWith('2'))
  .map(([status, response]) => renderReply(status, response, document))
  .join('\n')}
${renderProblems(endpoint, document)}
</div>
</details>`;
}

function acceptedBy({ security }: Endpoint): string {
  const names = security
    .flatMap((scheme) => Object.keys(scheme))
    .map((name) => CREDENTIAL_NAMES[name] ?? name);
  return names.length > 0 ? names.join(', ') : 'anyone, no credential needed';
}

function renderParameter(parameter: Parameter): string {
  const { description, name, required = false, schema } = parameter;
  const place = parameter.in === 'query' ? '' : ` In the ${parameter.in}.`;
  return renderField(name, schema, required, `${description ?? ''}${place}`.trim());
}

/** Hidden until the script that makes it work shows it. */
function renderCurl(command: string): string {
  return `<div class="curl"><pre><code>${escapeHtml(command)}</code></pre><button type="button" hidden>Copy</button></div>`;
}

function renderReply(
  status: string,
  { content = {}, description }: Response,
  document: OpenApiDocument,
): string {
  const [type, media] = Object.entries(content)[0] ?? [];
  const note =
    type === 'text/event-stream' ? '<p>A stream of server-sent events. The data of each event:</p>' : '';
  return `<h3>Reply ${status}</h3><p>${renderInline(description)}</p>${
    media ? `${note}${renderSchema(media.schema)}${renderExample(media, document, false)}` : ''
  }`;
}

function renderExample(media: Media, document: OpenApiDocument, requiredOnly: boolean): string {
  const value = media.example ?? exampleOf(media.schema, document, { requiredOnly });
  return `<p class="caption">Example</p><pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`;
}

function renderProblems({ responses }: Endpoint, document: OpenApiDocument): string {
  const items = Object.entries(responses).flatMap(([status, { $ref }]) => {
    const shared = $ref && document.components.responses[referenceName($ref)];
    const codes = Object.keys((shared || undefined)?.content?.['application/problem+json']?.examples ?? {});
    return codes.map((code) => `<li>${status} <a href="/docs/errors#${code}"><code>${code}</code></a></li>`);
  });
  return `<h3>Errors</h3><ul class="codes">${items.join('')}</ul>`;
}

function renderSchemas({ components }: OpenApiDocument): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<details class="endpoint" id="schema-${name}">
<summary><code class="path">${escapeHtml(name)}</code></summary>
<div class="body">${schema.description ? `<p>${renderInline(schema.description)}</p>` : ''}${renderSchema(schema)}</div>
</details>`,
  );
  return `<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
<p class="lead">Objects that several endpoints share.</p>
${schemas.join('\n')}
</section>`;
}
