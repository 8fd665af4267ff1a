/** A finding as a comment in Markdown. Text from the code is quoted as code, so that it can't become markup. */

import type { Candidate } from '../../../engines/review/contract/code-review.ts';
import { FINDING_LIMITS } from '../../../engines/review/contract/finding-limits.ts';

const MAX_SHOWN_EVIDENCE = 5;

export function findingBody(
  finding: Pick<
    Candidate,
    'command' | 'evidence' | 'scenario' | 'title' | 'fix' | 'producer' | 'confirmedBy'
  >,
  alsoAt: { file: string; line: number }[],
  /** Not everyone who reads the comment on a code host may see other repositories. */
  { namesRepositories }: { namesRepositories: boolean },
): string {
  const { command, confirmedBy, evidence, fix, producer, scenario, title } = finding;
  const shown = namesRepositories ? evidence : evidence.filter(({ repository }) => !repository);
  const hidden = evidence.filter((place) => !shown.includes(place));
  const places = shown.slice(0, MAX_SHOWN_EVIDENCE).map(({ line, path, quote, repository }) => {
    const place = `${path}:${line}`;
    return `- ${code(repository ? `${repository.name} ${place}@${repository.commit.slice(0, 12)}` : place)}: ${code(quote)}`;
  });
  const elsewhere = new Set(hidden.map(({ repository }) => repository?.id)).size;
  if (elsewhere > 0)
    places.push(
      elsewhere === 1 ? '- used in another repository' : `- used in ${elsewhere} other repositories`,
    );
  return [
    `**${escapeMarkdown(title)}**`,
    escapeMarkdown(scenario),
    ...(places.length > 0 ? [places.join('\n')] : []),
    ...(alsoAt.length > 0
      ? [`Also at ${alsoAt.map(({ file, line }) => code(`${file}:${line}`)).join(', ')}.`]
      : []),
    // A command of a finding elsewhere is for a clone of that repository.
    ...(command && (hidden.length === 0 || shown.length > 0) ? [`To check: ${code(command)}`] : []),
    ...(fix === undefined ? [] : [suggestion(fix)]),
    ...(producer ? [`Reported by ${escapeMarkdown(nameOf(producer))}.`] : []),
    ...(confirmedBy ? [escapeMarkdown(confirmedBy)] : []),
  ].join('\n\n');
}

/** `claude-code (model) for Ada`. A tool's name can't be verified, so it says whose key sent the results. */
export function nameOf({ kind, model, userName, vendor }: NonNullable<Candidate['producer']>): string {
  if (kind === 'tool')
    return `${vendor ?? 'a tool'}, sent with ${userName ? `the key of ${userName}` : 'an API key'}`;
  const named = `${vendor ?? (kind === 'agent' ? 'an agent' : kind)}${model ? ` (${model})` : ''}`;
  return userName === null ? named : `${named} for ${userName}`;
}

/** Code hosts offer to apply such a block. */
function suggestion(fix: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(fix) + 1));
  return `${fence}suggestion\n${fix.replace(/\n$/, '')}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/**
 * Text in backticks stays code; everything else that could be markup is escaped. Names after an @ become code, so that nobody is
 * mentioned. With several backticks in a row, or one without another, all of them are escaped.
 */
export function escapeMarkdown(text: string): string {
  const shown = text.replaceAll(/\s+/g, ' ').trim();
  const isPaired = !shown.includes('``') && (shown.split('`').length - 1) % 2 === 0;
  return shown
    .split(isPaired ? /(`[^`]+`)/ : /(?!)/)
    .map((part, index) => (index % 2 === 1 ? part : escapePlain(part)))
    .join('');
}

function escapePlain(text: string): string {
  return text
    .split(/(@[\w][\w/.-]*)/)
    .map((part, index) => (index % 2 === 1 ? code(part) : part.replaceAll(/[\\`*_[\]<>|~#&]/g, '\\$&')))
    .join('');
}

/** A code span whose fence is longer than any run of backticks in it. */
export function code(text: string): string {
  const shown = text.replaceAll(/\s+/g, ' ').trim().slice(0, FINDING_LIMITS.quoteCharacters).toWellFormed();
  const longest = longestRun(shown);
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}
