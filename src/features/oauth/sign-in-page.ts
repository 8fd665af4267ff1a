/** The page shown when an agent cannot be signed in: plain HTML, styled like the pages under /docs. */

interface SignInFault {
  title: string;
  detail: string;
}

export const START_AGAIN = 'Go back to your agent and sign in again.';

export const NOT_TO_CONTINUE: SignInFault = {
  title: 'This sign-in request cannot be continued here',
  detail: `It has expired, was answered in another session, or was started in another browser. ${START_AGAIN}`,
};

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Describes the library's errors for users. */
export function describeFault(error: { name?: string; message?: string }, description?: string): SignInFault {
  if (error.name === 'SessionNotFound') return NOT_TO_CONTINUE;
  if (error.message === 'invalid_client') {
    return {
      title: 'Unknown agent',
      detail:
        'It never registered, or its registration has expired. Remove the connection in your agent and add it again.',
    };
  }
  if (error.message === 'invalid_redirect_uri') {
    return {
      title: 'This agent asked to return to an unknown address',
      detail: 'It is not the address that the agent registered. To be safe, nothing was sent.',
    };
  }
  return {
    title: 'Invalid sign-in request',
    // Includes the OAuth error code, which agent developers look for.
    detail: `Error: ${description ? `${description} ` : ''}(${error.message}). ${START_AGAIN}`,
  };
}

export function renderSignInPage({ detail, title }: SignInFault, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Countersign</title>
<link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/pages.css">
</head>
<body>
<header class="bar">
<nav aria-label="Countersign">
<span class="name"><img src="/docs/assets/icon.svg" alt="" width="24" height="24">Countersign</span>
<a href="/">Home</a>
</nav>
</header>
<main id="main">
<div class="text">
<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(detail)}</p>
<p>The operator finds this request in the log as <code>${escapeHtml(requestId)}</code>.</p>
</div>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
