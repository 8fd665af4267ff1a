// After `npm ci` in a checkout: removes parts of packages that nothing here reads, about 270 MB. Plain JavaScript, so that any Node.js
// can run it. If it doesn't run (`--ignore-scripts`), everything works as well.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '..', 'node_modules');

const UNUSED = [
  /\.map$/,
  // Headers, for compiling addons.
  /^node-(?:bin-)?[a-z]+-\w+\/include$/,
  // Vite bundles `mermaid.core.mjs`; these are the same for other bundlers and for pages.
  /^mermaid\/dist\/(?:mermaid(?:\.esm)?(?:\.min)?\.m?js|chunks\/mermaid\.esm(?:\.min)?)$/,
  /^lucide-react\/dynamic.*\.d\.m?ts$/,
  /^cytoscape-fcose\/demo$/,
];

function trim(folder) {
  for (const entry of readdirSync(join(PACKAGES, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (UNUSED.some((unused) => unused.test(path)))
      rmSync(join(PACKAGES, path), { recursive: true, force: true });
    // Tools write to folders such as `.cache` and `.vite` while this runs.
    else if (entry.isDirectory() && !path.startsWith('.')) trim(path);
  }
}

trim('');
