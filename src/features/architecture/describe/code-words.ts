/**
 * The words of a repository's code that the search for repositories looks up, each with its best place, its domain and a weight.
 * Weights are those of BM25 with a fixed average size of repositories, times how much the place says; how rare a word is among the
 * repositories that a reader can see counts when it is looked up.
 */
import type { CommitWord, FactKind, PlacedFact } from '../../../platform/core/ports/code-facts.ts';
import { DOMAINS, type Domain } from '../contract.ts';
import { splitWords } from '../find/split-words.ts';
import type { CodeToDescribe } from './summarize/described-code.ts';
import { isTest, isUi, isVendored } from './summarize/kinds-of-paths.ts';
import type { SummaryRow } from './summary-store.ts';

/** Words of a repository; those with the smallest weights are left out. */
export const MAX_CODE_WORDS = 30_000;
const MAX_NAME_CHARACTERS = 100;
/** As words of summaries. */
const MAX_WORD_CHARACTERS = 60;
/** How soon more files with a word stop counting, and how much the size of a repository counts. */
const [SATURATION, LENGTH] = [1.2, 0.75];
const AVERAGE_FILES = 300;
/** A part of a name, compared with the whole name. */
const PART = 0.6;
const STRUCTURED = /[_-]|\p{Ll}\p{Lu}|\p{L}\p{N}/u;
/** Found by all of it, however many parts it has. */
const IS_ONE_NAME = /^[\p{L}\p{N}\p{M}._-]+$/u;
const DOCUMENT = /\.(?:mdx?|rst|adoc|txt)$/i;

export interface CodeWord {
  word: string;
  /** Its place in `DOMAINS`. */
  domain: number;
  weight: number;
  name: string;
  path: string;
  line: number;
}

/** Facts with a name that people search for, and the domain that they are about. */
const DOMAIN_OF_FACT: Partial<Record<FactKind, Domain>> = {
  route: 'API',
  contract: 'API',
  table: 'DATA',
  event: 'EVENTS',
  environment: 'INFRASTRUCTURE',
  infrastructure: 'INFRASTRUCTURE',
  entry_point: 'CLI',
  package: 'LIBRARY',
};

