/** What a file's path says about it. */

/** The last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|e2e|fixtures?|testdata|test-data|__mocks__|mocks|cypress|test[-_]?(?:helpers?|utils?|support)|[\w.-]{1,80}[.-]tests?)\//i;
const TEST_NAME =
  /(?:[._-](?:test|tests|spec|e2e|stories|mock)\.\w{1,5}|_test\.go|(?:Test|Tests|IT|Spec|Specs)\.(?:java|kt|cs|php|scala|groovy)|(?:^|\/)(?:test_[^/]{1,200}|conftest)\.py|_(?:test|spec)\.(?:py|rb|exs))$/;

/** What tests serve, call and create is not part of the system. */
export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path);
}

/** Data of tests: even the manifests there describe nothing that exists. */
export function isFixturePath(path: string): boolean {
  return /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data|test_data)\//i.test(path);
}
