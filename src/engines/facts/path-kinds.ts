/** What paths say: which files are tests, and which folders they are in. */

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata|fixtures|e2e|integration-tests?)\//i;
const TEST_NAME =
  /(?:^|\/)(?:test_[^/]*\.py|conftest\.py|[^/]*(?:_test|_spec|\.test|\.spec|-test|-spec)\.[^/]+|[^/]*Tests?\.(?:java|cs|kt|php|swift))$/;

export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path);
}

/** The folders of the first two levels that a file is in. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.slice(0, 2).map((_, index) => parts.slice(0, index + 1).join('/'));
}
