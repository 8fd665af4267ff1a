/** Reads an advisory in the OSV format: what it says about the packages of the ecosystems that reviews know. */
import { z } from 'zod';
import { ECOSYSTEMS, type Ecosystem } from '../../platform/core/code-review.ts';

const MAX_SUMMARY_CHARACTERS = 300;

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

/** PostgreSQL takes neither zero bytes nor halves of characters. */
const word = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));
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
    severity: SEVERITIES[String(specific?.severity).toUpperCase()] ?? null,
    aliases: aliases ?? [],
  };
  const packages = new Map<string, Advisory>();
  for (const { package: about, ranges, versions } of affected ?? []) {
    const ecosystem = ECOSYSTEMS.find((each) => each === about?.ecosystem);
    if (!about || !ecosystem) continue;
    const name = packageName(ecosystem, about.name);
    const known = packages.get(`${ecosystem} ${name}`);
    const advisory = known ?? { ...common, ecosystem, package: name, ranges: [], versions: [] };
    packages.set(`${ecosystem} ${name}`, advisory);
    // Ranges of commits say nothing about versions.
    const ofVersions = (ranges ?? []).filter(({ type }) => type !== 'GIT');
    advisory.ranges.push(...ofVersions.map(({ events }) => events));
    advisory.versions.push(...(versions ?? []));
  }
  return [...packages.values()];
}

/** One spelling for all that the ecosystem takes for the same. */
export function packageName(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'PyPI') return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
  return ecosystem === 'Packagist' ? name.toLowerCase() : name;
}

function inOneLine(text: string): string {
  const line = text.slice(0, 2 * MAX_SUMMARY_CHARACTERS).replaceAll(/[\s\u0000-\u001f\u007f-\u009f`]+/g, ' ');
  return line.trim().slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
