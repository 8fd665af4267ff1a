/** The API domain: routes served, by what they are about; routes of others that are called; contracts. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { partOf } from '../find-parts.ts';
import { count, type Listed, listSentence } from '../write-sentence.ts';

const MAX_PARTS = 6;
/** Segments that say nothing about what a route is for. */
const NO_RESOURCE = /^(?:api|rest|v\d+(?:\w+\d*)?|\{\}|\*|public|internal|json|)$/i;

export function describeApi(code: DescribedCode): (Sentence | null)[] {
  const served = code.of('route');
  const byPart = Map.groupBy(served, ({ path }) => partOf(path, code.parts));
  const parts = [...byPart].sort(([, left], [, right]) => right.length - left.length).slice(0, MAX_PARTS);
  const sentences = parts.map(([part, routes]) =>
    listSentence(
      `${part === '' ? 'It' : `\`${part}\``} serves ${count(routes.length, 'HTTP route')}${frameworksOf(routes)}, for `,
      resourcesOf(routes),
      { maxCharacters: parts.length > 1 ? 500 : 900 },
    ),
  );
  return [
    ...sentences,
    listSentence('Routes include ', served.map(asListed), { maxItems: 14 }),
    listSentence('It has contracts for ', distinct(code.of('contract')), { maxItems: 40 }),
    listSentence('It uses the contracts ', distinct(code.of('contract', 'uses')), { maxItems: 20 }),
    listSentence('It calls ', distinct(code.of('route', 'uses')), { maxItems: 20 }),
  ];
}

function frameworksOf(routes: readonly PlacedFact[]): string {
  const names = [...new Set(routes.flatMap(({ detail }) => (detail && detail.length <= 40 ? [detail] : [])))];
  return names.length === 0 ? '' : ` with ${names.slice(0, 3).join(', ')}`;
}

/** The first segment that names something, with the number of routes below it. */
function resourcesOf(routes: readonly PlacedFact[]): Listed[] {
  const byResource = Map.groupBy(routes, ({ name }) => resourceOf(name));
  return [...byResource]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([resource, [first, ...others]]) => ({
      // All routes together were counted before.
      text: others.length === 0 || byResource.size === 1 ? resource : `${resource} (${others.length + 1})`,
      place: first!,
    }));
}

function resourceOf(route: string): string {
  const segments = route.replace(/^\S+\s+/, '').split('/');
  return segments.find((segment) => !NO_RESOURCE.test(segment))?.replaceAll(/[{}]/g, '') || '/';
}

const asListed = (fact: PlacedFact): Listed => ({ text: fact.name, place: fact });

export function distinct(facts: readonly PlacedFact[]): Listed[] {
  return [...new Map(facts.toReversed().map((fact) => [fact.name, asListed(fact)])).values()].reverse();
}
