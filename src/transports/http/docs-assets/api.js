/** Starts the API page: it reads our document, and follows the light or dark choice of the system. */
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** The OpenAPI document, with two changes for the viewer. */
async function readDocument() {
  const response = await fetch('/api/v2/openapi.json');
  if (!response.ok) throw new Error(`openapi.json was answered with ${response.status}`);
  // The viewer would make up odd examples for "not only white space".
  const spec = JSON.parse(await response.text(), (key, value) =>
    key === 'pattern' && value === '\\S' ? undefined : value,
  );
  // Requests go to where this page came from, which may be another name of the same service than BASE_URL.
  return { ...spec, servers: [{ url: window.location.origin }] };
}

try {
  window.SwaggerUIBundle({
    spec: await readDocument(),
    dom_id: '#api',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    validatorUrl: null,
  });
} catch (error) {
  const note = document.createElement('p');
  note.className = 'text';
  note.textContent = `The API cannot be shown right now (${error.message}). Reload the page to try again.`;
  document.getElementById('api').replaceChildren(note);
}
