/** Runs generated searches against ripgrep and git, over every state that an index can be in, and fails on the first difference. */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIndex } from '../../src/engines/search/build-index.ts';
import { findFiles } from '../../src/engines/search/commits/find-files.ts';
import { openRepository, type RepositoryReader } from '../../src/engines/search/commits/repository-reader.ts';
import { searchCode } from '../../src/engines/search/scan/search-code.ts';
import { TrigramCollector } from '../../src/engines/search/shards/trigrams.ts';
import { readPath } from '../../src/platform/core/text/path-text.ts';
import { makeGlob } from './make-globs.ts';
import { createPatterns } from './make-patterns.ts';
import { type Checkout, checkOut, findLines } from './oracle.ts';
import { createRandom, type Random } from './random.ts';
import type { SampleRepository } from './sample-repositories.ts';

const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const TIMEOUT_MS = 10 * 60_000;
/** Searches for one pattern in one commit: ripgrep runs once for all of them. */
const CASES_A_PATTERN = 4;

export interface Comparison {
  cases: number;
  /** Patterns that ripgrep accepted, and those that matched: comparing empty results proves nothing. */
  accepted: number;
  matched: number;
  refused: number;
  globs: number;
}

/** A repository with several readers, each with an index in a different state. */
interface Subject {
  sample: SampleRepository;
  checkouts: Map<string, Checkout>;
  readers: { state: string; reader: RepositoryReader }[];
  wholeIndex: string;
}

export async function compareSearches(
  samples: SampleRepository[],
  options: { folder: string; cases: number; seed: number; onProgress(progress: Comparison): void },
): Promise<Comparison> {
  const { cases, folder, onProgress, seed } = options;
  const random = createRandom(seed);
  const collector = new TrigramCollector();
  const subjects: Subject[] = [];
  for (const sample of samples) subjects.push(await prepare(sample, folder, collector));
  const weighted = subjects.flatMap((subject) => new Array<Subject>(subject.sample.weight).fill(subject));
  const makePattern = createPatterns(random, Math.max(100, Math.ceil(cases / CASES_A_PATTERN)), seed);
  const counted: Comparison = { cases: 0, accepted: 0, matched: 0, refused: 0, globs: 0 };
  try {
    while (counted.cases < cases) {
      const subject = random.pick(weighted);
      const commit = random.pick(subject.sample.commits);
      const checkout = await checkoutOf(subject, commit, folder);
      const before = counted.cases;
      await compareFiles(random, subject, commit, checkout);
      counted.globs += 1;
      counted.cases += 1;
      const contents = [...checkout.contents.values()];
      await comparePattern(
        random,
        subject,
        commit,
        checkout,
        makePattern(contents),
        collector,
        folder,
        counted,
      );
      if (Math.floor(before / 500) < Math.floor(counted.cases / 500)) onProgress(counted);
    }
  } finally {
    for (const { readers } of subjects) for (const { reader } of readers) reader.close();
  }
  return counted;
}

async function prepare(
  sample: SampleRepository,
  folder: string,
  collector: TrigramCollector,
): Promise<Subject> {
  const at = (state: string) => join(folder, 'indexes', sample.name, state);
  const { commits, gitDir } = sample;
  const build = (indexFolder: string, some: string[], maxIndexBytes: number) =>
    buildIndex(
      { gitDir, indexFolder, commits: some, maxIndexBytes },
      collector,
      () => undefined,
      AbortSignal.timeout(TIMEOUT_MS),
    );
  await build(at('whole'), commits, NO_LIMIT);
  // One commit indexed, the others seen by it only as far as they share content; and an index that ran out of room.
  await build(at('part'), commits.slice(0, 1), NO_LIMIT);
  await build(at('full'), commits, sample.isSmall ? 30_000 : 2_000_000);
  const readers = ['none', 'whole', 'part', 'full'].map((state) => ({
    state,
    reader: openRepository(gitDir, at(state)),
  }));
  return { sample, checkouts: new Map(), readers, wholeIndex: at('whole') };
}

async function checkoutOf(subject: Subject, commit: string, folder: string): Promise<Checkout> {
  const known = subject.checkouts.get(commit);
  if (known) return known;
  const { gitDir, name } = subject.sample;
  const made = await checkOut(gitDir, commit, join(folder, 'files', name, commit));
  subject.checkouts.set(commit, made);
  return made;
}

async function comparePattern(
  random: Random,
  subject: Subject,
  commit: string,
  checkout: Checkout,
  pattern: string,
  collector: TrigramCollector,
  folder: string,
  counted: Comparison,
): Promise<void> {
  const expected = await findLines(checkout, pattern);
  if (expected) counted.accepted += 1;
  else counted.refused += 1;
  if (expected?.size) counted.matched += 1;
  for (let index = 0; index < CASES_A_PATTERN; index += 1) {
    const path = index === 0 ? '' : choosePath(random, checkout);
    const isDamaged = subject.sample.isSmall && random.chance(0.2);
    const { reader, state } = isDamaged
      ? await openDamaged(random, subject, folder, collector)
      : random.pick(subject.readers);
    const label = `${subject.sample.name} ${commit} /${pattern}/ in "${path}" with index ${state}`;
    try {
      const found = await search(reader, commit, pattern, path);
      const wanted = expected ? linesBelow(expected, checkout, path) : 'bad_pattern';
      if (!isSame(found, wanted)) throw new Error(`Searches differ: ${label}: ${difference(found, wanted)}`);
    } catch (error) {
      throw new Error(`${label}: ${String(error)}`, { cause: error });
    } finally {
      if (isDamaged) reader.close();
    }
    counted.cases += 1;
  }
}

type Found = string[] | 'bad_pattern' | 'no_path';

