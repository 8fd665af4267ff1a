/** The checks of tests, data, dependencies and single files, on real repositories: findings, and what they must leave alone. */
import { describe, expect, it } from 'vitest';
import { describeReview, findingsOf, reviewChange } from '../../../../test/helpers/git/review-change.ts';

describe('weakened tests', () => {
  it('finds focused and skipped tests, deleted tests, lower limits and ignored failures', async () => {
    const workflow = (extra: string) => `on: push\njobs:\n  t:\n    steps:\n      - run: npm test\n${extra}`;
    expect(
      await findingsOf(
        {
          'a.test.ts': "it('adds', () => {});\nit('divides', () => {});\n",
          'b_test.go': 'package b\n\nfunc TestB(t *testing.T) {\n\trun(t)\n}\n',
          'tests/test_c.py': 'def test_c():\n    assert c()\n',
          'src/d.ts': 'export const d = 1;\n',
          'src/d.test.ts': "it('is one', () => {});\n",
          'jest.config.js': 'module.exports = { coverageThreshold: { global: {\n  lines: 90,\n} } };\n',
          '.github/workflows/ci.yml': workflow(''),
        },
        {
          'a.test.ts': "it.only('adds', () => {});\nit.skip('divides', () => {});\n",
          'b_test.go': 'package b\n\nfunc TestB(t *testing.T) {\n\tt.Skip("flaky")\n\trun(t)\n}\n',
          'tests/test_c.py': '@pytest.mark.skip(reason="later")\ndef test_c():\n    assert c()\n',
          'src/d.test.ts': null,
          'jest.config.js': 'module.exports = { coverageThreshold: { global: {\n  lines: 70,\n} } };\n',
          '.github/workflows/ci.yml': workflow('        continue-on-error: true\n'),
        },
      ),
    ).toEqual([
      'focused_test a.test.ts:1 Focused test: the other tests don’t run',
      'skipped_test a.test.ts:2 Test is skipped now',
      'deleted_test src/d.test.ts:1 Tests of src/d.ts deleted',
      'lowered_coverage jest.config.js:2 Coverage limit lowered from 90 to 70',
      'ignored_failure .github/workflows/ci.yml:6 Failures of this step no longer count',
    ]);
  });

  it('leaves alone new skipped tests, conditions, moved tests, tests of what is gone and higher limits', async () => {
    expect(
      await findingsOf(
        {
          'src/e.ts': 'export const e = 1;\nexport function double() {\n  return e * 2;\n}\n',
          'src/e.test.ts': "import { double } from './e.ts';\nit('is two', () => double());\n",
          'src/d.ts': 'export const d = 1;\n',
          'src/d.test.ts': "it('is one', () => {});\n",
          'jest.config.js': 'module.exports = { lines: 70 };\n',
          '.github/workflows/label.yml': 'on: issues\njobs:\n  l:\n    steps:\n      - run: label\n',
        },
        {
          '.github/workflows/label.yml':
            'on: issues\njobs:\n  l:\n    steps:\n      - run: label\n        continue-on-error: true\n',
          'src/e.ts': 'export const e = 1;\n',
          'src/e.test.ts': null,
          'src/d.test.ts': null,
          'test/all.test.ts':
            "it('is one', () => {});\nit.skip('new one', () => {});\nconst only = list.only('x');\n// it.only('off', () => {});\n/* test.only('off') */\n",
          'b_test.go': 'package b\n\nfunc TestB(t *testing.T) {\n\tif short {\n\t\tt.Skip()\n\t}\n}\n',
          'src/only.ts': "describe.only('not a test file');\n",
          'jest.config.js': 'module.exports = { lines: 75 };\n',
        },
      ),
    ).toEqual([]);
  });

  it.each([
    ['A.cs', '[Fact]\n', '[Fact(Skip = "later")]\n', true],
    ['A.cs', '//[Fact]\n', '[Fact(Skip = "later")]\n', false],
    ['A.cs', '', '[Fact(Skip = "later")]\n', false],
    ['A.cs', '[Test]\n', '[Test]\n[Ignore]\n', true],
    ['A.java', '@Test\n', '@Test\n@Disabled\n', true],
    ['A.java', '@Test\n', '@Disabled\n@Test\n', true],
    ['A.java', '// @Test\n', '@Test\n@Disabled\n', false],
    ['a.rs', '#[test]\n', '#[test]\n#[ignore]\n', true],
    ['a.rs', '// #[test]\n', '#[test]\n#[ignore]\n', false],
  ])('finds a skipped test of %s with %j, now %j, if it ran: %s', async (name, before, after, ran) => {
    const file = (mark: string) => ({ [`tests/${name}`]: `${mark}void adds()\n{\n}\n` });
    const found = await findingsOf(file(before), file(after), 'skipped_test');
    expect(found.map((each) => each.split(':')[0])).toEqual(ran ? [`skipped_test tests/${name}`] : []);
  });

  it('leaves alone the deleted tests of a revert', async () => {
    const before = { 'src/d.ts': 'export const d = 1;\n', 'src/d.test.ts': "it('is one', () => {});\n" };
    const after = { 'src/d.ts': 'export const d = 2;\n', 'src/d.test.ts': null };
    const deleted = async (message: string) =>
      describeReview(await reviewChange(before, after, { only: 'deleted_test', message }));
    expect(await deleted('Revert "feat: make d one" (#12)')).toEqual([]);
    expect(await deleted('revert(d): make d two again')).toEqual([]);
    expect(await deleted('Revert PR 12 (#13)')).toEqual([]);
    expect(await deleted('Remove tests that revert d')).toEqual([
      'deleted_test src/d.test.ts:1 Tests of src/d.ts deleted',
    ]);
  });
});

