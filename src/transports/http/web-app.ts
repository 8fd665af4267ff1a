/** Serves the built web app: its pages under a strict policy, its hashed files for good. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_PATHS } from './page-paths.ts';
import { addStaticFile } from './static-file.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Files whose names stay while their content changes: browsers ask each time whether they still have the right one. */
const UNHASHED = [
  ['/icon.svg', TYPES['.svg']!],
  ['/theme.js', TYPES['.js']!],
] as const;

/** A worker goes by the policy that its own script came with; the one that colors code loads grammars. */
const WORKER = /-worker-[^/]+\.js$/;
const WORKER_HEADERS = { 'content-security-policy': "default-src 'none'; script-src 'self'" };

/** What vite writes wherever the nonce belongs. */
const PLACEHOLDER = 'NONCE';

export interface WebApp {
  /** Answers a person's request for a page that is not there, in the app's own look. */
  sendNotFound(reply: FastifyReply): FastifyReply;
}

/** Adds the pages and files of a built app; undefined where none was built. */
export function addWebApp(server: FastifyInstance, folder: string): WebApp | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const html = readFileSync(index, 'utf8');
  for (const path of PAGE_PATHS) server.get(path, async (_request, reply) => sendPage(reply.code(200), html));
  addHashedFiles(server, folder, 'assets', (name) => (WORKER.test(name) ? WORKER_HEADERS : undefined));
  addMermaidFrame(server, folder);
  for (const [path, type] of UNHASHED) {
    addStaticFile(server, { path, file: join(folder, path), type, cacheControl: 'no-cache' });
  }
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
 * The page that draws diagrams in a sandboxed frame. It is the only page that may be framed, by our own pages; it has no origin,
 * even when somebody opens it alone. Its scripts are asked for by nobody in particular therefore, and may be had by everybody.
 */
function addMermaidFrame(server: FastifyInstance, folder: string): void {
  const file = join(folder, 'mermaid-frame.html');
  // An app that was built before there were diagrams goes on without them.
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

/** Whether a person's browser asks for a page, rather than a script for data. */
export function asksForPage(request: FastifyRequest): boolean {
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
      'content-security-policy': policyWith(nonce),
      'cross-origin-opener-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(PLACEHOLDER, nonce));
}

function policyWith(nonce: string): string {
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
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