/** Folders and files that a domain is about, whatever its summary names. */
const DOMAIN_OF_PATH: [Domain, RegExp][] = [
  ['DATA', /\.sql$|\.prisma$|(?:^|\/)(?:migrations?|models?|entities|schemas?|repositories|db|database)\//i],
  ['AUTH', /(?:^|\/)(?:auth\w*|oauth\w*|login|sessions?|permissions?|identity)(?:\/|[.]\w+$)/i],
  ['EVENTS', /(?:^|\/)(?:events?|jobs?|workers?|queues?|consumers?|producers?|listeners?|tasks)\//i],
  ['CLI', /(?:^|\/)(?:cmd|cli|commands?|bin)\//i],
  ['API', /(?:^|\/)(?:api|routes?|routers?|controllers?|handlers?|endpoints?|graphql)\//i],
  [
    'INFRASTRUCTURE',
    /(?:^|\/)(?:deploy\w*|docker|helm|charts?|terraform|k8s|\.github|infra\w*)\/|(?:^|\/)(?:Dockerfile|docker-compose)[^/]*$/i,
  ],
];

export function codeWords(
  { facts, name: repository }: CodeToDescribe,
  summaries: readonly SummaryRow[],
): CodeWord[] {
  if (summaries.length === 0) return [];
  const domainOf = domainsOf(summaries);
  const size = SATURATION * (1 - LENGTH + (LENGTH * facts.files) / AVERAGE_FILES);
  const words = new Map<string, CodeWord>();
  const add = (place: Omit<CodeWord, 'word' | 'weight'>, value: number, files: number) => {
    const isOneThing = value >= 0.6;
    const whole = foldedWhole(place.name);
    for (const word of new Set([
      ...splitWords(place.name),
      ...(IS_ONE_NAME.test(place.name) ? [whole] : []),
    ])) {
      if (word.length < 2 || word.length > MAX_WORD_CHARACTERS) continue;
      // A name says what it says once; a word says more when many files have it.
      const isWhole = isOneThing && word === whole;
      const frequency = isWhole ? 1 : files / (files + size);
      const weight = Math.max(1, Math.round(100 * value * (isWhole ? 1 : PART) * (0.2 + 0.8 * frequency)));
      const known = words.get(word);
      if (known && known.weight >= weight) continue;
      words.set(word, { word, weight, ...place });
    }
  };
  for (const fact of facts.facts) {
    if (isVendored(fact.path) || fact.kind === 'owner' || fact.kind === 'workspace' || fact.kind === 'symbol')
      continue;
    const name = shownName(fact);
    if (name === undefined) continue;
    const domain = domainOf(fact.path, DOMAIN_OF_FACT[fact.kind]);
    const value = fact.kind === 'heading' ? 0.5 : 1;
    add({ name, path: fact.path, line: fact.line, domain }, isTest(fact.path) ? value * 0.5 : value, 1);
  }
  for (const { files, isDefined, line, name, path } of facts.words) {
    if (isVendored(path)) continue;
    const value = worthOf({ isDefined, name, path });
    add({ name, path, line, domain: domainOf(path) }, isTest(path) ? value * 0.5 : value, files);
  }
  for (const word of splitWords(repository)) words.delete(word);
  const all = [...words.values()];
  return all.length <= MAX_CODE_WORDS
    ? all
    : all
        .sort((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
        .slice(0, MAX_CODE_WORDS);
}

/** A definition says most; then names and options, documentation, and any other word of code, texts and comments. */
function worthOf({ isDefined, name, path }: Pick<CommitWord, 'isDefined' | 'name' | 'path'>): number {
  if (STRUCTURED.test(name)) return isDefined ? 1 : 0.8;
  if (isDefined) return 0.6;
  return DOCUMENT.test(path) ? 0.5 : 0.35;
}

function shownName({ kind, name }: PlacedFact): string | undefined {
  // `npm:react` is read as `react`.
  const shown = kind === 'package' ? name.replace(/^\w+:/, '') : name;
  const text = shown.replaceAll(/[\p{C}`]/gu, ' ').trim();
  return text.length > 0 && text.length <= MAX_NAME_CHARACTERS ? text : undefined;
}

const foldedWhole = (name: string) => name.replaceAll(/[._-]/g, '').normalize('NFKC').toLowerCase();

/** A domain that the repository has: that of the fact, of the kind of file, of the summary that shows the file, or the first. */
function domainsOf(summaries: readonly SummaryRow[]): (path: string, wanted?: Domain) => number {
  const present = new Set(summaries.map(({ domain }) => domain));
  const first = DOMAINS.findIndex((domain) => present.has(domain));
  const shown = new Map<string, Domain>();
  // The summary of what a repository is about shows files of every kind.
  const ordered = summaries.toSorted(
    (one, other) => Number(one.domain === 'BUSINESS_LOGIC') - Number(other.domain === 'BUSINESS_LOGIC'),
  );
  for (const { domain, sentences } of ordered) {
    // The first sentence is the same in all summaries.
    for (const { path } of sentences.slice(1).flatMap(({ evidence }) => evidence)) {
      if (!shown.has(path)) shown.set(path, domain as Domain);
    }
  }
  const ofPath = new Map<string, Domain | undefined>();
  return (path, wanted) => {
    if (wanted && present.has(wanted)) return DOMAINS.indexOf(wanted);
    if (!ofPath.has(path)) ofPath.set(path, kindOf(path, shown));
    const domain = ofPath.get(path);
    return domain && present.has(domain) ? DOMAINS.indexOf(domain) : first;
  };
}

function kindOf(path: string, shown: Map<string, Domain>): Domain | undefined {
  if (isTest(path)) return 'TESTS';
  if (isUi(path)) return 'UI';
  return shown.get(path) ?? DOMAIN_OF_PATH.find(([, pattern]) => pattern.test(path))?.[0];
}