describe('data safety', () => {
  it('leaves edited migrations alone that change the same schema or come with another, and says once that several were edited', async () => {
    const create = (columns: string, guard = false, back = '') => {
      const call = `Schema::create('users', static function (Blueprint $table): void {\n  ${columns}\n});\n`;
      const down = `  public function down(): void\n  {\n    Schema::drop('users${back}');\n  }\n`;
      return `<?php\nuse X\\Y;\nreturn new class extends Migration {\n${down}${guard ? `if (!Schema::hasTable('users')) {\n${call}}` : call}};\n`;
    };
    const before = {
      'database/migrations/2024_01_01_users.php': create("$table->string('name', 20);"),
      'db/migrate/002_orders.sql': 'create table orders (\n  id int\n);\n',
      'migrations/20200101_a.go':
        'package m\n\nfunc Up(tx *sql.Tx) error {\n\t_, err := tx.Exec(`drop table a;`)\n}\n',
      'hc/migrations/0003_fill.py': 'from django.db import migrations\n\nx = migrations.RunPython(f)\n',
      'alembic/versions/2024_a.py': 'def upgrade():\n    pass\n\ndef downgrade():\n    op.drop_index("a")\n',
      'db/migrations/003_b.sql': '-- +goose Up\nCREATE TABLE b (id int);\n-- +goose Down\nDROP TABLE c;\n',
      'db/migrations/004_c.down.sql': 'DROP TABLE c;\n',
      'db/migrate/005_d.rb': 'def change\n  add_column :d, :e, :string # a\nend\n',
    };
    const formatted = {
      'database/migrations/2024_01_01_users.php': create(
        "$table->string(\n    'name',\n    20,\n  );",
        true,
        '_old',
      ),
      'db/migrate/002_orders.sql':
        'PRAGMA foreign_keys= OFF;\nBEGIN;\nCREATE TABLE IF NOT EXISTS public.orders (id int);\nCOMMIT;\n',
      'migrations/20200101_a.go':
        'package m\n\nfunc Up(ctx C, tx *sql.Tx) error {\n\t_, err := tx.ExecContext(ctx, `drop table a;`)\n}\n',
      'hc/migrations/0003_fill.py':
        'from django.db import migrations\nfrom django.db.migrations.state import S\n\nx = migrations.RunPython(f)\n',
      'alembic/versions/2024_a.py': 'def upgrade():\n    pass\n\ndef downgrade():\n    op.drop_table("a")\n',
      'db/migrations/003_b.sql': '-- +goose Up\nCREATE TABLE b (id int);\n-- +goose Down\nDROP TABLE b;\n',
      'db/migrations/004_c.down.sql': 'DROP TABLE d;\n',
      'db/migrate/005_d.rb':
        'def change\n  add_column :d, :e, :string unless column_exists?(:d, :e) # b\nend\n',
    };
    const edited = {
      'database/migrations/2024_01_01_users.php': create("$table->string('name', 40);"),
      'db/migrate/002_orders.sql': 'create table orders (\n  id bigint\n);\n',
    };
    const caughtUp = {
      'database/migrations/2024_01_01_users.php': create("$table->string('name', 40);"),
      'database/migrations/2024_02_01_longer.php':
        "<?php\nSchema::table('users', function ($table) {\n  $table->string('name', 40)->change();\n});\n",
      'db/migrate/002_orders.sql': 'create table orders (\n  id bigint\n);\n',
      'db/migrate/006_orders.sql': 'ALTER TABLE orders ALTER COLUMN id TYPE bigint;\n',
    };
    expect(await findingsOf(before, formatted, 'edited_migration')).toEqual([]);
    expect(await findingsOf(before, caughtUp, 'edited_migration')).toEqual([]);
    expect(await findingsOf(before, edited, 'edited_migration')).toEqual([
      'edited_migration database/migrations/2024_01_01_users.php:9 Migration edited after it was merged',
    ]);
  });

  it('finds edited migrations, numbers that are taken, and dropped tables that are used', async () => {
    expect(
      await findingsOf(
        {
          'db/migrations/0001_users.sql': 'CREATE TABLE users (id int);\n',
          'db/migrations/0002_orders.sql': 'CREATE TABLE orders (id int);\n',
          'db/migrations/0010_more.sql': 'CREATE TABLE more (id int);\n',
          'src/orders.ts': "const all = 'SELECT * FROM orders WHERE id = $1';\n",
        },
        {
          'db/migrations/0001_users.sql': 'CREATE TABLE users (id bigint);\n',
          'db/migrations/0002_items.sql': 'CREATE TABLE items (id int);\n',
          'db/migrations/0003_drop.sql': 'DROP TABLE IF EXISTS public.orders;\n',
        },
      ),
    ).toEqual([
      'dropped_table db/migrations/0003_drop.sql:1 Table orders is dropped but still used',
      'edited_migration db/migrations/0001_users.sql:1 Migration edited after it was merged',
      'same_number_migration db/migrations/0002_items.sql:1 Two migrations have the number 0002',
    ]);
  });

  it('leaves alone comments, ways back, parts and tests of one migration, and tables that nothing uses', async () => {
    expect(
      await findingsOf(
        {
          'db/migrations/0001_users.sql': 'CREATE TABLE users (id int);\n',
          'src/a.ts': "// FROM users\nq('FROM logs');\n",
        },
        {
          'db/migrations/0001_users.sql': '-- people\nCREATE TABLE users (id int);\n',
          'db/migrations/0002_logs.up.sql': 'CREATE TABLE logs (id int);\n',
          'db/migrations/0002_logs.down.sql': 'DROP TABLE logs;\n',
          'db/migrations/0003_gone.rb':
            'def up\n  create_table :logs\nend\ndef down\n  drop_table :logs\nend\n',
          'db/migrations/0004_unused.sql': 'DROP TABLE archive;\n',
          'db/migrations/0007_view.sql': 'DROP TABLE "logs";\nCREATE MATERIALIZED VIEW "logs" AS SELECT 1;\n',
          'db/migrations/0005_again.sql': 'DROP TABLE logs;\nALTER TABLE logs_new RENAME TO logs;\n',
          'store/migration/006_names.go': 'package migration\n',
          'store/migration/006_names_test.go': 'package migration\n',
          'app/migrations/0004_one.py': 'x = 1\n',
          'app/migrations/0004_two.py': 'x = 2\n',
          'database/migrations/2026_08_15_000000_one.php': '<?php\n',
          'database/migrations/2026_08_15_000000_two.php': '<?php\n',
        },
      ),
    ).toEqual([]);
  });

  it('leaves alone a way back that is added to a migration later', async () => {
    const up = 'def up\n  create_table "orders" do |t|\n  end\nend\n';
    const before = { 'db/migrate/001_orders.rb': up, 'lib/report.rb': 'run("SELECT * FROM orders")\n' };
    const dropped = (text: string) =>
      findingsOf(before, { 'db/migrate/001_orders.rb': text }, 'dropped_table');
    expect(await dropped(`${up}def down\n  drop_table "orders"\nend\n`)).toEqual([]);
    expect(await dropped('def up\n  drop_table "orders"\nend\n')).toEqual([
      'dropped_table db/migrate/001_orders.rb:2 Table orders is dropped but still used',
    ]);
  });

  it('finds protobuf numbers that are reused or freed, and accepts reserved ones', async () => {
    const message = (fields: string) => `syntax = "proto3";\nmessage Order {\n${fields}}\n`;
    const setting = (type: string, name: string, fields = '  string id = 1;\n') =>
      `message Setting {\n  ${type} ${name} = 6;\n}\nmessage ${type} {\n${fields}}\n`;
    expect(
      await findingsOf(
        {
          'api/setting.proto': setting('Shortcuts', 'shortcuts'),
          'api/theme.proto': setting('Theme', 'theme'),
          'api/order.proto': message(
            '  string id = 1;\n  int32 count = 2;\n  string note = 3;\n  bool paid = 4;\n',
          ),
        },
        {
          'api/setting.proto': setting('Views', 'views', '  string id = 1;\n  string order = 2;\n'),
          'api/theme.proto': setting('Look', 'look', '  int32 id = 1;\n'),
          'api/order.proto': message('  string id = 1;\n  string label = 2;\n  reserved 4;\n'),
        },
        'protobuf_field_number',
      ),
    ).toEqual([
      'protobuf_field_number api/order.proto:4 Field number 2 of Order is reused',
      'protobuf_field_number api/order.proto:5 Number 3 of Order is free again',
      'protobuf_field_number api/theme.proto:2 Field number 6 of Setting is reused',
    ]);
  });
});

