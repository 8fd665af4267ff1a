/** Keys that configuration files still set after their last reader is gone. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';

const GO = 'package shop\n\nfunc limit() int { return viper.GetInt("shop.row_limit") }\n';
const GO_AFTER = 'package shop\n\nfunc limit() int { return 3 }\n';
const YAML = 'shop:\n  row_limit: 3\n';

type Files = Record<string, string>;
const unread = (path: string, before: string, after: string, others: Files, changed: Files = {}) =>
  findingsOf({ [path]: before, ...others }, { [path]: after, ...changed }, 'unread_setting');

describe('unread_setting', () => {
  it.each<[string, string, string, string, Files]>([
    ['viper', 'shop/a.go', GO, GO_AFTER, { 'config/shop.yaml': YAML }],
    [
      'a tag of Go',
      'shop/a.go',
      'package shop\n\ntype A struct {\n\tRowLimit int `yaml:"row_limit"`\n}\n',
      'package shop\n',
      { 'shop.example.yaml': YAML },
    ],
    [
      'node-config',
      'src/a.ts',
      "export const a = config.get('shop.rowLimit');\n",
      'export const a = 3;\n',
      { 'config/default.json': '{\n  "shop": {\n    "rowLimit": 3\n  }\n}\n' },
    ],
    [
      'Spring',
      'src/A.java',
      'class A {\n  @Value("$\u007bshop.row-limit:3}") int limit;\n}\n',
      'class A {\n}\n',
      { 'src/main/resources/application.properties': 'shop.row-limit=3\n' },
    ],
    [
      'Laravel',
      'app/A.php',
      "<?php\n$a = config('shop.row_limit');\n",
      '<?php\n',
      { 'config/shop.php': "<?php\nreturn [\n    'row_limit' => env('ROWS'),\n];\n" },
    ],
    [
      'Helm',
      'chart/templates/a.yaml',
      'rows: {{ .Values.shop.rowLimit }}\n',
      'rows: 3\n',
      { 'chart/values.yaml': 'shop:\n  rowLimit: 3\n' },
    ],
  ])('finds a key of %s', async (_, path, before, after, others) => {
    expect(await unread(path, before, after, others)).toEqual([
      expect.stringMatching(
        /^unread_setting \S+:\d (shop\.)?row[-_]?[lL]imit is still set but no longer read$/,
      ),
    ]);
    expect(await unread(path, before, `${before}\n`, others)).toEqual([]);
  });

  it.each<[string, Files, Files?]>([
    ['other code reads it', { 'src/b.py': 'rows = settings["row_limit"]\n' }],
    ['other code reads it in another spelling', { 'src/b.rs': 'struct A { row_limit: u32 }\n' }],
    ['a template reads it', { 'deploy/a.yaml': 'rows: {{ .Values.row_limit }}\n' }],
    ['it is set elsewhere', { 'config/shop.yaml': 'cart:\n  row_limit: 3\n' }],
    [
      'only documents and translations have it',
      { 'config/shop.yaml': '', 'docs/a.yaml': YAML, 'locales/en.yaml': YAML, 'README.md': 'row_limit: 3\n' },
    ],
    ['the change sets it', { 'config/shop.yaml': '' }, { 'config/other.yaml': YAML }],
  ])('says nothing when %s', async (_, others, changed = {}) => {
    expect(await unread('shop/a.go', GO, GO_AFTER, { 'config/shop.yaml': YAML, ...others }, changed)).toEqual(
      [],
    );
  });

  it('says nothing about keys of one word, and those that moved', async () => {
    const short = (text: string) => text.replace('row_limit', 'rows');
    expect(await unread('shop/a.go', short(GO), GO_AFTER, { 'config/shop.yaml': short(YAML) })).toEqual([]);
    expect(
      await unread('shop/a.go', GO, GO_AFTER, { 'config/shop.yaml': YAML }, { 'shop/b.go': GO }),
    ).toEqual([]);
  });
});
