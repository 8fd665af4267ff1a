/** Classifies files by their path, which decides what a review says about them. */

export type FileClass = 'code' | 'test' | 'generated' | 'vendored' | 'lock' | 'docs' | 'data';

const LOCK_FILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'cargo.lock',
  'go.sum',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'pipfile.lock',
  'gemfile.lock',
  'composer.lock',
  'packages.lock.json',
  'gradle.lockfile',
]);
const VENDORED = /(^|\/)(vendor|vendored|node_modules|third_party|third-party|external|bower_components)\//i;
const GENERATED =
  /(^|\/)(dist|generated|__generated__|gen)\/|[.-]bundle\.(js|css)$|\.(min\.(js|css)|pb\.go|pb\.gw\.go|pb\.cc|pb\.h|g\.dart|designer\.cs|snap|map)$|_pb2(_grpc)?\.pyi?$|(^|\/)zz_generated|\.generated\.|_generated\./i;
const TEST =
  /(^|\/)(tests?|__tests__|specs?|e2e|testdata|fixtures?|__fixtures__|__mocks__|mocks?|testing)\/|[._-](test|tests|spec|e2e)\.[a-z]+$|(^|\/)(test_[^/]*|conftest)\.py$|_test\.(go|py|rb|exs|dart|cc|cpp)$|Tests?\.(java|kt|cs|php|swift|scala)$|(^|\/)[^/]*_spec\.rb$/i;
const DOCS =
  /\.(md|mdx|markdown|rst|adoc|asciidoc|txt|org)$|(^|\/)(docs?|documentation|examples?|samples?)\/|(^|\/)(license|notice|authors|changelog|changes|readme)[^/]*$/i;
const CODE =
  /\.(c|cc|cpp|cxx|h|hh|hpp|cs|fs|vb|go|java|kt|kts|scala|groovy|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|php|py|pyi|rb|rs|swift|m|mm|dart|ex|exs|erl|hs|ml|clj|lua|pl|pm|r|sh|bash|zsh|fish|ps1|sql|proto|graphql|gql|tf|hcl|html|css|scss|less)$|(^|\/)(dockerfile[^/]*|makefile|rakefile|gemfile|procfile|jenkinsfile)$/i;

export function fileClassOf(path: string): FileClass {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (LOCK_FILES.has(name)) return 'lock';
  if (VENDORED.test(path)) return 'vendored';
  if (GENERATED.test(path)) return 'generated';
  if (TEST.test(path)) return 'test';
  if (DOCS.test(path)) return 'docs';
  return CODE.test(path) ? 'code' : 'data';
}

const TEST_PARTS = ['test', 'spec', 'e2e', 'fixture', 'mock'];
/** Every path of a test has one of them; most others are told apart quickly. */
const HAS_TEST_PART = new RegExp(TEST_PARTS.join('|'), 'i');
/** Pathspecs for git that cover every path that `mayHaveTests` accepts. */
export const TEST_PATHS = [...TEST_PARTS.map((part) => `:(icase)*${part}*`), '*.rs'];

/** Rust has tests in the files of what they test. */
export function mayHaveTests(path: string): boolean {
  return path.endsWith('.rs') || (HAS_TEST_PART.test(path) && fileClassOf(path) === 'test');
}
