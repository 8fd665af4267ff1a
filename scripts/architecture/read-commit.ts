/** Reads the newest commit of a bare clone as the service does: its paths, its README and the facts of its files. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CommitWords,
  extractFacts,
  type FileWithSymbols,
  providedSymbols,
} from '../../src/engines/facts/index.ts';
import type { CodeToDescribe } from '../../src/features/architecture/index.ts';
import type { CommitFacts, PlacedFact } from '../../src/platform/core/ports/code-facts.ts';

const MAX_BLOB_BYTES = 1_000_000;
const MAX_LIST_BYTES = 256 * 1024 * 1024;

/** With `cache`, the result is kept in that folder: extracting a large repository takes minutes. */
export async function readCommit(
  gitDir: string,
  name: string,
  cache: string | undefined,
): Promise<CodeToDescribe> {
  const git = (...words: string[]) =>
    execFileSync('git', ['--git-dir', gitDir, ...words], { maxBuffer: MAX_LIST_BYTES }).toString();
  const commit = git('rev-parse', 'HEAD').trim();
  const kept = cache && join(cache, `${name.replaceAll('/', '+')}-${commit.slice(0, 12)}.json`);
  if (kept && existsSync(kept)) return { ...JSON.parse(readFileSync(kept, 'utf8')), name };
  const entries = git('ls-tree', '-r', '-z', '-l', 'HEAD')
    .split('\0')
    .flatMap((line) => {
      const match = /^\d+ blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line);
      return match ? [{ blob: match[1]!, size: Number(match[2]), path: match[3]! }] : [];
    });
  const readable = entries.filter(({ size }) => size <= MAX_BLOB_BYTES);
  const facts: PlacedFact[] = [];
  const languages = new Map<string, { files: number; lines: number }>();
  const words = new CommitWords();
  const withSymbols: FileWithSymbols[] = [];
  let readme: CodeToDescribe['readme'] = null;
  for await (const { path, text } of readBlobs(gitDir, readable)) {
    if (/^readme(?:\.\w+)?$/i.test(path) && (readme === null || /\.md$/i.test(path))) readme = { path, text };
    const file = await extractFacts({ path, text });
    facts.push(...file.facts.map((fact) => ({ ...fact, path })));
    if (!file.isGenerated) words.add(path, file.words, file.symbols);
    if (!file.language || file.isGenerated) continue;
    withSymbols.push({ path, language: file.language, read: () => file });
    const known = languages.get(file.language) ?? { files: 0, lines: 0 };
    languages.set(file.language, { files: known.files + 1, lines: known.lines + file.lines });
  }
  facts.push(...providedSymbols(facts, withSymbols).facts);
  const read: Omit<CodeToDescribe, 'name'> = {
    facts: {
      commit,
      files: entries.length,
      languages: [...languages]
        .map(([language, counts]) => ({ language, ...counts }))
        .sort((left, right) => right.lines - left.lines),
      folders: [],
      facts,
      words: words.best(60_000),
      activity: { folders: [], people: [] },
      leftOut: [],
    } satisfies CommitFacts,
    paths: entries.map(({ path }) => path),
    readme,
  };
  if (kept) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(kept, JSON.stringify(read));
  }
  return { ...read, name };
}

async function* readBlobs(
  gitDir: string,
  entries: { blob: string; path: string }[],
): AsyncGenerator<{ path: string; text: string }> {
  const child = spawn('git', ['--git-dir', gitDir, 'cat-file', '--batch'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(entries.map(({ blob }) => `${blob}\n`).join(''));
  let buffer = Buffer.alloc(0);
  let next = 0;
  for await (const chunk of child.stdout) {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const header = buffer.indexOf(10);
      if (header < 0) break;
      const size = Number(buffer.subarray(0, header).toString().split(' ')[2]);
      if (buffer.length < header + 2 + size) break;
      const content = buffer.subarray(header + 1, header + 1 + size);
      buffer = buffer.subarray(header + 2 + size);
      const { path } = entries[next]!;
      next += 1;
      if (!content.includes(0)) yield { path, text: content.toString() };
    }
  }
}
