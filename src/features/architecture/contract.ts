/** The shapes and limits of architecture summaries. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const MAX_KEYWORDS = 32;
export const KEYWORD_CHARACTERS = 1000;
export const MAX_DOMAINS = 50;
export const DOMAIN_CHARACTERS = 200;
/** Summaries in a reply to a search. */
export const MAX_FOUND_SUMMARIES = 50;

/** The aspects that every repository is described under, in the order in which they are listed. */
export const DOMAINS = [
  'API',
  'BUSINESS_LOGIC',
  'DATA',
  'EVENTS',
  'AUTH',
  'INFRASTRUCTURE',
  'UI',
  'CLI',
  'LIBRARY',
  'TESTS',
] as const;
export type Domain = (typeof DOMAINS)[number];

export const SearchSummariesInput = z.object({
  keywords: z
    .array(requiredText({ max: KEYWORD_CHARACTERS }))
    .min(1)
    .max(MAX_KEYWORDS)
    .describe(
      'What to look for. A keyword matches words of the summary, the repository’s name, the domain, and names and words of its code: by their beginning, by their stem, and by the parts of names such as `userId` and `user_id`. A keyword of several words matches where all of them do. Summaries that match more and rarer keywords come first.',
    ),
  domains: z
    .array(text({ max: DOMAIN_CHARACTERS }))
    .max(MAX_DOMAINS)
    .optional()
    .describe(`Only summaries of these domains, not case-sensitive: ${DOMAINS.join(', ')}. Default: all.`),
});

const SUMMARY = {
  repoId: uuid(),
  repoName: z.string(),
  domain: z.string(),
};

export const ArchitectureSummary = z
  .object({ ...SUMMARY, summary: z.string().describe('A few sentences on what is there and where.') })
  .meta({ id: 'ArchitectureSummary' });

export const SearchSummariesReply = z.object({
  summaries: z.array(ArchitectureSummary).describe(`Best match first, at most ${MAX_FOUND_SUMMARIES}.`),
});

export const EvidencePlace = z
  .object({ path: z.string(), line: z.int().describe('Line number, starting at 1.') })
  .meta({ id: 'EvidencePlace' });

export const SummarySentence = z
  .object({
    text: z.string(),
    evidence: z.array(EvidencePlace).describe('Where the code at `commit` shows it; never empty.'),
  })
  .meta({ id: 'SummarySentence' });

/** The same with its evidence, for pages and agents. */
export const DescribedSummary = z
  .object({
    ...SUMMARY,
    commit: z.string().describe('The commit that was described.'),
    sentences: z.array(SummarySentence),
  })
  .meta({ id: 'DescribedSummary' });

export const SearchArchitectureReply = z.object({
  summaries: z.array(DescribedSummary).describe(`Best match first, at most ${MAX_FOUND_SUMMARIES}.`),
  unknownDomains: z.array(z.string()).describe('Given domains that don’t exist.'),
  knownDomains: z.array(z.string()).describe('Every domain that exists.'),
});

export const ListSummariesInput = z.object({
  domain: text({ max: DOMAIN_CHARACTERS })
    .optional()
    .describe('Only summaries of this domain, not case-sensitive. Default: all.'),
  ...PAGE_INPUT,
});
export const SummaryPage = z.object({
  summaries: z.array(DescribedSummary).describe('By repository and domain.'),
  nextCursor: nextCursorShape(),
});

export const GetArchitectureInput = z.object({ repositoryId: uuid() });

/** `waiting`: it has no commit yet, or is queued; `ready`: described, maybe at an earlier commit than the newest. */
export const DESCRIPTION_STATES = ['waiting', 'running', 'ready', 'failed'] as const;

const NamedPlace = z.object({
  name: z.string(),
  detail: z.string().nullable(),
  path: z.string(),
  line: z.int(),
});

export const Architecture = z
  .object({
    repoId: uuid(),
    repoName: z.string(),
    state: z.enum(DESCRIPTION_STATES),
    problem: z.string().nullable().describe('Why the newest attempt failed.'),
    commit: z.string().nullable().describe('The commit that was described; null before the first time.'),
    isUpToDate: z.boolean().describe('Whether that is the head of the default branch.'),
    describedAt: timestamp().nullable(),
    files: z.int(),
    languages: z.array(z.object({ language: z.string(), files: z.int(), lines: z.int() })),
    parts: z.array(z.string()).describe('Folders with a package of their own.'),
    activity: z
      .object({
        folders: z.array(z.object({ path: z.string(), commits: z.int() })),
        people: z.array(z.object({ name: z.string(), commits: z.int() })),
      })
      .describe('The busiest folders and people of the last year.'),
    owners: z.array(NamedPlace).describe('Rules of CODEOWNERS: `name` is the pattern, `detail` its owners.'),
    contracts: z.array(NamedPlace).describe('Protobuf, GraphQL and OpenAPI definitions.'),
    leftOut: z.array(z.string()).describe('What is missing and why.'),
    summaries: z.array(DescribedSummary),
  })
  .meta({ id: 'Architecture' });

