/** The API domain: routes served, by what they are about; routes of others that are called; contracts. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { partOf } from '../find-parts.ts';
import { isTool } from '../kinds-of-paths.ts';
import { count, type Listed, listSentence, MAX_NAMES } from '../write-sentence.ts';

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

/** Few routes are listed; many are counted by what they are about. */
function routesSentence(part: string, routes: readonly PlacedFact[]): Sentence | null {
  const names = distinct(routes);
  const before = `${part === '' ? 'It' : `\`${part}\``} serves ${count(names.length, 'HTTP route')}${frameworksOf(routes)}`;
  if (names.length <= MAX_NAMES) return listSentence(`${before}: `, names.map(asRoute));
  const groups = resourcesOf(names);
  const inGroups = groups.reduce((sum, { routes }) => sum + routes.length, 0);
  const named = ({ resource, routes }: Group): Listed => ({
    text: routes.length === 1 ? resource : `${resource} (${routes.length})`,
    place: routes[0]!.place,
  });
  const sentence =
    groups.length === 0
      ? listSentence(`${before}, among them `, names.map(asRoute))
      : listSentence(`${before}, ${inGroups === names.length ? '' : 'most of all '}for `, groups.map(named), {
          some: `${before}, most of all for `,
        });
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

/** Calls of others: a page that calls the routes of its own service says nothing new. */
function callSentences(code: DescribedCode, served: readonly PlacedFact[]): (Sentence | null)[] {
  const calls = code.of('route', 'uses').filter(({ path }) => !isTool(path));
  const hosts = calls.flatMap(({ detail, ...fact }) =>
    detail && /^(?!127\.|0\.)[\w-]+(?:\.[\w-]+)+$/.test(detail) ? [{ ...fact, name: detail }] : [],
  );
  const rest =
    served.length === 0 ? calls.filter(({ detail, name }) => !detail && /[a-z]{2}/i.test(pathOf(name))) : [];
  return [
    listSentence('It calls the HTTP APIs of ', distinct(hosts), {
      some: 'It calls HTTP APIs such as those of ',
    }),
    listSentence('It calls ', distinct(rest).map(asRoute), { some: 'The routes that it calls include ' }),
  ];
}

const pathOf = (route: string) => route.replace(/^\S+\s+/, '');

/** A route of every method is known by its path. */
export const asRoute = ({ place, text }: Listed): Listed => ({ text: text.replace(/^ANY /, ''), place });

const asListed = (fact: PlacedFact): Listed => ({ text: fact.name, place: fact });

export function distinct(facts: readonly PlacedFact[]): Listed[] {
  return [...new Map(facts.toReversed().map((fact) => [fact.name, asListed(fact)])).values()].reverse();
}
