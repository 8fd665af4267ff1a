/** The page that every problem's `type` links to: each code with its meaning and what to do next. */
import { PROBLEMS } from '../../../platform/core/errors/errors.ts';
import { renderInline } from './markdown-html.ts';
import { renderPage } from './page-frame.ts';

export function renderErrorsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title, next }]) => `<tr role="row" id="${code}">
<th role="rowheader" scope="row"><a href="#${code}"><code>${code}</code></a></th>
<td role="cell" class="status">${status}</td>
<td role="cell">${renderInline(title)}.</td>
<td role="cell">${renderInline(next)}</td>
</tr>`,
  );
  // Explicit roles, because the narrow layout removes the table's implicit ones.
  return renderPage({
    path: '/docs/errors',
    title: 'Errors · Countersign',
    description: 'Every error code of the Countersign API, what it means and what to do next.',
    head: '<link rel="stylesheet" href="/docs/assets/errors.css">',
    main: `<div class="text">
<h1>Errors</h1>
<p class="lead">Every error is a problem document (<a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>).
In your code, check <code>code</code>: its meaning never changes. Show <code>detail</code> to users, and
include <code>requestId</code> when you contact the operator.</p>
<table role="table" aria-label="Error codes">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">Code</th>
<th role="columnheader" scope="col">Status</th>
<th role="columnheader" scope="col">Meaning</th>
<th role="columnheader" scope="col">What to do next</th>
</tr></thead>
<tbody role="rowgroup">
${rows.join('\n')}
</tbody>
</table>
</div>`,
  });
}