async function search(
  reader: RepositoryReader,
  commit: string,
  pattern: string,
  path: string,
): Promise<Found> {
  const outcome = await searchCode(
    reader,
    {
      commit,
      pattern,
      path,
      order: 'path',
      withRanges: false,
      maxLines: NO_LIMIT - 1,
      maxBytes: NO_LIMIT,
    },
    { signal: new AbortController().signal, time: { timeLimitMs: TIMEOUT_MS, waitedMs: 0 } },
  );
  if (outcome.kind !== 'found') return outcome.kind;
  if (outcome.moreLines || outcome.notSearched.length > 0) throw new Error('The results are incomplete.');
  return outcome.files
    .flatMap(({ lines, path: name }) => {
      const bytes = readPath(name).toString('latin1');
      return lines.filter(({ isMatch }) => isMatch).map(({ number }) => `${bytes}\0${number}`);
    })
    .sort();
}

function linesBelow(expected: Map<string, number[]>, checkout: Checkout, path: string): Found {
  const bytes = readPath(path).toString('latin1');
  const isBelow = (name: string) => bytes === '' || name === bytes || name.startsWith(`${bytes}/`);
  if (!checkout.paths.some(isBelow)) return 'no_path';
  return [...expected]
    .flatMap(([name, lines]) => (isBelow(name) ? lines.map((line) => `${name}\0${line}`) : []))
    .sort();
}

function isSame(found: Found, wanted: Found): boolean {
  if (typeof found === 'string' || typeof wanted === 'string') return isSamePlace(found, wanted);
  return found.length === wanted.length && found.every((line, index) => line === wanted[index]);
}

/** With a missing path and an invalid pattern, either error may be reported. */
function isSamePlace(found: Found, wanted: Found): boolean {
  return found === wanted || (found === 'no_path' && wanted === 'bad_pattern');
}

function difference(found: Found, wanted: Found): string {
  if (typeof found === 'string' || typeof wanted === 'string') {
    const describe = (some: Found) => (typeof some === 'string' ? some : `${some.length} lines`);
    return `${describe(found)} in place of ${describe(wanted)}`;
  }
  const [have, want] = [new Set(found), new Set(wanted)];
  const lost = wanted.filter((line) => !have.has(line));
  const added = found.filter((line) => !want.has(line));
  const show = (lines: string[]) => JSON.stringify(lines.slice(0, 3));
  return `${lost.length} lost ${show(lost)}, ${added.length} added ${show(added)}`;
}

/** The root, a folder, a file, or a path that doesn't exist, as a caller would write it. */
function choosePath(random: Random, checkout: Checkout): string {
  if (random.chance(0.15)) return '';
  if (random.chance(0.05)) return 'no/such/path';
  const names = random.pick(checkout.paths).split('/');
  const bytes = Buffer.from(names.slice(0, 1 + random.below(names.length)).join('/'), 'latin1');
  const text = bytes.toString();
  if (!text.includes('\ufffd')) return text;
  const quoted = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"${quoted.join('')}"`;
}

/** A new reader on a damaged copy of the index. */
async function openDamaged(
  random: Random,
  subject: Subject,
  folder: string,
  collector: TrigramCollector,
): Promise<{ state: string; reader: RepositoryReader }> {
  const { commits, gitDir, name } = subject.sample;
  const copy = join(folder, 'indexes', name, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(subject.wholeIndex, copy, { recursive: true });
  const reader = openRepository(gitDir, copy);
  // Half of them have the index open when the damage happens, which may remove the index but not change its files in place.
  const isOpen = random.chance(0.5);
  if (isOpen) await reader.withIndexedFiles(commits[0]!, async () => undefined);
  const files = readdirSync(copy);
  const file = join(copy, random.pick(files));
  const bytes = readFileSync(file);
  const harms: [name: string, act: () => void][] = [
    ['removed', () => rmSync(copy, { recursive: true })],
    ['file removed', () => rmSync(file)],
  ];
  if (!isOpen) {
    harms.push(
      ['cut off', () => truncateSync(file, random.below(bytes.length))],
      ['emptied', () => truncateSync(file, 0)],
      ['grown', () => writeFileSync(file, Buffer.concat([bytes, Buffer.from([1])]))],
    );
    if (file.endsWith('.index')) {
      const flip = () => {
        bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
        writeFileSync(file, bytes);
      };
      harms.push(['flipped', flip], ['flipped', flip]);
    }
  }
  const [state, act] = random.pick(harms);
  act();
  const isRebuilt = random.chance(0.3);
  if (isRebuilt) {
    await buildIndex(
      {
        gitDir,
        indexFolder: copy,
        commits: [random.pick(commits)],
        maxIndexBytes: NO_LIMIT,
      },
      collector,
      () => undefined,
      AbortSignal.timeout(TIMEOUT_MS),
    );
  }
  return { state: `${state}${isOpen ? ' while open' : ''}${isRebuilt ? ' and rebuilt' : ''}`, reader };
}

async function compareFiles(
  random: Random,
  subject: Subject,
  commit: string,
  checkout: Checkout,
): Promise<void> {
  const { glob, matches } = makeGlob(random, checkout.paths);
  const { reader } = random.pick(subject.readers);
  const outcome = await findFiles(reader, { commit, glob, limit: NO_LIMIT });
  if ('kind' in outcome) throw new Error(`The glob ${glob} was refused: ${outcome.message}`);
  const found = outcome.items.map((path) => readPath(path).toString('latin1'));
  const wanted = checkout.paths.filter(matches);
  if (found.join('\0') !== wanted.join('\0') || outcome.total !== wanted.length) {
    throw new Error(
      `File searches differ: ${subject.sample.name} ${commit} ${glob}: ${difference(found, wanted)}`,
    );
  }
}