/** Kinds that one repository can provide and another can use. */
export const USED_KINDS = [
  'package',
  'route',
  'event',
  'table',
  'contract',
  'environment',
  'symbol',
] as const;
export type UsedKind = (typeof USED_KINDS)[number];
export const USED_NAME_CHARACTERS = 500;
/** In each list of a reply. */
export const MAX_REPOSITORIES_SHOWN = 100;
export const MAX_PLACES_OF_USER = 20;
export const MAX_PLACES_OF_NEIGHBOUR = 5;
/** In all repositories together. */
export const MAX_TEXT_LINES = 200;
export const MAX_TEXT_LINE_CHARACTERS = 300;

export const FindUsesInput = z.object({
  kind: z.enum(USED_KINDS).optional().describe('What the name is. Default: whatever it can be.'),
  name: requiredText({ max: USED_NAME_CHARACTERS }).describe(
    'A package (`npm:react`, `react`), route (`GET /users/:id`; without a method, every method), event or topic, table, contract (`proto:acme.Billing`), environment variable, or symbol (`npm:@acme/ui#Button`, `src/price.ts:formatPrice`, `acme/shop#formatPrice`).',
  ),
});

export const FactPlace = z
  .object({
    kind: z.enum(USED_KINDS),
    name: z.string().describe('As the service stores it, such as `GET /users/{}`.'),
    path: z.string(),
    line: z.int().describe('Line number, starting at 1.'),
    detail: z.string().nullable().describe('A version or framework, for example.'),
    evidence: z
      .enum(['fact', 'symbol'])
      .optional()
      .describe(
        '`fact` (the default): the code says what it provides or uses. `symbol`: the syntax of the code has this name, which can be something else with the same name.',
      ),
  })
  .meta({ id: 'FactPlace' });

export const RepositoryPlaces = z
  .object({
    repoId: uuid(),
    repoName: z.string(),
    commit: z.string().nullable().describe('The commit that the places are in.'),
    places: z.array(FactPlace).describe('Where the code shows it; never empty.'),
    morePlaces: z.int().describe('How many places are not listed.'),
  })
  .meta({ id: 'RepositoryPlaces' });

export const TextMatches = z
  .object({
    repoId: uuid(),
    repoName: z.string(),
    commit: z.string(),
    lines: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
    moreLines: z.int().describe('How many matching lines are not listed, at least.'),
  })
  .meta({ id: 'TextMatches' });

export const FindUsesReply = z.object({
  providers: z.array(RepositoryPlaces).describe('Repositories that define, serve or publish it.'),
  outside: z.array(RepositoryPlaces).describe('Repositories that use it and don’t provide it themselves.'),
  inside: z.array(RepositoryPlaces).describe('Uses in repositories that provide it themselves.'),
  textMatches: z
    .array(TextMatches)
    .describe(
      'Only if no use was found: lines with this text, or with a path that matches the route. They can be comments, documentation or something else.',
    ),
  notSeen: z.array(z.string()).describe('What kinds of use and which repositories this answer leaves out.'),
  isComplete: z
    .boolean()
    .describe(`False if one of the lists was cut after ${MAX_REPOSITORIES_SHOWN} repositories.`),
  isAmbiguous: z
    .boolean()
    .optional()
    .describe(
      'True if several repositories define the symbol, or more than three have a table of this name, and nothing says which one is meant: then `providers` lists the definitions, and no uses are listed. Ask again with the repository or file of one, such as `acme/shop#formatPrice`.',
    ),
});

export const ListNeighboursInput = z.object({ repositoryId: uuid() });

export const Neighbours = z
  .object({
    dependencies: z
      .array(RepositoryPlaces)
      .describe('Repositories that this one uses; the places are in this repository.'),
    consumers: z
      .array(RepositoryPlaces)
      .describe('Repositories that use this one; the places are in the consumer.'),
    isComplete: z
      .boolean()
      .describe(`False if one of the lists was cut after ${MAX_REPOSITORIES_SHOWN} repositories.`),
  })
  .meta({ id: 'Neighbours' });

export const ReadRepositoryInput = z.object({
  repository: requiredText({ max: 300 }).describe('Full name, or its last part.'),
  planSeriesId: uuid()
    .optional()
    .describe('Only consumers of what the files of this plan provide, if it names files of the repository.'),
});

export const DescribedRepository = z
  .object({ architecture: Architecture, neighbours: Neighbours })
  .meta({ id: 'DescribedRepository' });
