/** Has the organization's model write summaries in better prose. Without a model, and whatever happens to it, they stay as they are. */
import { createHash } from 'node:crypto';
import { ModelError, type WrittenSentence, writeProse } from '../../../engines/models/index.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { type ModelServices, openBudget, openModels } from '../../models/index.ts';
import type { RepositoryToDescribe } from '../../repositories/index.ts';
import { splitWords } from '../find/split-words.ts';
import { type SummaryRow, selectWritten } from './summary-store.ts';

const MAX_MS = 5 * 60_000;

export interface RewriteServices extends ModelServices {
  log: Log;
  now(): Date;
}

export async function rewriteSummaries(
  services: RewriteServices,
  repository: RepositoryToDescribe,
  summaries: SummaryRow[],
  signal: AbortSignal,
): Promise<SummaryRow[]> {
  const { db, log } = services;
  const { id, name, organizationId } = repository;
  try {
    const models = await openModels(services, organizationId);
    if (!models || summaries.length === 0) return summaries;
    const known = await selectWritten(db, id);
    const budget = await openBudget(
      services,
      { id: uuidv7(), organizationId, purpose: 'architecture', pullRequestId: null },
      models.budgets,
    );
    const asking = {
      endpoint: models.finding,
      left: budget.left,
      onUsage: (usage: Parameters<typeof budget.use>[1]) => budget.use(models.finding.model, usage),
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]),
    };
    const rewritten: SummaryRow[] = [];
    for (const row of summaries) {
      const writtenFrom = fingerprintOf(row, models.finding.model);
      // Reuses earlier text if its facts are the same, because a model costs tokens.
      const before = known.find((each) => each.domain === row.domain && each.writtenFrom === writtenFrom);
      const texts = row.sentences.map(({ text }) => text);
      const sentences = before
        ? before.sentences
        : applyProse(row, await writeProse(asking, `${name} (${row.domain})`, texts));
      rewritten.push(sentences ? { ...withSentences(row, sentences), writtenFrom } : row);
    }
    await budget.flush();
    return rewritten;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError))
      log.warn({ err: error, repositoryId: id }, 'summaries were not rewritten');
    return summaries;
  }
}

/** The new sentences with the evidence of those that they say again, then what none of them says. Null without new ones. */
export function applyProse(
  { sentences }: Pick<SummaryRow, 'sentences'>,
  written: WrittenSentence[],
): SummaryRow['sentences'] | null {
  const used = new Set<number>();
  const kept = written.flatMap(({ from, text }) => {
    const evidence = uniquePlaces(from.flatMap((position) => sentences[position]!.evidence));
    if (evidence.length === 0) return [];
    for (const position of from) used.add(position);
    return [{ text, evidence }];
  });
  if (kept.length === 0) return null;
  return [...kept, ...sentences.filter((_, position) => !used.has(position))];
}

/** It is still found by the words that it was made from. */
function withSentences(row: SummaryRow, sentences: SummaryRow['sentences']): SummaryRow {
  const summary = sentences.map(({ text }) => text).join(' ');
  return { ...row, sentences, summary, words: [...new Set([...row.words, ...splitWords(summary)])] };
}

function uniquePlaces(places: SummaryRow['sentences'][number]['evidence']) {
  return [...new Map(places.map((place) => [`${place.path}:${place.line}`, place] as const)).values()];
}

function fingerprintOf({ sentences }: SummaryRow, model: string): string {
  return createHash('sha256')
    .update(JSON.stringify([model, sentences]))
    .digest('hex')
    .slice(0, 32);
}
