/** The frame of the pages under /docs: plain HTML, with scripts and styles from our own origin. */

const PAGES = [
  { path: '/docs', name: 'API' },
  { path: '/docs/errors', name: 'Errors' },
  { path: '/api/v2/openapi.json', name: 'OpenAPI' },
] as const;

export interface DocsPage {
  path: (typeof PAGES)[number]['path'];
  title: string;
  description: string;
  head: string;
  main: string;
}

/** Lets a page load only from our own origin; images may also be inlined in style sheets. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function renderPage(page: DocsPage): string {
  const links = PAGES.map(
    ({ path, name }) => `<a href="${path}"${path === page.path ? ' aria-current="page"' : ''}>${name}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.description)}">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/pages.css">
${page.head}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<nav aria-label="Documentation">
<span class="name"><img src="/docs/assets/icon.svg" alt="" width="24" height="24">Countersign</span>
${links.join('\n')}
</nav>
</header>
<main id="main">
${page.main}
</main>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
