/**
 * `npm run evaluate:architecture -- FOLDER [--cache FOLDER] [--questions FILE] [--missed]`: how often the search for repositories
 * puts the right one first. FOLDER has bare clones as OWNER+NAME/repo. Questions are split in two halves by a hash: the ranking
 * is tuned on one of them only.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrganization } from '../src/features/accounts/index.ts';
import { splitWords } from '../src/features/architecture/find/split-words.ts';
import {
  codeWords,
  findSummaries,
  replaceCodeWords,
  replaceSummaries,
  summarize,
  summaryRow,
} from '../src/features/architecture/index.ts';
import { operatorOf } from '../src/features/audit/index.ts';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import { systemClock } from '../src/platform/core/text/clock.ts';
import { uuidv7 } from '../src/platform/core/text/uuid.ts';
import { migrate, openDatabase, startEmbeddedPostgres } from '../src/platform/db/index.ts';
import { readCommit } from './architecture/read-commit.ts';

interface Question {
  question: string;
  keywords: string[];
  expected: string[];
}

const [folder, ...options] = process.argv.slice(2);
if (!folder || folder.startsWith('--')) {
  throw new Error(
    'Usage: npm run evaluate:architecture -- FOLDER [--cache FOLDER] [--questions FILE] [--missed]',
  );
}
const optionValue = (option: string) =>
  options.includes(option) ? options[options.indexOf(option) + 1] : undefined;
const cache = optionValue('--cache');
const questions: Question[] = JSON.parse(
  readFileSync(
    optionValue('--questions') ?? join(import.meta.dirname, 'architecture/questions.json'),
    'utf8',
  ),
);
const isTuned = ({ question }: Question) => createHash('sha256').update(question).digest()[0]! % 2 === 0;
/** Whether a keyword has a word of the name, or one that begins like it. */
const namesRepository = ({ expected, keywords }: Question) => {
  const words = keywords.flatMap(splitWords).filter(({ length }) => length >= 3);
  const names = expected.flatMap(splitWords).filter(({ length }) => length >= 3);
  return names.some((name) => words.some((word) => name.startsWith(word) || word.startsWith(name)));
};

const log = createLog({ level: 'warn', terminal: false });
const dir = mkdtempSync(join(tmpdir(), 'countersign-evaluation-'));
const postgres = await startEmbeddedPostgres({ dir, log, settings: { fsync: 'off' } });
await migrate(postgres.connection, log);
const database = await openDatabase(postgres.connection, { poolSize: 2, onConnectionLost: () => undefined });
const { db } = database;
try {
  const at = systemClock.now();
  const { organizationId, userId } = await createOrganization(
    db,
    { organizationName: 'Evaluation', name: 'A', email: 'a@example.com', passwordHash: '-' },
    (id) => operatorOf(id, at),
    at,
  );
  const names = readdirSync(folder).filter((name) => name.includes('+'));
  for (const [index, name] of names.entries()) {
    const clone = join(folder, name, 'repo');
    const gitDir = existsSync(join(clone, '.git')) ? join(clone, '.git') : clone;
    const fullName = name.replace('+', '/');
    process.stderr.write(`\r${index + 1}/${names.length} ${fullName.padEnd(60)}`);
    const code = await readCommit(gitDir, fullName, cache);
    const id = uuidv7();
    await db
      .insertInto('repositories')
      .values({ id, organization_id: organizationId, name: fullName, created_at: at })
      .execute();
    const summaries = summarize(code).map((summary) => summaryRow(fullName, summary));
    await replaceSummaries(db, { id, organizationId, commit: code.facts.commit }, summaries);
    await replaceCodeWords(db, { id, organizationId }, codeWords(code, summaries));
  }
  process.stderr.write('\n');
  const reader = { organizationId, userId, role: 'owner' as const };
  const ranks = new Map<Question, number>();
  for (const question of questions) {
    const found = await findSummaries(db, reader, { keywords: question.keywords, limit: 50 });
    const repositories = [...new Set(found.map(({ repoName }) => repoName))];
    const rank = repositories.findIndex((name) => question.expected.includes(name)) + 1;
    ranks.set(question, rank);
    if (rank !== 1 && options.includes('--missed') && (isTuned(question) || options.includes('--all'))) {
      print(
        `${rank || '-'}  ${question.keywords.join(', ')}  expected ${question.expected}; found ${found
          .slice(0, 4)
          .map((row) => `${row.repoName} ${row.domain}`)
          .join(', ')}`,
      );
    }
  }
  print(`${names.length} repositories, ${questions.length} questions`);
  print(`${''.padEnd(44)} questions  top-1  top-3  nothing found`);
  const halves: [string, (question: Question) => boolean][] = [
    ['tuned half', isTuned],
    ['untouched half', (question) => !isTuned(question)],
    ['untouched half, no word of the name', (question) => !isTuned(question) && !namesRepository(question)],
    ['all', () => true],
  ];
  for (const [name, isIn] of halves) {
    const some = questions.filter(isIn).map((question) => ranks.get(question)!);
    const share = (max: number) =>
      (some.filter((rank) => rank > 0 && rank <= max).length / some.length).toFixed(2);
    const nothing = some.filter((rank) => rank === 0).length;
    print(`${name.padEnd(44)} ${String(some.length).padStart(9)}   ${share(1)}   ${share(3)}  ${nothing}`);
  }
} finally {
  await database.close();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
