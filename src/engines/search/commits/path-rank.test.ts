/** The order in which files are listed. */
import { describe, expect, it } from 'vitest';
import { rankPath } from './path-rank.ts';

describe('rankPath', () => {
  it.each([
    ...['src/server.ts', 'Makefile', 'Dockerfile', '.github/workflows/ci.yml', 'package.json', 'a b/c d'],
    ...['src/history.ts', 'app/news.py', 'lib/readme.go', 'src/vendors/list.ts', 'dist.ts', 'src/lock.ts'],
    ...['src/release.sh', 'src/contest.ts', 'latest.ts', 'go.mod', 'generator.ts', 'src/map.js', 'admin.js'],
  ])('ranks %s as code', (path) => {
    expect(rankPath(path)).toBe('code');
  });

  it.each([
    ...[
      'test/server.test.ts',
      'src/a.spec.tsx',
      'pkg/api_test.go',
      'tests/unit/a.rs',
      'test_app.py',
      'ATest.java',
    ],
    ...['src/__tests__/a.js', 'spec/models/user_spec.rb', 'cmd/testdata/in.json'],
  ])('ranks %s as a test', (path) => {
    expect(rankPath(path)).toBe('test');
  });

  it.each([
    ...['README.md', 'docs/guide.rst', 'CHANGELOG', 'CHANGELOG.md', 'packages/a/Changelog.MD', 'NEWS'],
    ...[
      'HISTORY.rst',
      'LICENSE',
      'LICENSE-MIT',
      'NEWS.1',
      'notes.txt',
      'RELEASE-NOTES',
      'docs/src/intro.mdx',
    ],
  ])('ranks %s as a document', (path) => {
    expect(rankPath(path)).toBe('document');
  });

  it.each([
    ...['package-lock.json', 'web/yarn.lock', 'Cargo.lock', 'go.sum', 'Gemfile.lock', 'pnpm-lock.yaml'],
    ...[
      'public/app.min.js',
      'jquery-min.js',
      'app.js.map',
      'api/v1/types.pb.go',
      'api_pb2.py',
      'api_pb2_grpc.py',
    ],
    ...['schema.generated.ts', 'model.g.dart', 'zz_generated.deepcopy.go', 'test/__snapshots__/a.ts.snap'],
    ...['web/app.bundle.js', 'MODULE.bazel.lock', 'charts/Chart.lock', 'Godeps/_workspace/src/a.go'],
    ...[
      'lib/python3/site-packages/a.py',
      'node_modules/a/index.js',
      'vendor/github.com/x/y.go',
      'web/dist/app.js',
      'vendor/README.md',
    ],
  ])('ranks %s as generated', (path) => {
    expect(rankPath(path)).toBe('generated');
  });
});
