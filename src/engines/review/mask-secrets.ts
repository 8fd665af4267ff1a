/** Hides tokens in everything that a review quotes: a line that is wrong for another reason can contain one too. */

import type { JudgedCandidate } from '../../platform/core/code-review.ts';
import { findSecretValues, SHOWN_CHARACTERS } from './checks/secrets.ts';

export async function maskSecrets(candidates: JudgedCandidate[]): Promise<void> {
  const texts = candidates.flatMap(({ evidence, fix, quote, scenario, title }) => [
    ...[quote, title, scenario, fix ?? ''],
    ...evidence.map((place) => place.quote),
  ]);
  const values = await findSecretValues(texts.join('\n'));
  if (values.length === 0) return;
  const mask = (text: string) =>
    values.reduce((masked, value) => masked.replaceAll(value, `${value.slice(0, SHOWN_CHARACTERS)}…`), text);
  for (const candidate of candidates) {
    candidate.quote = mask(candidate.quote);
    candidate.title = mask(candidate.title);
    candidate.scenario = mask(candidate.scenario);
    if (candidate.fix !== undefined) candidate.fix = mask(candidate.fix);
    for (const place of candidate.evidence) place.quote = mask(place.quote);
  }
}
