/** Files that are gone and still named, on real repositories. */
import { describe, expect, it } from 'vitest';
import { findingsOf, reviewChange } from '../../../../test/helpers/git/review-change.ts';

describe('named_path_gone', () => {
  it('finds scripts, workflows and documents that name a file which is gone', async () => {
    expect(
      await findingsOf(
        {
          'scripts/build.sh': 'node src/tools/pack.ts\n',
          'scripts/clean.sh': 'if [ -f ./src/tools/other.ts ]; then\n  node ./src/tools/other.ts\nfi\n',
          'README.md': 'Start with [the guide](docs/guide.md).\n',
          'CHANGELOG.md': 'Added src/tools/pack.ts\n',
          'docs/guide.md': '# Guide\n',
          'src/tools/pack.ts': 'export const pack = 1;\n',
          'src/tools/other.ts': 'export const other = 1;\n',
          'docs/other.md': 'my/src/tools/other.ts and src/tools/other.tsx\n',
          'docs/specs/2026-06-11-tools.md': 'A new file, src/tools/other.ts\n',
          'site/posts/tools.mdx': 'How we built src/tools/other.ts\n',
          'docs/design-docs/20260602-tools.md': 'In src/tools/other.ts\n',
          'tools-migration.md': '- Delete src/tools/other.ts\n',
          'docs/fix.md': '# A fix\n\n## Files Modified\n\n- src/tools/other.ts\n',
          '.github/workflows/unit.yml': 'run: pytest --ignore=src/tools/other.ts\n',
          'compose.yaml': 'services:\n  web:\n    #dockerfile: src/tools/other.ts\n',
          'docs/src/tools/other.ts': 'export const other = 2;\n',
          'docs/query/tools.md': 'See [the other](../src/tools/other.ts).\n',
          'scripts/test-paths.sh': 'assert_maps_to src/tools/other.ts tools\n',
          '.agents/issue/tools-analysis.md': 'src/tools/other.ts is slow\n',
          '.agents/design/tools.md': 'It is in src/tools/other.ts\n',
          'docs/tools.md': 'The tool is in src/tools/other.ts\n',
          'docs/index.md': 'The guide has [moved](../docs/guide.md).\n',
          'docs/links.md': '[The tool][1] is small.\n\n[1]: ../src/tools/linked.ts\n',
          'src/tools/linked.ts': 'export const linked = 1;\n',
          'docs/release.md': 'Add `scripts/release/notes.md` only if it is needed.\n',
          'projects/tools/one-brief.md': 'Change src/tools/other.ts\n',
          'docs/old.md': 'See src/tools/older.ts and src/tools/other.ts\n',
          '.changeset/pre.json': '{}\n',
          'scripts/release/check.sh': 'test "$file" = .changeset/pre.json\n',
          'scripts/release/notes.md': '# Notes\n',
          'scripts/release/run.ts': "await rm('notes.md');\n",
        },
        {
          '.changeset/pre.json': null,
          'scripts/release/notes.md': null,
          'src/tools/pack.ts': null,
          'docs/guide.md': null,
          'docs/start.md': '# Guide\n',
          'src/tools/other.ts': null,
          'src/tools/linked.ts': null,
        },
        'named_path_gone',
      ),
    ).toEqual([
      'named_path_gone docs/guide.md:1 docs/guide.md is renamed but still named',
      'named_path_gone src/tools/linked.ts:1 src/tools/linked.ts is deleted but still named',
      'named_path_gone src/tools/pack.ts:1 src/tools/pack.ts is deleted but still named',
    ]);
  });

  it('leaves alone files with the same path below the folder of what names them, and lines that come with the change', async () => {
    const before = {
      'src/index.ts': 'export const cli = 1;\nexport const more = 2;\n',
      'packages/api/src/index.ts': 'export const api = 1;\n',
      'packages/api/Dockerfile': 'COPY src/index.ts ./\n',
      'packages/api/deploy/run.sh': 'node src/index.ts\n',
      'src/legacy/tool.py': 'print(1)\n',
      'bin/old-tool.sh': 'echo 1\n',
      'README.md': '# Shop\n',
    };
    const after = {
      'src/index.ts': null,
      'packages/cli/src/index.ts': before['src/index.ts'],
      'src/legacy/tool.py': null,
      'bin/old-tool.sh': null,
      'README.md':
        '# Shop\n\n`src/legacy/tool.py` was removed; use `shop tool` (formerly `bin/old-tool.sh`).\n',
    };
    expect(await findingsOf(before, after, 'named_path_gone')).toEqual([]);
    const root = { ...before, Dockerfile: 'COPY src/index.ts ./\n' };
    expect(await findingsOf(root, after, 'named_path_gone')).toEqual([
      'named_path_gone src/index.ts:1 src/index.ts is renamed but still named',
    ]);
  });

  it('finds links to a deleted document that are relative to the document with the link', async () => {
    const linking = (path: string, text: string) =>
      findingsOf(
        { [path]: `${text}\n`, 'docs/setup-guide.md': '# Setup\n', 'site/setup-guide.md': '# Site\n' },
        { 'docs/setup-guide.md': null },
        'named_path_gone',
      );
    const found = ['named_path_gone docs/setup-guide.md:1 docs/setup-guide.md is deleted but still named'];
    expect(await linking('docs/index.md', 'See [setup](./setup-guide.md).')).toEqual(found);
    expect(await linking('docs/index.md', 'See [setup](setup-guide.md#first).')).toEqual(found);
    expect(await linking('docs/a/b.md', 'See [a](x.md) and [setup](../setup-guide.md "Setup").')).toEqual(
      found,
    );
    for (const [path, text] of [
      ['site/index.md', 'See [setup](./setup-guide.md).'],
      ['docs/a/b.md', 'See [setup](./setup-guide.md).'],
      ['docs/index.md', 'See `setup-guide.md`, [setup](/setup-guide.md) and [all](my-setup-guide.md).'],
      ['docs/changelog.md', 'Added [setup](./setup-guide.md).'],
      ['docs/index.ts', '// [setup](./setup-guide.md)'],
    ] as const)
      expect(await linking(path, text), path).toEqual([]);
  });

  it('reports a document that names several files which are gone once', async () => {
    const paths = Array.from({ length: 12 }, (_, n) => `src/tools/tool-${n}.ts`);
    const files = Object.fromEntries(paths.map((path) => [path, 'export const tool = 1;\n']));
    const deleted = Object.fromEntries(paths.map((path) => [path, null]));
    const { candidates } = await reviewChange({ ...files, 'README.md': `${paths.join('\n')}\n` }, deleted, {
      only: 'named_path_gone',
    });
    expect(candidates.map(({ title }) => title)).toEqual([`${paths[0]} is deleted but still named`]);
    expect(candidates[0]!.scenario).toContain('It names other files that are gone, too.');
    expect(candidates[0]!.evidence.map(({ line }) => line).length).toBe(10);
  });
});
