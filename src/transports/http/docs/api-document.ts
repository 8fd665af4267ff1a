/** Serves the OpenAPI document, the API reference generated from it, and the list of error codes. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Operation, VendorSettings } from '../../../platform/core/operations/operation.ts';
import { packageVersion } from '../../../platform/core/text/package-version.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import type { OpenApiDocument } from '../openapi/openapi-types.ts';
import { addStaticFile } from '../static-file.ts';
import { renderErrorsPage } from './errors-page.ts';
import { DOCS_POLICY } from './page-frame.ts';
import { renderReferencePage } from './reference-page.ts';

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const ASSETS = {
  'reference.js': SCRIPT,
  'reference.css': STYLE,
  'errors.css': STYLE,
  'pages.css': STYLE,
  'icon.svg': 'image/svg+xml',
};

export async function addApiDocument(
  server: FastifyInstance,
  operations: readonly Operation[],
  site: { baseUrl: string },
  settings: VendorSettings,
): Promise<void> {
  const version = packageVersion();
  const document = documentFor(operations, site, settings, version);
  server.get('/api/v2/openapi.json', async (request, reply) => {
    const { text, etag } = document();
    reply.headers({ 'cache-control': 'no-cache', etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });

  const errorsPage = renderErrorsPage();
  for (const slash of ['', '/']) {
    server.get(`/docs${slash}`, async (_request, reply) => sendPage(reply, document().page));
    server.get(`/docs/errors${slash}`, async (_request, reply) => sendPage(reply, errorsPage));
  }
  for (const [name, type] of Object.entries(ASSETS)) {
    const file = join(import.meta.dirname, 'assets', name);
    // Small, and any release may change them: browsers revalidate each time and mostly get 304.
    addStaticFile(server, { path: `/docs/assets/${name}`, file, type, cacheControl: 'no-cache' });
  }
}

/** Recomputed only when the address of the service changes. */
function documentFor(
  operations: readonly Operation[],
  site: { baseUrl: string },
  settings: VendorSettings,
  version: string,
) {
  let kept: { baseUrl: string; text: string; etag: string; page: string } | undefined;
  return () => {
    const { baseUrl } = site;
    if (kept?.baseUrl !== baseUrl) {
      const document = openApiDocument(operations, { baseUrl, version }, settings);
      const text = JSON.stringify(document);
      // Weak, because the document may be sent compressed or not.
      const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
      kept = { baseUrl, text, etag, page: renderReferencePage(document as OpenApiDocument) };
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
