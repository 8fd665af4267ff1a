/** Serves the built web app: its pages under a strict policy, its hashed files for good. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addStaticFile } from './static-file.ts';

/** The addresses that the web app answers to, as its routes have them. */
const PAGES = [
  '/',
  '/setup',
  '/sign-in',
  '/invitation',
  '/settings/api-keys',
  '/settings/account',
  '/settings/people',
  '/settings/audit',
];

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
  for (const path of PAGES) server.get(path, async (_request, reply) => sendPage(reply.code(200), html));
  for (const name of readdirSync(join(folder, 'assets'))) {
    const type = TYPES[extname(name)];
    if (!type) continue;
    const cacheControl = 'public, max-age=31536000, immutable';
    addStaticFile(server, {
      path: `/assets/${name}`,
      file: join(folder, 'assets', name),
      type,
      cacheControl,
    });
  }
  for (const [path, type] of UNHASHED) {
    addStaticFile(server, { path, file: join(folder, path), type, cacheControl: 'no-cache' });
  }
  return { sendNotFound: (reply) => sendPage(reply.code(404), html) };
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
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
