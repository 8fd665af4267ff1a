/** The INFRASTRUCTURE domain: how it is built, deployed and configured. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { type Listed, listSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

/** By the beginning of the name. */
const KINDS = [
  ['docker:', 'Images are built from ', 12],
  ['compose:', 'Docker Compose starts ', 40],
  ['kubernetes:', 'Kubernetes objects are ', 30],
  ['helm:', 'Helm charts are ', 12],
  ['terraform:', 'Terraform manages ', 20],
  ['ci:', 'CI runs ', 20],
] as const;

export function describeInfrastructure(code: DescribedCode): (Sentence | null)[] {
  const facts = code.of('infrastructure');
  const variables = distinct(code.of('environment', 'uses'));
  const known = KINDS.map(([prefix]) => prefix);
  return [
    ...KINDS.map(([prefix, before, maxItems]) =>
      listSentence(before, listed(facts, prefix), { maxItems, maxCharacters: 700 }),
    ),
    listSentence(
      'It is also deployed with ',
      distinct(facts.filter(({ name }) => !known.some((prefix) => name.startsWith(prefix)))),
    ),
    listSentence(
      `It is configured by the environment ${variables.length === 1 ? 'variable' : 'variables'} `,
      variables,
      { maxItems: 60 },
    ),
    listSentence('Deployment files set ', distinct(code.of('environment')), {
      maxItems: 40,
      maxCharacters: 600,
    }),
  ];
}

function listed(facts: readonly PlacedFact[], prefix: string): Listed[] {
  return distinct(facts.filter(({ name }) => name.startsWith(prefix))).map(({ place, text }) => ({
    text: text.slice(prefix.length),
    place,
  }));
}
