/** The API domain: routes served, by what they are about; routes of others that are called; contracts. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { partOf } from '../find-parts.ts';
import { isTool } from '../kinds-of-paths.ts';
import { type Listed, listSentence, MAX_NAMES, someSentence } from '../write-sentence.ts';

const MAX_PARTS = 4;
/** Segments that say nothing about what a route is for. */
const NO_RESOURCE = /^(?:api|rest|ajax|v\d+(?:\w+\d*)?|\{\}.*|\*|public|internal|json|)$/i;
/** Frameworks have other names in sentences than in code. */
const FRAMEWORKS: Record<string, string> = {
  '@koa/router': 'Koa',
  'koa-router': 'Koa',
  '@hapi/hapi': 'hapi',
  '@hono/zod-openapi': 'Hono',
  'asp.net': 'ASP.NET',
  django: 'Django',
  express: 'Express',
  fastapi: 'FastAPI',
  fastify: 'Fastify',
  flask: 'Flask',
  hono: 'Hono',
  laravel: 'Laravel',
  nestjs: 'NestJS',
  next: 'Next.js',
  rails: 'Rails',
  sinatra: 'Sinatra',
  spring: 'Spring',
  sveltekit: 'SvelteKit',
  symfony: 'Symfony',
};
/** Routes for operators, which say nothing about the purpose of a program. */
const OPERATIONAL =
  /^(?:\S+ )?\/(?:debug\b.*|metrics|(?:api\/)?health\w*|livez?|readyz?|ping|version|favicon\.ico)?$/i;
const DESCRIPTION_FILE = /\.(?:proto|json|ya?ml)$/i;

export function describeApi(code: DescribedCode): (Sentence | null)[] {
  const served = code.of('route').filter(({ path }) => !isTool(path));
  const byPart = Map.groupBy(served, ({ path }) => partOf(path, code.parts));
  const parts = [...byPart].sort(([, left], [, right]) => right.length - left.length).slice(0, MAX_PARTS);
  return [
    ...parts.map(([part, routes]) => routesSentence(parts.length === 1 ? '' : part, routes)),
    ...contractSentences(code),
    ...callSentences(code, served),
  ];
}

