/** The definitions of a name at a commit, those first that the file most likely means. */
import { useQuery } from '@tanstack/react-query';
import { isWaiting } from '../../../api/queries.ts';
import { symbolQuery } from '../code-queries.ts';

/** Where a name is shown. */
export interface NamePlace {
  repository: string;
  repositoryId: string;
  commit: string;
  path: string;
  line: number;
}

export interface FoundDefinitions {
  repository: string;
  repositoryId: string;
  commit: string;
  definitions: { path: string; line: number; kind: string; container: string | null }[];
  /** Beyond those. */
  more: number;
  references: number;
  /** Whether the name stands in its own definition. */
  isHere: boolean;
}

export type Definitions =
  | { state: 'loading' | 'indexing' | 'none' | 'failed' }
  | { state: 'found'; found: FoundDefinitions };

/** A request that nobody waits for any more is aborted. */
export function useDefinitions(name: string | undefined, place: NamePlace | undefined): Definitions {
  const at = { repository: place?.repository ?? '', ref: place?.commit };
  const query = useQuery({
    ...symbolQuery(at, name ?? '', place?.path),
    enabled: name !== undefined && place !== undefined,
  });
  const { data, error } = query;
  if (isWaiting(query)) return { state: 'indexing' };
  if (error) return { state: 'failed' };
  if (!data || !place) return { state: 'loading' };
  const [own] = data.repositories;
  if (!own || own.definitions.length === 0) return { state: 'none' };
  const { commit, definitions, moreDefinitions, moreReferences, references } = own;
  const here = definitions.findIndex(({ line, path }) => path === place.path && line === place.line);
  const ordered = here > 0 ? [definitions[here]!, ...definitions.toSpliced(here, 1)] : definitions;
  return {
    state: 'found',
    found: {
      repository: place.repository,
      repositoryId: place.repositoryId,
      commit,
      definitions: ordered,
      more: moreDefinitions,
      references: references.length + moreReferences,
      isHere: here !== -1,
    },
  };
}
