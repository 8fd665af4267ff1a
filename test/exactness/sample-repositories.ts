/** The repositories for the comparison: unusual files, real packages, and this project. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  type FixtureFile,
  type FixtureRepository,
  makeRepository,
  oddFiles,
  runFixtureGit,
} from '../helpers/git/git-fixtures.ts';
import { createRandom } from './random.ts';

export interface SampleRepository {
  name: string;
  gitDir: string;
  /** Full commit ids, newest last. */
  commits: string[];
  /** Small enough that its index can be copied and damaged for one case. */
  isSmall: boolean;
  /** Its weight: searches in a large repository take longer. */
  weight: number;
}

type Entry = [path: string | Buffer, file: FixtureFile];

const ROOT = join(import.meta.dirname, '../..');
/** More than one run of ripgrep gets (16 MiB), so that large scans are compared too. */
const PACKAGE_BYTES = 17 * 1024 * 1024;
const PACKAGES = ['zod', 'fastify', 'kysely', 'pino', 'pg-boss', 'fast-check', 'ipaddr.js', 'react-dom'];
const MAX_PACKAGE_FILE_BYTES = 2 * 1024 * 1024;
const PROJECT_COMMITS = 4;

export async function makeSampleRepositories(): Promise<{
  samples: SampleRepository[];
  folder: string;
}> {
  const parent = await mkdtemp(join(tmpdir(), 'countersign-exactness-'));
  const samples = [
    await makeOdd(parent, 'sha1'),
    await makeOdd(parent, 'sha256'),
    await makePackages(parent),
    await makeProject(parent),
  ];
  return { samples, folder: parent };
}

async function makeOdd(parent: string, objectFormat: 'sha1' | 'sha256'): Promise<SampleRepository> {
  const name = `odd-${objectFormat}`;
  const repository = await makeRepository({}, { parent, name, objectFormat });
  const first = await repository.commit([...oddFiles(objectFormat), ...oddTexts()]);
  const second = await repository.commit([
    ['plain.txt', 'plain again\nabc kks ſ K\n'],
    ['copies/one.txt', 'the same content at several paths\nabd\n'],
    ['copies/two.txt', 'the same content at several paths\nabd\n'],
    ['a/copy.txt', 'the same content at several paths\nabd\n'],
    ['new\nline.txt', null],
    ['link', 'a file where a link was\n'],
  ]);
  const side = await repository.commit(
    [
      ['only-here.txt', 'abc\r\nbcé\r\n\r\nkS\r\n'],
      ['crlf.txt', null],
    ],
    { branch: 'side', from: first },
  );
  const other = await repository.commit([['alone.txt', 'sbK-1 é\n']], { branch: 'other', from: null });
  return { name, gitDir: repository.folder, commits: [first, side, other, second], isSmall: true, weight: 3 };
}

/** Texts in many encodings and shapes, with the words that the generated patterns use. */
function oddTexts(): Entry[] {
  const words = 'abc ABC kks KKS éÉß ẞſ K σςΣ İı яЯ 日😀 a\u0301 _-.# 1 bbk ssa [a] {2} (b) |k| \\s ^a$\n';
  const many = Array.from({ length: 300 }, (_, line) => `${line} ${words.slice(line % 40)}`).join('');
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const long = `${'abcks '.repeat(50_000)}needle${' sk'.repeat(50_000)}`;
  return [
    ['texts/words.txt', words.repeat(5)],
    ['texts/many.txt', many],
    ['texts/utf8-mark.txt', `\ufeff${words}abc at the end`],
    ['texts/only-mark.txt', '\ufeff'],
    ['texts/utf16le.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(many)])],
    ['texts/utf16be.txt', Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(many).swap16()])],
    ['texts/utf16-odd.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(words), Buffer.from([0x61])])],
    ['texts/utf16-half.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('abc\ud83dkks\n\ude00sab\n')])],
    ['texts/utf16-nul.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('abc\0abc\n')])],
    ['texts/utf32.txt', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0, 10, 0, 0, 0])],
    ['texts/mark-inside.txt', `abc \ufeffkks\n\ufeffabc\n`],
    ['texts/crlf.txt', many.replaceAll('\n', '\r\n')],
    ['texts/mixed-ends.txt', 'abc\r\nabc\nabc\rabc\r\r\nabc\n\r\n'],
    ['texts/long-line.txt', `before\n${long}\nafter\n`],
    ['texts/long-only.txt', long],
    [
      'texts/late-nul.bin',
      Buffer.concat([Buffer.from(many.repeat(30)), Buffer.from([0]), Buffer.from(words)]),
    ],
    ['texts/minified.txt', [90_000, 10, 200_000, 33_000, 5].map(minifiedLine).join('\n')],
    [
      'texts/long-lines.txt',
      [32_767, 32_768, 65_535, 65_536, 65_537, 31_000, 40_000].map(minifiedLine).join('\n'),
    ],
    [
      'texts/many-lines.txt',
      Array.from({ length: 4000 }, (_, line) => minifiedLine(line % 97, line)).join('\n'),
    ],
    ['texts/latin1.txt', Buffer.from('caf\xe9 abc\nb\xff\xfekks\xc3\n\x80\x81\xbf\n', 'latin1')],
    ['texts/line-feeds.txt', '\n\n\n\n'],
    ['texts/one-line-feed.txt', '\n'],
    ['texts/one-letter.txt', 'a'],
    ['texts/separators.txt', 'abc\u2028kks\u2029abc\u0085b\x0bk\x0cs\n'],
    ['texts/controls.txt', 'a\x01b\x1b[31mc\x7f\tk\n'],
    ['texts/deep/er/and/deep/er.txt', words],
    ['texts/deep.txt', `abc ${words}`],
    ['texts/deep-er.txt', `kks ${words}`],
    ['.ignore', 'texts\n*\n'],
    ['.rgignore', '*\n'],
    ['.gitignore', '*\n'],
    ['texts/.hidden.txt', words],
  ];
}

