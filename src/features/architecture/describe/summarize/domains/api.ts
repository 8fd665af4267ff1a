/** The API domain: routes served, by what they are about; routes of others that are called; contracts. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { partOf } from '../find-parts.ts';
import { isTool } from '../kinds-of-paths.ts';
import { type Listed, MAX_NAMES, someSentence } from '../write-sentence.ts';

const MAX_PARTS = 4;
/** A single route in so many files is often that of a helper. */
const LARGE_CODE = 50;
/** Segments that say nothing about what a route is for. */
const NO_RESOURCE = /^(?:api|rest|ajax|v\d+(?:\w+\d*)?|\{\}.*|\*|public|internal|json|for|me|self|)$/i;
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
/** Routers of these are mounted by other files: what a route is about is seldom in the path that it is written with. */
const MOUNTED =
  /^(?:Express|express-promise-router|Fastify|Koa|Hono|Flask|FastAPI|axum|actix.*|rocket|warp|chi|gin|echo|mux|fiber|httprouter|net\/http|starlette|aiohttp|sanic|bottle|tornado)$/;
/** Fewer files are one place. */
const MANY_FILES = 4;
/** A prefix can be added where a router is mounted, in another file. */
export const WRITTEN = '(without prefixes from other files) such as ';
const DESCRIPTION_FILE = /\.(?:proto|json|ya?ml)$/i;

export function describeApi(code: DescribedCode): (Sentence | null)[] {
  const served = code.of('route').filter(({ path }) => !isTool(path));
  const written = served.filter(({ path }) => !DESCRIPTION_FILE.test(path));
  const isLarge = code.sources.length > LARGE_CODE;
  const byPart = Map.groupBy(written, ({ path }) => partOf(path, code.parts));
  const parts = [...byPart].sort(([, left], [, right]) => right.length - left.length).slice(0, MAX_PARTS);
  return [
    ...parts.map(([part, routes]) =>
      isLarge && distinct(routes).length === 1
        ? null
        : routesSentence(parts.length === 1 ? '' : part, routes),
    ),
    ...contractSentences(code),
    hostsSentence(code),
  ];
}

/**
 * Few routes are listed, as they are written; of many, what they are about. Never counted: frameworks add routes that no line of
 * code has. All of one framework, since the sentence names it.
 */
function routesSentence(part: string, all: readonly PlacedFact[]): Sentence | null {
  const framework = frameworkOf(all);
  const routes = all.filter(
    (fact) =>
      (framework === null || nameOfFramework(fact) === framework) && !/deprecat|legacy/i.test(fact.name),
  );
  const names = distinct(routes);
  // A few routes can be a second server's, beside one whose routes are written in a way that isn't known.
  if (names.every(({ text }) => OPERATIONAL.test(text))) return null;
  const subject = part === '' ? 'It' : `\`${part}\``;
  const before = `${subject} registers HTTP routes${framework === null ? '' : ` with ${framework}`}`;
  const found = distinct(all)
    .slice(0, 200)
    .map(({ text }) => text);
  const files = filesOf(routes);
  if (framework !== null && MOUNTED.test(framework) && files.length >= MANY_FILES) {
    const where = someSentence(`${before} in files such as `, files);
    return where && { ...where, alsoFound: `${where.alsoFound ?? ''} ${found.join(' ')}` };
  }
  const groups = names.length > MAX_NAMES ? resourcesOf(names) : [];
  const named = ({ resource, routes }: Group): Listed => ({ text: resource, place: routes[0]!.place });
  const sentence =
    groups.length === 0
      ? someSentence(`${before} ${WRITTEN}`, names.filter(({ text }) => !OPERATIONAL.test(text)).map(asRoute))
      : someSentence(`${before}, for example for `, groups.map(named));
  return sentence && { ...sentence, alsoFound: `${sentence.alsoFound ?? ''} ${found.join(' ')}` };
}

/** Those with most routes first. */
function filesOf(routes: readonly PlacedFact[]): Listed[] {
  return [...Map.groupBy(routes, ({ path }) => path)]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([path, [first]]) => ({ text: `\`${path}\``, place: first! }));
}

/** Only names: the detail of a route in an API description is a sentence about it. */
function nameOfFramework({ detail }: PlacedFact): string | null {
  if (!detail || !/^[\w.@/+-]{2,30}$/.test(detail)) return null;
  return Object.hasOwn(FRAMEWORKS, detail) ? FRAMEWORKS[detail]! : detail;
}

/** A framework of a few routes would misname the rest. */
function frameworkOf(routes: readonly PlacedFact[]): string | null {
  const names = routes.flatMap((fact) => nameOfFramework(fact) ?? []);
  const [most] = [...Map.groupBy(names, (name) => name)].sort(
    ([, left], [, right]) => right.length - left.length,
  );
  return most?.[0] ?? null;
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
    provided.filter(
      ({ name, path }) => name.startsWith('openapi:') && !path.endsWith('.proto') && !/\btest/i.test(name),
    ),
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
    someSentence('It defines gRPC services such as ', services.map(named)),
    someSentence('Its GraphQL schema has operations such as ', operations.map(named)),
    someSentence('It has OpenAPI documents with titles such as ', documents.map(named)),
    someSentence('It has clients of gRPC services such as ', used.map(named)),
  ];
}

const EXAMPLE_HOST = /example|testfiles|\.(?:test|local|invalid|localhost)$/i;

/** Requests to others: a page that calls the routes of its own service says nothing new. */
function hostsSentence(code: DescribedCode): Sentence | null {
  const hosts = code
    .of('route', 'uses')
    .flatMap(({ detail, ...fact }) =>
      detail &&
      !isTool(fact.path) &&
      /^(?!127\.|0\.)[\w-]+(?:\.[\w-]+)+$/.test(detail) &&
      !EXAMPLE_HOST.test(detail)
        ? [{ ...fact, name: detail }]
        : [],
    );
  return someSentence('It makes HTTP requests to hosts such as ', distinct(hosts));
}

/** A route of every method is known by its path. */
export const asRoute = ({ place, text }: Listed): Listed => ({ text: text.replace(/^ANY /, ''), place });

const asListed = (fact: PlacedFact): Listed => ({ text: fact.name, place: fact });

export function distinct(facts: readonly PlacedFact[]): Listed[] {
  return [...new Map(facts.toReversed().map((fact) => [fact.name, asListed(fact)])).values()].reverse();
}
