/** The packages that the programs of a repository run with. */
import type { PlacedFact } from '../../../../platform/core/ports/code-facts.ts';
import { isTool } from './kinds-of-paths.ts';

/** Packages of these are for development, or come with another package. */
const NOT_ITS_OWN = /(?:^|\s)(?:dev|indirect|test|build|optional|provided)$/;
/** Requirements are often pinned together with what those need, and lists for tests and documents stand beside them. */
const REQUIREMENTS = /(?:^|\/)[^/]*requirements?[^/]*(?:\/[^/]+)?\.(?:txt|in)$/i;
const OTHER_REQUIREMENTS =
  /(?:^|[/_.-])(?:dev|test|lint|docs?|build|binary|ci|mypy|tox)\w*[^/]*\.(?:txt|in)$/i;
const MANIFEST_OF_PYTHON = /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile)$/;
/** Only used where code is checked, built or tried out, whatever the manifest says. */
const SUPPORT =
  /^(?:npm:(?:@types\/.*|@babel\/.*|babel-.*|.*eslint.*|prettier.*|typescript|tslib|.*(?:rollup|webpack|gulp|grunt|postcss|stylelint|jest|cypress|playwright|mocha|vitest|vite|esbuild|husky|nodemon|concurrently|cross-env|rimraf|autoprefixer)(?:[-/].*)?|.*-loader|sass|sass-embedded|npm-run-all\d?|patch-package)|gem:(?:rspec.*|rubocop.*|minitest.*|simplecov.*|capybara.*|selenium.*|factory_?bot.*|faker|webmock|vcr|pry.*|byebug|debug|rbs|steep|sorbet.*|brakeman|bundler.*|rake|rdoc|yard.*|kramdown|puma|foreman|overcommit|danger.*|spring.*|listen|web-console|letter_opener.*|bullet|annotate.*|database_cleaner.*|timecop|shoulda.*|mocha|cucumber.*|appraisal|generator_spec|erb_lint|haml_lint|i18n-tasks|guard.*|launchy|sqlite3|bootsnap|tzinfo-data|awesome_print|irb|benchmark.*|memory_profiler|stackprof|rack-mini-profiler|rack-test|cuprite|ferrum|test-.*|rails-controller-testing|knapsack.*|parallel_tests|climate_control|httplog|standard.*)|pypi:(?:pytest.*|mypy.*|ruff|black|flake8.*|isort|coverage|tox.*|pre-commit|setuptools.*|wheel|pip.*|sphinx.*|mkdocs.*|types-.*|.*-stubs|build|twine|pylint.*|factory-boy|faker|freezegun|responses|moto|hypothesis|django-debug-toolbar|ipython|ipdb|certifi|charset-normalizer|idna|urllib3|typing-extensions|six)|go:(?:github\.com\/(?:stretchr\/testify|onsi\/(?:ginkgo|gomega)|golang\/mock|google\/go-cmp|testcontainers\/|shoenig\/test|matryer\/(?:is|moq)|DATA-DOG\/|davecgh\/go-spew|pmezard\/go-difflib|alecthomas\/assert|vektra\/mockery|golangci\/)|go\.uber\.org\/(?:mock|goleak)|gotest\.tools|golang\.org\/x\/tools|gopkg\.in\/check|honnef\.co\/).*|composer:(?:phpunit\/.*|.*(?:phpstan|psalm|debugbar|mockery|pint|faker|phpcs|code-sniffer|cs-fixer|ignition|telescope).*|php|ext-.*)|maven:.*(?:junit|mockito|assertj|testcontainers|hamcrest|lombok|testng|-test\b|-tests\b|-bom$|awaitility|wiremock).*|nuget:(?:.*(?:test|xunit|nunit|moq|analyzers?|coverlet|fluentassertions|sourcelink|stylecop|nsubstitute|shouldly|minver|nerdbank|referenceassemblies).*)|cargo:(?:criterion|proptest|insta|rstest|tempfile|assert_.*|pretty_assertions|quickcheck|mockall|wiremock|serial_test|divan|trybuild|arbitrary))$/i;

const isRunning = ({ detail, path }: PlacedFact) =>
  !NOT_ITS_OWN.test(detail ?? '') && !isTool(path) && !OTHER_REQUIREMENTS.test(path);

/** Left out when it isn't sure that a program needs it: precision matters more than how many are named. */
export function declaredDependencies(
  facts: readonly PlacedFact[],
  isMeant: (fact: PlacedFact) => boolean,
): PlacedFact[] {
  const isPackage = ({ kind, role }: PlacedFact, of: PlacedFact['role']) => kind === 'package' && role === of;
  const own = new Set(facts.filter((fact) => isPackage(fact, 'provides')).map(({ name }) => name));
  const all = facts.filter(
    (fact) =>
      isPackage(fact, 'uses') &&
      !own.has(fact.name) &&
      !SUPPORT.test(fact.name) &&
      !/proj$/.test(fact.detail ?? '') &&
      isRunning(fact) &&
      isMeant(fact),
  );
  const hasGemspec = facts.some(({ path }) => path.endsWith('.gemspec'));
  const hasPythonManifest = all.some(({ path }) => MANIFEST_OF_PYTHON.test(path));
  return all.filter(({ name, path }) => {
    // The Gemfile of a gem has what is needed to develop it.
    if (name.startsWith('gem:')) return path.endsWith('.gemspec') || !hasGemspec;
    return !(name.startsWith('pypi:') && hasPythonManifest && REQUIREMENTS.test(path));
  });
}

/** Files that say how code is built or checked import what no program runs with. */
const CONFIGURATION =
  /(?:^|[/.])[\w.-]*(?:config|conf|rc|rollup|webpack|gulpfile|gruntfile|setup)[\w.-]*\.[cm]?[jt]s$/i;

/** How often code imports each package: an import can name a folder of a Go module, or a file of an npm package. */
export function importsOf(facts: readonly PlacedFact[]): ReadonlyMap<string, number> {
  const imports = new Map<string, number>();
  for (const { name, path } of facts) {
    if (isTool(path) || CONFIGURATION.test(path)) continue;
    let from = name.replace(/#.*$/s, '');
    for (;;) {
      imports.set(from, (imports.get(from) ?? 0) + 1);
      const slash = from.lastIndexOf('/');
      if (slash < 0) break;
      from = from.slice(0, slash);
    }
  }
  return imports;
}
