/** Describes a repository as text: its summaries with evidence, and its neighbours, as much as fits. */
import type { Operations } from '../../../operation-types.ts';
import { showPathOnLine } from '../../../platform/core/text/path-text.ts';
import { bytesFor, TOKEN_LIMITS } from '../text/budget.ts';
import { createFences } from '../text/fence.ts';

type Described = Operations['read-repository']['output'];

export function writeRepository({ architecture, neighbours }: Described): string {
  const { commit, isUpToDate, leftOut, repoName, summaries } = architecture;
  if (commit === null) {
    return 'The repository is not described yet: it has no commit, or is waiting for its turn.';
  }
  const lines = [
    `# ${oneLine(repoName)}`,
    ...summaries.flatMap(({ domain, sentences }) => [
      `## ${domain}`,
      ...sentences.map(({ evidence, text }) => `- ${oneLine(text)} [${evidence.map(placeOf).join(', ')}]`),
    ]),
    ...sectionOf('Depends on (places are in this repository)', neighbours.dependencies),
    ...sectionOf('Used by (places are in the consumer)', neighbours.consumers),
    ...leftOut.map((clause) => `Left out: ${clause}.`),
  ];
  const shown = fitting(lines, bytesFor(TOKEN_LIMITS.max));
  const text = shown.join('\n');
  const fences = createFences([text]);
  const isCut = shown.length < lines.length || !neighbours.isComplete;
  return [
    `Described at commit ${commit}${isUpToDate ? ', the head of the default branch' : '; the default branch has newer commits'}.`,
    fences.notice,
    fences.around('repository', text),
    ...(isCut ? ['Some of it is not shown: ask `repo_search` or `who_uses` for one thing.'] : []),
  ].join('\n\n');
}

function sectionOf(title: string, repositories: Described['neighbours']['consumers']): string[] {
  if (repositories.length === 0) return [];
  return [
    `## ${title}`,
    ...repositories.flatMap(({ morePlaces, places, repoName }) => [
      ...places.map((place) => `- ${repoName}: ${place.kind} ${oneLine(place.name)} [${placeOf(place)}]`),
      ...(morePlaces > 0 ? [`- ${repoName}: ${morePlaces} more`] : []),
    ]),
  ];
}

const placeOf = ({ line, path }: { path: string; line: number }) => `${showPathOnLine(path)}:${line}`;
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

function fitting(lines: readonly string[], maxBytes: number): string[] {
  let bytes = 0;
  const end = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > maxBytes;
  });
  return lines.slice(0, end === -1 ? undefined : end);
}
