/** The API described by itself: the OpenAPI document, a page to read and try it, and the list of error codes. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Operation, OperationSettings } from '../../platform/core/operation.ts';
import { packageVersion } from '../../platform/core/package-version.ts';
import { DOCS_POLICY, renderPage } from './docs-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { openApiDocument } from './openapi.ts';
import { addStaticFile } from './static-file.ts';

interface Asset {
  name: string;
  folder: string;
  type: string;
  cacheControl: string;
}

/** Small, and they change with any release: asked for again each time, and mostly answered with 304. */
const OWN = { folder: join(import.meta.dirname, 'docs-assets'), cacheControl: 'no-cache' };
/** The viewer's files alone are used, not the plugin they come in. The page asks for them by version: they may be kept. */
const VIEWER = {
  folder: join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static'),
  cacheControl: 'public, max-age=604800',
};
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const ASSETS: Asset[] = [
  { name: 'swagger-ui-bundle.js', type: SCRIPT, ...VIEWER },
  { name: 'swagger-ui.css', type: STYLE, ...VIEWER },
  { name: 'api.js', type: SCRIPT, ...OWN },
  { name: 'api.css', type: STYLE, ...OWN },
  { name: 'errors.css', type: STYLE, ...OWN },
  { name: 'pages.css', type: STYLE, ...OWN },
  { name: 'icon.svg', type: 'image/svg+xml', ...OWN },
];

export async function addApiDocument(
  server: FastifyInstance,
  operations: readonly Operation[],
  site: { baseUrl: string },
  settings: Pick<OperationSettings, 'agentVendors'>,
): Promise<void> {
  const version = packageVersion();
  const document = documentFor(operations, site, settings, version);
  server.get('/api/v2/openapi.json', async (request, reply) => {
    const { text, etag } = document();
    reply.headers({ 'cache-control': 'no-cache', etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });

  const apiPage = renderApiPage(version);
  const errorsPage = renderErrorsPage();
  for (const slash of ['', '/']) {
    server.get(`/docs${slash}`, async (_request, reply) => sendPage(reply, apiPage));
    server.get(`/docs/errors${slash}`, async (_request, reply) => sendPage(reply, errorsPage));
  }
  for (const { cacheControl, folder, name, type } of ASSETS) {
    addStaticFile(server, { path: `/docs/assets/${name}`, file: join(folder, name), type, cacheControl });
  }
}

/** Computed again only when the address of the service becomes known or changes. */
function documentFor(
  operations: readonly Operation[],
  site: { baseUrl: string },
  settings: Pick<OperationSettings, 'agentVendors'>,
  version: string,
) {
  let kept: { baseUrl: string; text: string; etag: string } | undefined;
  return () => {
    const { baseUrl } = site;
    if (kept?.baseUrl !== baseUrl) {
      const text = JSON.stringify(openApiDocument(operations, { baseUrl, version }, settings));
      // Weak, because the same document may travel compressed or not.
      const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
      kept = { baseUrl, text, etag };
    }
    return kept;
  };
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers({ 'cache-control': 'no-cache', 'content-security-policy': DOCS_POLICY })
    .type('text/html; charset=utf-8')
    .send(page);
}

function renderApiPage(version: string): string {
  return renderPage({
    path: '/docs',
    title: 'API · Countersign',
    description: 'Every endpoint of the Countersign API, with its parameters, replies and errors.',
    head: `<link rel="stylesheet" href="/docs/assets/swagger-ui.css?v=${version}">
<link rel="stylesheet" href="/docs/assets/api.css">
<script src="/docs/assets/swagger-ui-bundle.js?v=${version}" defer></script>
<script src="/docs/assets/api.js" type="module"></script>`,
    main: `<div id="api"></div>
<noscript><div class="text"><p>This page needs JavaScript. The same is in the
<a href="/api/v2/openapi.json">OpenAPI document</a>.</p></div></noscript>`,
  });
}
