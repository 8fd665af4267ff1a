/** Tells the purpose of a file by its path alone. */

const VENDORED =
  /(?:^|\/)(?:vendor|third_party|thirdparty|node_modules|dist|build|out|\.git|\.yarn|\.idea|\.vscode|testdata|__snapshots__|generated|gen)\//i;
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|e2e|cypress|playwright|fixtures?|mocks?|testing|testutils?|integration-tests?|unit-tests?)\/|(?:[._-](?:tests?|spec|e2e|cy)|_test|Tests?|Spec|IT)\.\w+$|(?:^|\/)(?:test_[^/]*\.py|conftest\.py)$/;
const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kt|kts|scala|groovy|cs|fs|rb|erb|php|swift|dart|ex|exs|erl|clj|cljs|hs|ml|c|cc|cpp|cxx|h|hpp|m|mm|lua|pl|pm|r|jl|sh|sql|proto|graphql|gql|tf|razor|cshtml|html|hbs|ejs|pug|twig|css|scss|less)$/i;
const UI =
  /\.(?:tsx|jsx|vue|svelte|html|erb|hbs|ejs|pug|twig|razor|cshtml|css|scss|less)$|\.blade\.php$|\.component\.ts$|(?:^|\/)(?:components|pages|views|templates|screens|widgets|layouts|frontend|front-end|client|webapp|ui)\//i;
const STYLE = /\.(?:css|scss|less)$/i;

export const isVendored = (path: string) => VENDORED.test(path);
export const isTest = (path: string) => TEST.test(path);
export const isSource = (path: string) => SOURCE.test(path);
export const isUi = (path: string) => UI.test(path);
export const isStyle = (path: string) => STYLE.test(path);
