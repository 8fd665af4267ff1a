/** Questions that a file's path alone answers. */

/** The last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Data of tests: even the manifests there describe nothing that exists. */
export function isFixturePath(path: string): boolean {
  return /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data|test_data)\//i.test(path);
}
