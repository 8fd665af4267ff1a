/** Reads an advisory in the OSV format: what it says about the packages of the ecosystems that reviews know. */
import { z } from 'zod';
import { ECOSYSTEMS, type Ecosystem } from '../../engines/review/contract/code-review.ts';
import { packageName } from '../../engines/review/contract/package-name.ts';

const MAX_SUMMARY_CHARACTERS = 300;
const MAX_WORD_BYTES = 500;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** From `introduced` on (`0`: always), until before `fixed` or up to `last_affected`. */
export interface RangeEvent {
  introduced?: string | undefined;
  fixed?: string | undefined;
  last_affected?: string | undefined;
}

export interface Advisory {
  ecosystem: Ecosystem;
  package: string;
  id: string;
  summary: string;
  severity: 'low' | 'moderate' | 'high' | 'critical' | null;
  aliases: string[];
  ranges: RangeEvent[][];
  versions: string[];
}

/** Short enough for an index, and without what nobody sees: PostgreSQL, terminals and pages take these. */
const word = z
  .string()
  .min(1)
  .refine((text) => Buffer.byteLength(text) <= MAX_WORD_BYTES && text.isWellFormed() && !UNSEEN.test(text));
const Event = z.object({
  introduced: word.optional(),
  fixed: word.optional(),
  last_affected: word.optional(),
});
const Osv = z.object({
  id: word,
  withdrawn: z.string().nullish(),
  summary: z.string().nullish(),
  details: z.string().nullish(),
  aliases: z.array(word).nullish(),
  database_specific: z.object({ severity: z.unknown() }).partial().nullish(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: word }).nullish(),
        ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).nullish(),
        versions: z.array(word).nullish(),
        // The GitHub Advisory Database says there what its events can't: `< 1.2.3` or `<= 1.2.3`.
        database_specific: z.object({ last_known_affected_version_range: z.unknown() }).partial().nullish(),
      }),
    )
    .nullish(),
});
const SEVERITIES: Record<string, Advisory['severity']> = {
  LOW: 'low',
  MODERATE: 'moderate',
  MEDIUM: 'moderate',
  HIGH: 'high',
  CRITICAL: 'critical',
};

/** One for each package; none if it was withdrawn or is about other ecosystems. Undefined if the text is no advisory. */
export function readAdvisory(text: string): Advisory[] | undefined {
  const read = Osv.safeParse(parse(text));
  if (!read.success) return undefined;
  const { affected, aliases, database_specific: specific, details, id, summary, withdrawn } = read.data;
  if (withdrawn) return [];
  const common = {
    id,
    summary: inOneLine(summary || details || ''),
    severity: severityOf(specific?.severity),
    aliases: aliases ?? [],
  };
  const packages = new Map<string, Advisory>();
  for (const { database_specific: known, package: about, ranges, versions } of affected ?? []) {
    const ecosystem = ECOSYSTEMS.find((each) => each === about?.ecosystem);
    if (!about || !ecosystem) continue;
    const name = packageName(ecosystem, about.name);
    const advisory = packages.get(`${ecosystem} ${name}`) ?? {
      ...common,
      ecosystem,
      package: name,
      ranges: [],
      versions: [],
    };
    packages.set(`${ecosystem} ${name}`, advisory);
    // Ranges of commits say nothing about versions.
    const ofVersions = (ranges ?? []).filter(({ type }) => type !== 'GIT');
    const last = lastAffected(known?.last_known_affected_version_range);
    for (const { events } of ofVersions) advisory.ranges.push(withEnd(events, last));
    advisory.versions = advisory.versions.concat(versions ?? []);
  }
  return [...packages.values()];
}

function severityOf(text: unknown): Advisory['severity'] {
  return typeof text === 'string' ? (SEVERITIES[text.toUpperCase()] ?? null) : null;
}

function lastAffected(range: unknown): RangeEvent | undefined {
  const match = typeof range === 'string' ? /^(<=?)\s*(\S{1,100})$/.exec(range.trim()) : null;
  if (!match || UNSEEN.test(match[2]!)) return undefined;
  return match[1] === '<' ? { fixed: match[2]! } : { last_affected: match[2]! };
}

/** One event each; an open end is closed if something else says where it is. */
function withEnd(events: RangeEvent[], last: RangeEvent | undefined): RangeEvent[] {
  const single = events.flatMap(({ fixed, introduced, last_affected }) => [
    ...(introduced === undefined ? [] : [{ introduced }]),
    ...(fixed === undefined ? [] : [{ fixed }]),
    ...(last_affected === undefined ? [] : [{ last_affected }]),
  ]);
  const isOpen = single.every(({ introduced }) => introduced !== undefined);
  return last && isOpen ? [...single, last] : single;
}

function inOneLine(text: string): string {
  const line = text.slice(0, 2 * MAX_SUMMARY_CHARACTERS).replaceAll(/[\s\p{Cc}\p{Cf}`]+/gu, ' ');
  return line.trim().slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