/** Short words that rarely repeat, so that each part of a long line has distinct trigrams. */
function minifiedLine(length: number, line: number): string {
  const random = createRandom(length * 31 + line);
  const ends = ['=', ' ', 'é', ';', 'K', '日'];
  let text = '';
  while (text.length < length) text += random.below(2 ** 31).toString(36) + random.pick(ends);
  return text.slice(0, length);
}

async function makePackages(parent: string): Promise<SampleRepository> {
  const repository = await makeRepository({}, { parent, name: 'packages' });
  const commits: string[] = [];
  let bytes = 0;
  const halves: Entry[][] = [[], []];
  for (const name of PACKAGES) {
    const entries = filesBelow(join(ROOT, 'node_modules', name), join(ROOT, 'node_modules'));
    for (const entry of entries) {
      if (bytes > PACKAGE_BYTES) break;
      bytes += (entry[1] as Buffer).length;
      halves[bytes > PACKAGE_BYTES / 2 ? 1 : 0]!.push(entry);
    }
  }
  commits.push(await repository.commit(halves[0]!), await repository.commit(halves[1]!));
  // Another history with every fifth file changed and every fourth removed.
  const changed = halves[1]!.flatMap(([path, file], index): Entry[] => {
    if (index % 4 === 0) return [[path, null]];
    if (index % 5 !== 0) return [];
    return [[path, Buffer.from((file as Buffer).toString('latin1').replaceAll('\n', '\r\n'), 'latin1')]];
  });
  commits.push(await repository.commit(changed, { branch: 'changed', from: commits[1]! }));
  return { name: 'packages', gitDir: repository.folder, commits, isSmall: false, weight: 1 };
}

function filesBelow(folder: string, root: string): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap((name): Entry[] => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (!stat.isFile() || stat.size > MAX_PACKAGE_FILE_BYTES) return [];
      return [[relative(root, path), readFileSync(path)]];
    });
}

/** Its history where there is one; in a copy without history, its files. */
async function makeProject(parent: string): Promise<SampleRepository> {
  const gitDir = join(parent, 'project');
  if (existsSync(join(ROOT, '.git'))) {
    try {
      await runFixtureGit(parent, ['clone', '--quiet', '--bare', ROOT, gitDir]);
      const all = (await runFixtureGit(gitDir, ['rev-list', 'HEAD'])).toString().trim().split('\n').reverse();
      const step = Math.max(1, Math.floor(all.length / PROJECT_COMMITS));
      const commits = all.filter((_, index) => (all.length - 1 - index) % step === 0);
      return { name: 'project', gitDir, commits: commits.slice(-PROJECT_COMMITS), isSmall: false, weight: 3 };
    } catch {
      // Owned by another user, so git refuses to read it: use its files instead.
    }
  }
  const repository: FixtureRepository = await makeRepository({}, { parent, name: 'project-files' });
  const files = ['src', 'test', 'web', 'docs'].flatMap((name) =>
    existsSync(join(ROOT, name)) ? filesBelow(join(ROOT, name), ROOT) : [],
  );
  return {
    name: 'project',
    gitDir: repository.folder,
    commits: [await repository.commit(files)],
    isSmall: false,
    weight: 3,
  };
}