/** Few routes are listed; of many, what they are about. Never counted: frameworks add routes that no line of code has. */
function routesSentence(part: string, routes: readonly PlacedFact[]): Sentence | null {
  const names = distinct(routes);
  // Those of a second server beside the one that matters, whose routes may be written in a way that isn't known.
  if (names.every(({ text }) => OPERATIONAL.test(text))) return null;
  const before = `${part === '' ? 'It' : `\`${part}\``} serves HTTP routes${frameworksOf(routes)}`;
  if (names.length <= MAX_NAMES) return someSentence(`${before} such as `, names.map(asRoute));
  const groups = resourcesOf(names);
  const named = ({ resource, routes }: Group): Listed => ({ text: resource, place: routes[0]!.place });
  const sentence =
    groups.length === 0
      ? someSentence(`${before} such as `, names.map(asRoute))
      : someSentence(`${before}, for example for `, groups.map(named));
  const found = names.slice(0, 200).map(({ text }) => text);
  return sentence && { ...sentence, alsoFound: `${sentence.alsoFound ?? ''} ${found.join(' ')}` };
}

/** Only names: the detail of a route in an API description is a sentence about it. */
function frameworksOf(routes: readonly PlacedFact[]): string {
  const names = routes.flatMap(({ detail, path }) =>
    detail && /^[\w.@/+-]{2,30}$/.test(detail) && !DESCRIPTION_FILE.test(path)
      ? [Object.hasOwn(FRAMEWORKS, detail) ? FRAMEWORKS[detail]! : detail]
      : [],
  );
  const [most] = [...Map.groupBy(names, (name) => name)].sort(
    ([, left], [, right]) => right.length - left.length,
  );
  return most ? ` with ${most[0]}` : '';
}

interface Group {
  resource: string;
  routes: Listed[];
}

/** The first segment that names something, with the routes below it; many with a single route say nothing. */
function resourcesOf(routes: readonly Listed[]): Group[] {
  const byResource = Map.groupBy(routes, ({ text }) => resourceOf(text));
  return [...byResource]
    .map(([resource, some]) => ({ resource, routes: some }))
    .filter(
      ({ resource, routes: some }) =>
        /[\p{L}]{2}/u.test(resource) && (some.length > 1 || byResource.size <= MAX_NAMES),
    )
    .sort((left, right) => right.routes.length - left.routes.length);
}

/** Methods such as `documents.list` are about documents. */
function resourceOf(route: string): string {
  const segments = route.replace(/^\S+\s+/, '').split('/');
  const resource = segments.find((segment) => !NO_RESOURCE.test(segment)) ?? '';
  return resource.replace(/(?<=.)\..*$/s, '').replaceAll(/[{}]/g, '');
}

/** Services and operations, which others call; messages and types are only what they exchange. */
function contractSentences(code: DescribedCode): (Sentence | null)[] {
  const provided = code.of('contract');
  const services = distinct(
    provided.filter(({ detail, name }) => detail === 'service' && name.startsWith('proto:')),
  );
  const operations = distinct(
    provided.filter(({ name }) => /^graphql:(?:Query|Mutation|Subscription)\./.test(name)),
  );
  const documents = distinct(
    provided.filter(({ name, path }) => name.startsWith('openapi:') && !path.endsWith('.proto')),
  );
  const own = new Set(services.map(({ text }) => text.replace(/^.*[.:]/s, '')));
  const used = distinct(
    code
      .of('contract', 'uses')
      .filter(({ detail, name }) => detail === 'grpc' && !own.has(name.replace(/^.*[.:]/s, ''))),
  );
  const named = ({ place, text }: Listed): Listed => ({
    text: text.replace(/^(?:proto|graphql|openapi):(?:Query\.|Mutation\.|Subscription\.)?/, ''),
    place,
  });
  return [
    listSentence(
      `It defines the gRPC ${services.length === 1 ? 'service' : 'services'} `,
      services.map(named),
      {
        some: `It defines ${services.length} gRPC services, among them `,
      },
    ),
    listSentence('Its GraphQL schema has ', operations.map(named), {
      some: `Its GraphQL schema has ${operations.length} operations, among them `,
    }),
    listSentence('It has an OpenAPI document of ', documents.map(named), {
      some: `It has ${documents.length} OpenAPI documents, among them of `,
    }),
    listSentence(`It calls the gRPC ${used.length === 1 ? 'service' : 'services'} `, used.map(named)),
  ];
}

const EXAMPLE_HOST = /example|testfiles|\.(?:test|local|invalid|localhost)$/i;

/** Calls of others: a page that calls the routes of its own service says nothing new. */
function callSentences(code: DescribedCode, served: readonly PlacedFact[]): (Sentence | null)[] {
  const calls = code.of('route', 'uses').filter(({ path }) => !isTool(path));
  const hosts = calls.flatMap(({ detail, ...fact }) =>
    detail && /^(?!127\.|0\.)[\w-]+(?:\.[\w-]+)+$/.test(detail) && !EXAMPLE_HOST.test(detail)
      ? [{ ...fact, name: detail }]
      : [],
  );
  const rest =
    served.length === 0 ? calls.filter(({ detail, name }) => !detail && /[a-z]{2}/i.test(pathOf(name))) : [];
  return [
    someSentence('It makes HTTP requests to hosts such as ', distinct(hosts)),
    someSentence('The routes that it calls include ', distinct(rest).map(asRoute)),
  ];
}

const pathOf = (route: string) => route.replace(/^\S+\s+/, '');

/** A route of every method is known by its path. */
export const asRoute = ({ place, text }: Listed): Listed => ({ text: text.replace(/^ANY /, ''), place });

const asListed = (fact: PlacedFact): Listed => ({ text: fact.name, place: fact });

export function distinct(facts: readonly PlacedFact[]): Listed[] {
  return [...new Map(facts.toReversed().map((fact) => [fact.name, asListed(fact)])).values()].reverse();
}