describe('dependencies', () => {
  const manifest = (dependencies: Record<string, string>) => `${JSON.stringify({ dependencies }, null, 2)}\n`;

  it('finds addresses, dependencies that are not locked, and imitated names', async () => {
    expect(
      await findingsOf(
        {
          'package.json': manifest({ express: '5.0.0', '@aws-sdk/client-ses': '3.0.0' }),
          'package-lock.json': '{"packages":{"node_modules/express":{}}}\n',
        },
        {
          'package.json': manifest({
            express: '5.0.0',
            '@aws-sdk/client-ses': '3.0.0',
            '@aws-sdk/client-sns': '3.0.0',
            exprses: '1.0.0',
            left: 'git+https://host.test/left.git',
          }),
          'package-lock.json':
            '{"packages":{"node_modules/express":{},"node_modules/left":{},"node_modules/@aws-sdk/client-sns":{}}}\n',
        },
      ),
    ).toEqual([
      'dependency_source package.json:7 left comes from git+https://host.test/left.git',
      'dependency_not_locked package.json:6 exprses is not in package-lock.json',
      'similar_dependency_name package.json:6 exprses looks like express',
    ]);
  });

  it('finds another source of a dependency, not another version there', async () => {
    const before = {
      'package.json': manifest({
        charts: 'https://host.test/acme/charts/archive/5.1.tar.gz',
        flow: 'git+ssh://git@host.test/acme/flow.git#release/3',
        grid: 'acme/grid#v1',
      }),
    };
    const after = {
      'package.json': manifest({
        charts: 'https://host.test/acme/charts/archive/5.2.tar.gz',
        flow: 'git+ssh://git@host.test/acme/flow.git#release/4',
        grid: 'other/grid#v2',
      }),
    };
    expect(await findingsOf(before, after, 'dependency_source')).toEqual([
      'dependency_source package.json:5 grid comes from other/grid#v2',
    ]);
  });

  it('leaves alone locked and local ones, whole commits, other names, and manifests without a lock file', async () => {
    const commit = `github:acme/relay#${'7cf09c1a'.repeat(5)}`;
    expect(
      await findingsOf(
        { 'package.json': manifest({ react: '19.0.0' }), 'yarn.lock': 'react@19.0.0:\n' },
        {
          'package.json': manifest({
            react: '19.1.0',
            preact: '10.0.0',
            ours: 'workspace:*',
            relay: commit,
            '@acme/lib': '*',
          }),
          'packages/lib/package.json': '{\n  "name": "@acme/lib"\n}\n',
          'yarn.lock': `react@19.1.0:\npreact@10.0.0:\nrelay@${commit}:\n`,
        },
      ),
    ).toEqual([]);
  });
});

