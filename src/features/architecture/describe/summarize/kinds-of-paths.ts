/** Tells the purpose of a file by its path alone. */

const VENDORED =
  /(?:^|\/)(?:vendor|third_party|thirdparty|node_modules|dist|build|out|\.git|\.yarn|\.idea|\.vscode|testdata|__snapshots__|generated|gen)\/|\.min\.\w+$|\/static\/(?:[^/]+\/){0,4}libs?\/|(?:^|\/)public\/(?:javascripts|assets)\/|(?:^|\/)(?:ckeditor\d?|tinymce|codemirror|ace-builds|monaco(?:-editor)?|summernote|quill|fckeditor|wysihtml5?|trix|jquery(?:[-_.]ui)?|bootstrap|font-?awesome|mathjax|katex)\/|[/.-](?:jquery|bootstrap)[\w.-]{0,40}\.(?:js|css)$/i;
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|e2e|cypress|playwright|fixtures?|mocks?|mirage|factories|fabricators|test-resources?|testing|testutils?|integration-tests?|unit-tests?|robustness|[^/]*[-_.]tests?|[^/]*Tests?)\/|(?:[._-](?:tests?|spec|e2e|cy|stories)|_test|Tests?|Spec|IT|(?:^|\/)fixtures?)\.\w+$|(?:^|\/)(?:test_[^/]*\.py|conftest\.py)$/;
/** Code that is shown, tried out or measured with, rather than run or used. */
const ASIDE =
  /(?:^|\/)(?:(?:\w+[-_])?examples?(?:[-_]\w+)?|samples?|demos?|docs?|documentation|website|hack|contrib|(?:[\w.]*[-.])?bench(?:es|marks?)?|fuzz|\.devcontainer)\//i;
const TOOL = /(?:^|\/)(?:(?:[\w.]+-)?(?:tools?|scripts?)|tooling|xtask|hack|ci|dev|fastlane|\.[^/]+)\//i;
const MIGRATION = /(?:^|\/)(?:db\/migrate|post_migrate|migrations?)\//i;
const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kt|kts|scala|groovy|cs|fs|rb|erb|php|swift|dart|ex|exs|erl|clj|cljs|hs|ml|c|cc|cpp|cxx|h|hpp|m|mm|lua|pl|pm|r|jl|sh|sql|proto|graphql|gql|tf|razor|cshtml|html|haml|slim|heex|tmpl|gohtml|hbs|ejs|pug|twig|css|scss|less)$/i;
/** A folder such as `client` or `ui` can hold anything: only files that draw something count there. */
const UI =
  /\.(?:[jt]sx|vue|svelte|erb|haml|slim|heex|tmpl|gohtml|hbs|g[jt]s|ejs|pug|twig|razor|cshtml|css|scss|less)$|\.blade\.php$|\.component\.ts$|(?:^|\/)(?:templates|views|components|pages|screens|widgets|layouts)\/(?:[^/]+\/){0,9}[^/]+\.(?:html|[cm]?js)$/i;
/** Templates of code and configuration. */
const GENERATOR =
  /\.(?:rb|ya?ml|sh|conf|cfg|env|service|md|txt|json|toml|py|go|sql)\.(?:erb|tmpl|twig|ejs|hbs)$|(?:^|\/)puppet\//i;
const STYLE = /\.(?:css|scss|less)$/i;

/** Files named as tests, rather than what tests run with. */
const TEST_FILE =
  /(?:[._-](?:tests?|spec|e2e|cy)|_test|_spec|Tests?|Spec|IT)\.\w+$|(?:^|\/)test_[^/]*\.\w+$|(?:^|\/)(?:tests?|__tests__)\/(?:[^/]+\/){0,9}[^/]+\.rs$/;
/** Texts for people in a file of code. */
const TRANSLATION = /(?:^|\/)(?:lang|langs|locales?|i18n|translations?)\//i;

export const isVendored = (path: string) => VENDORED.test(path);
export const isTest = (path: string) => TEST.test(path);
export const isAside = (path: string) => ASIDE.test(path);
export const isTool = (path: string) => TOOL.test(path);
export const isTestFile = (path: string) => TEST_FILE.test(path);
export const isTranslation = (path: string) => TRANSLATION.test(path);
export const isMigration = (path: string) => MIGRATION.test(path);
export const isSource = (path: string) => SOURCE.test(path);
export const isUi = (path: string) => UI.test(path) && !GENERATOR.test(path);
export const isStyle = (path: string) => STYLE.test(path);
