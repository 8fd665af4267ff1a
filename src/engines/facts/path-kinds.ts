/** Tells by their paths which files are tests, and which folders they are in. */

const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|e2e|fixtures?|testdata|test-data|__mocks__|mocks|cypress|test[-_]?(?:helpers?|utils?|support)|[\w.-]{1,80}[.-]tests?)\//i;
const TEST_NAME =
  /(?:[._-](?:test|tests|spec|e2e|stories|mock)\.\w{1,5}|(?:Test|Tests|IT|Spec|Specs)\.(?:java|kt|cs|php|swift|scala|groovy)|(?:^|\/)(?:test_[^/]{1,200}|conftest)\.py)$/;

/** Definitions, routes, calls and tables of tests are not part of the system. */
export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path);
}

/** The folders of the first two levels that a file is in. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.slice(0, 2).map((_, index) => parts.slice(0, index + 1).join('/'));
}