describe('files', () => {
  it('finds conflict markers, files that do not parse, and characters that nobody sees', async () => {
    expect(
      await findingsOf(
        {
          'data/settings.json': '{"a": 1}\n',
          'deploy/app.yaml': 'a: 1\n',
          'Cargo.toml': '[package]\nname = "x"\n',
        },
        {
          'prompts/edit.xml': '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n',
          'src/merge.py': '<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> feature\n',
          'data/settings.json': '{"a": 1,}\n',
          'deploy/app.yaml': 'a: 1\n b: 2\n',
          'Cargo.toml': '[package]\nname = \n',
          'src/access.ts': "if (level !== '\u202E admin') {}\n",
          'src/index.ts': "const last = list['i\u200Bd'].replace(/[\u200B]/, '');\n",
        },
      ),
    ).toEqual([
      'invisible_character src/access.ts:1 Invisible character U+202E in the code',
      'invisible_character src/index.ts:1 Invisible character U+200B in the code',
      'conflict_marker src/merge.py:1 Unresolved merge conflict',
      'unparseable_file Cargo.toml:2 Cargo.toml does not parse',
      'unparseable_file data/settings.json:1 settings.json does not parse',
      'unparseable_file deploy/app.yaml:2 app.yaml does not parse',
    ]);
  });

  it('reports a YAML key with two values as that, and not as a file that does not parse', async () => {
    const before = {
      'config/en.yml': 'en:\n  title: Home\n  about: About\n',
      'config/de.yml': 'de:\n  title: Start\n  title: Heim\n',
      'deploy/app.yaml': 'a: 1\na: 2\n',
    };
    const after = {
      'config/en.yml': 'en:\n  title: Home\n  about: About\n  title: Welcome\n',
      // The same value twice loses nothing, and the other was there before.
      'config/fr.yml': 'fr:\n  title: Accueil\n  title: Accueil\n',
      'config/de.yml': 'de:\n  title: Start\n  title: Heim\n  about: Wir\n',
      'deploy/app.yaml': 'a: 1\na: 2\n b: 2\n',
    };
    const { candidates } = await reviewChange(before, after, { only: 'unparseable_file' });
    expect(candidates.map(({ file, line, title }) => `${file}:${line} ${title}`).sort()).toEqual([
      'config/en.yml:4 title appears twice in en.yml',
      'deploy/app.yaml:3 app.yaml does not parse',
    ]);
    expect(candidates.find(({ file }) => file === 'config/en.yml')?.scenario).toBe(
      'Lines 2 and 4 of config/en.yml give the same key two values. Ruby and Python keep the last one, so the first is lost; parsers for Go, Rust and JavaScript usually reject the file.',
    );
  });

  it('leaves alone lenient formats, templates, fixtures, emoji and what was broken before', async () => {
    expect(
      await findingsOf(
        { 'data/broken.json': '{oops}\n' },
        {
          'data/broken.json': '{oops, again}\n',
          'tsconfig.json': '{\n  // comment\n  "a": 1,\n}\n',
          'chart/templates/app.yaml': 'a: {{ .Values.a }}\n',
          'test/fixtures/bad.json': '{\n',
          '.cspell.json': '{ "words": ["a",] }\n',
          'test/fixtures/feed.json': '{ "text": "a\u200Bb" }\n',
          'src/alone.ts':
            "export const ignored = ['-', '\u200B'];\nexport const quiet = text.replace(/@/g, '@\u200B');\n",
          'src/emoji.ts':
            "export const family = '👨‍👩‍👧';\nexport const wales = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}';\n",
          'src/isolates.ts':
            "export const isolates = /^[\u2066-\u2069]+$/;\nconst none = new RegExp('[\u200B]');\n",
          'static/viewer/viewer-bundle.js': "path.replace(/x/g, '\u200B/');\n",
          'docs/merging.md': '<<<<<<< HEAD\n=======\n>>>>>>> feature\n',
        },
      ),
    ).toEqual([]);
  });

  it('leaves alone an action that came from a branch before, and answers about untrusted text', async () => {
    const workflow = (name: string, branch: string) =>
      `on: push\njobs:\n  ${name}:\n    steps:\n      - uses: someone/action@${branch}\n`;
    const before = { '.github/workflows/a.yml': workflow('a', 'master') };
    for (const branch of ['master', 'main'])
      expect(await findingsOf(before, { '.github/workflows/b.yml': workflow('b', branch) })).toEqual([]);
    const asked = `${workflow('c', 'v1')}      - run: echo $\{{ !contains(github.head_ref, 'release') }}\n`;
    expect(await findingsOf(before, { '.github/workflows/c.yml': asked })).toEqual([]);
    expect(
      await findingsOf(
        { '.github/workflows/a.yml': workflow('a', 'v1') },
        { '.github/workflows/a.yml': workflow('a', 'main') },
      ),
    ).toEqual(['unsafe_workflow .github/workflows/a.yml:5 Action from a branch: someone/action@main']);
  });

  it('finds workflows that run untrusted code', async () => {
    const value = (text: string) => `$\{{ ${text} }}`;
    const steps = (...lines: string[]) =>
      `on: pull_request_target\njobs:\n  a:\n    steps:\n${lines.map((line) => `      ${line}\n`).join('')}`;
    expect(
      await findingsOf(
        {},
        {
          '.github/workflows/a.yml': steps(
            '- uses: actions/checkout@v4',
            '  with:',
            `    ref: ${value('github.event.pull_request.head.sha')}`,
            `- run: echo "${value('github.event.pull_request.title')}"`,
            '- uses: someone/action@main',
          ),
          '.github/workflows/b.yml': steps(
            '- uses: actions/checkout@main',
            '- env:',
            `    TITLE: ${value('github.event.pull_request.title')}`,
            `  run: echo "$TITLE" ${value('github.sha')}`,
            '- uses: someone/action@8f4b7f84864484a7bf31766abe9204da3cbe65b3',
          ),
        },
        'unsafe_workflow',
      ),
    ).toEqual([
      'unsafe_workflow .github/workflows/a.yml:7 Code of a pull request is checked out with secrets',
      'unsafe_workflow .github/workflows/a.yml:8 Untrusted text runs as a shell command',
      'unsafe_workflow .github/workflows/a.yml:9 Action from a branch: someone/action@main',
    ]);
  });
});

it('says which files it could not look at: binary ones that were added, changed or moved with changes', async () => {
  const binary = (end: string) => Buffer.concat([Buffer.alloc(2000), Buffer.from(end)]);
  const { candidates, notReviewed } = await reviewChange(
    {
      'old.png': binary('a'),
      'moved.png': Buffer.concat([binary('m'), Buffer.alloc(500, 1)]),
      'same.png': binary('s'),
    },
    {
      'added.png': binary('b'),
      'old.png': binary('c'),
      'moved.png': null,
      'to.png': Buffer.concat([binary('n'), Buffer.alloc(500, 1)]),
      'a.txt': 'text\n',
    },
  );
  const reason = 'binary';
  expect(notReviewed).toEqual(['added.png', 'old.png', 'to.png'].map((path) => ({ path, reason })));
  expect(candidates).toEqual([]);
});
