/** Tells the browser what a page will load, so that it starts at once and not when the app has started. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { readSessionCookie } from './access/session-cookie.ts';

/** Written by Vite; keys are paths of source files. */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>;

const MANIFEST = join('.vite', 'manifest.json');
const PULL_REQUEST_ID = /^[0-9a-f-]{36}$/;

interface HintedPage {
  /** The source of the page's code. */
  source: string;
  /** The page's first requests. Must equal the addresses that the app requests; nothing is inserted unchecked. */
  reads(request: FastifyRequest): string[];
}

/** Pages that people wait for; most others load little. */
const HINTED: Record<string, HintedPage> = {
  '/pull-requests/:pullRequestId': {
    source: 'pages/pull-request.tsx',
    reads({ params, query }) {
      const { pullRequestId } = params as { pullRequestId: string };
      if (!PULL_REQUEST_ID.test(pullRequestId)) return [];
      const { from, to, view } = query as Record<string, unknown>;
      const path = `/api/v2/pull-requests/${pullRequestId}`;
      const showsChanges = view === 'files' && from === undefined && to === undefined;
      return ['/api/v2/session', path, `${path}/discussions`, ...(showsChanges ? [`${path}/files`] : [])];
    },
  },
};

/** The hints for each request of a page; undefined for a page without any. */
export function hintsFor(
  pagePath: string,
  folder: string,
  { baseUrl, html }: { baseUrl: string; html: string },
): ((request: FastifyRequest) => string) | undefined {
  const page = HINTED[pagePath];
  const file = join(folder, MANIFEST);
  if (!page || !existsSync(file)) return undefined;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const code = codeOf(manifest, page.source).filter((path) => !html.includes(path));
  return (request) => {
    // Without a session the app shows the sign-in page instead.
    if (!readSessionCookie(request, baseUrl)) return '';
    return [...page.reads(request).map((path) => preload('fetch', path)), ...code.map(codeHint)].join('');
  };
}

/** The files of the page's code, and of what it imports. */
function codeOf(manifest: Manifest, source: string): string[] {
  const found = new Set<string>();
  const look = (name: string) => {
    const entry = manifest[name];
    if (!entry || found.has(`/${entry.file}`)) return;
    found.add(`/${entry.file}`);
    for (const style of entry.css ?? []) found.add(`/${style}`);
    for (const imported of entry.imports ?? []) look(imported);
  };
  look(source);
  return [...found];
}

const codeHint = (path: string) =>
  path.endsWith('.css') ? preload('style', path) : `<link rel="modulepreload" crossorigin href="${path}">`;

const preload = (as: 'fetch' | 'style', path: string) =>
  `<link rel="preload" as="${as}" crossorigin href="${path}">`;
