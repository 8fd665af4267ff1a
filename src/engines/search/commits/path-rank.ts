/** Ranks files by path for search results: code first, then tests, documents and generated files. */

export const PATH_RANKS = { code: 0, test: 1, document: 2, generated: 3 } as const;
export type PathRank = keyof typeof PATH_RANKS;

/** Folders with third-party or generated content. */
const GENERATED_FOLDERS = new Set([
  ...['node_modules', 'vendor', 'third_party', 'bower_components', 'pods', '.yarn'],
  ...['godeps', '_vendor', 'jspm_packages', 'carthage', 'elm-stuff', 'site-packages', '.venv'],
  ...['dist', '__snapshots__', '__generated__', 'generated'],
]);

const LOCK_FILES = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'deno.lock'],
  ...['cargo.lock', 'composer.lock', 'gemfile.lock', 'poetry.lock', 'pipfile.lock', 'pdm.lock', 'uv.lock'],
  ...['go.sum', 'go.work.sum', 'flake.lock', 'mix.lock', 'pubspec.lock', 'podfile.lock', 'package.resolved'],
  ...['bun.lockb', 'gems.locked', 'rebar.lock', 'paket.lock', 'conan.lock', 'pixi.lock', 'chart.lock'],
  ...['module.bazel.lock', 'stack.yaml.lock', 'cabal.project.freeze', 'project.assets.json'],
  ...['packages.lock.json', 'gradle.lockfile', 'buildscript-gradle.lockfile', '.terraform.lock.hcl'],
]);

/** Minified files, source maps, snapshots, and typical names of generated code. */
const GENERATED_NAME =
  /(?:[.-]min\.(?:js|mjs|cjs|css)|\.bundle\.(?:js|css)|\.(?:js|mjs|cjs|css)\.map|\.snap|\.pb\.(?:go|cc|h|swift)|_pb2(?:_grpc)?\.pyi?|[._](?:generated|g)\.\w+|zz_generated\.\S+)$/;

const TEST_FOLDERS = new Set([
  ...['test', 'tests', '__tests__', 'spec', 'specs', '__mocks__', 'testdata', 'fixtures', 'e2e'],
]);

const TEST_NAME =
  /(?:[._-](?:test|tests|spec)\.\w+|^test_.*\.py|(?:test|tests|spec)\.(?:java|kt|cs|php|scala|swift))$/;

const DOCUMENT_NAME = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|org|pod|rdoc)$/;

/** Files with these names and any or no extension: `CHANGELOG`, `NEWS.1`, `LICENSE-MIT`. */
const DOCUMENT_STEM =
  /^(?:changelog|changes|history|news|releases?|release[-_]notes|authors|contributors|license|licence|copying|notice|readme)(?:[.-][^.]*)?$/;

/** `path` uses slashes; not case-sensitive. */
export function rankPath(path: string): PathRank {
  const parts = path.toLowerCase().split('/');
  const name = parts.pop()!;
  if (LOCK_FILES.has(name) || GENERATED_NAME.test(name)) return 'generated';
  if (parts.some((folder) => GENERATED_FOLDERS.has(folder))) return 'generated';
  if (DOCUMENT_NAME.test(name) || isDocumentStem(name)) return 'document';
  return TEST_NAME.test(name) || parts.some((folder) => TEST_FOLDERS.has(folder)) ? 'test' : 'code';
}

/** `history.ts` is code, whatever its stem says. */
function isDocumentStem(name: string): boolean {
  return DOCUMENT_STEM.test(name) && !/\.[a-z]/.test(name);
}
