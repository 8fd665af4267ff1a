/** Serves the built web app: pages with a strict content security policy, hashed files with a long cache lifetime. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hintsFor } from './page-hints.ts';
import { PAGE_PATHS } from './page-paths.ts';
import { addStaticFile } from './static-file.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A worker uses the policy of its own script; the syntax highlighter loads grammars. */
const WORKER = /-worker-[^/]+\.js$/;
const WORKER_HEADERS = { 'content-security-policy': "default-src 'none'; script-src 'self'" };

/** Vite writes this where the nonce belongs. */
const PLACEHOLDER = 'NONCE';

export interface WebApp {
  /** Sends the app's own “Page not found” page. */
  sendNotFound(reply: FastifyReply): FastifyReply;
}

/** Adds the pages and files of a built app; undefined if none was built. */
export function addWebApp(
  server: FastifyInstance,
  folder: string,
  site: { baseUrl: string },
): WebApp | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const html = readFileSync(index, 'utf8');
  for (const path of PAGE_PATHS) {
    const hints = hintsFor(path, folder, { ...site, html });
    server.get(path, async (request, reply) =>
      sendPage(reply.code(200), hints ? html.replace('</title>', `</title>${hints(request)}`) : html),
    );
  }
  addHashedFiles(server, folder, 'assets', (name) => (WORKER.test(name) ? WORKER_HEADERS : undefined));
  addMermaidFrame(server, folder);
  addStaticFile(server, {
    path: '/icon.svg',
    file: join(folder, 'icon.svg'),
    type: TYPES['.svg']!,
    cacheControl: 'no-cache',
  });
  return { sendNotFound: (reply) => sendPage(reply.code(404), html) };
}

function addHashedFiles(
  server: FastifyInstance,
  folder: string,
  name: string,
  headersOf: (file: string) => Record<string, string> | undefined,
): void {
  for (const file of readdirSync(join(folder, name))) {
    const type = TYPES[extname(file)];
    if (!type) continue;
    addStaticFile(server, {
      path: `/${name}/${file}`,
      file: join(folder, name, file),
      type,
      cacheControl: 'public, max-age=31536000, immutable',
      headers: headersOf(file),
    });
  }
}

/**
 * The page that draws diagrams in a sandboxed frame. It is the only page that may be framed, and only by our own pages. The
 * sandbox gives it an opaque origin, even when it is opened directly, so its scripts must be readable from any origin.
 */
function addMermaidFrame(server: FastifyInstance, folder: string): void {
  const file = join(folder, 'mermaid-frame.html');
  // An app built before diagrams were added works without them.
  if (!existsSync(file)) return;
  addStaticFile(server, {
    path: '/mermaid-frame.html',
    file,
    type: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    headers: {
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'unsafe-inline'",
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        'sandbox allow-scripts',
      ].join('; '),
      'x-frame-options': 'SAMEORIGIN',
    },
  });
  addHashedFiles(server, folder, 'mermaid-frame', () => ({ 'access-control-allow-origin': '*' }));
}

/** Whether a browser requests a page, rather than a script data. */
export function requestsPage(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0]!;
  return (
    request.method === 'GET' &&
    request.headers.accept?.includes('text/html') === true &&
    !/^\/(api|mcp|docs|assets)(\/|$)/.test(path)
  );
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      'cache-control': 'no-cache',
      'content-security-policy': policyWith(nonce, reply.request.url.split('?', 1)[0]!),
      'cross-origin-opener-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(PLACEHOLDER, nonce));
}

/** The one page that sends a form elsewhere: to the GitHub where an App is created. */
const GITHUB_APP_PAGE = '/settings/code-hosts/github-app';

function policyWith(nonce: string, path: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${path === GITHUB_APP_PAGE ? ' https:' : ''}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
