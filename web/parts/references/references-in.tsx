/** Links people, teams, pull requests and commits in the texts inside it, as far as the reader can see them, and completes names there. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { MentionScope } from '../../components/use-mentions.tsx';
import { ReferenceLinks } from '../../markdown/index.ts';
import { loadReference } from './load-references.ts';

const FRESH_MS = 5 * 60_000;
const LINK =
  'rounded underline decoration-strong-line underline-offset-2 hover:text-accent hover:decoration-current';

export function ReferencesIn(props: {
  /** Where `#12` and commits are looked up; null if the texts belong to no repository. */
  repositoryId: string | null;
  children: ReactNode;
}) {
  const { children, repositoryId } = props;
  const link = useCallback(
    (reference: string, shown: ReactNode) => (
      <Reference repositoryId={repositoryId} reference={reference}>
        {shown}
      </Reference>
    ),
    [repositoryId],
  );
  return (
    <ReferenceLinks value={link}>
      <MentionScope value={repositoryId}>{children}</MentionScope>
    </ReferenceLinks>
  );
}

/** Only text until it is resolved, and if it isn't. */
function Reference(props: { repositoryId: string | null; reference: string; children: ReactNode }) {
  const { children, reference, repositoryId } = props;
  const { data } = useQuery({
    queryKey: ['resolve-references', repositoryId, reference],
    queryFn: () => loadReference(repositoryId, reference),
    staleTime: FRESH_MS,
    retry: false,
  });
  if (!data) return children;
  switch (data.kind) {
    case 'pull_request':
      return (
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: data.id }}
          title={`${data.title} (${data.state})`}
          className={LINK}
        >
          {children}
        </Link>
      );
    case 'commit':
      return (
        <Link
          to="/repositories/$repositoryId"
          params={{ repositoryId: data.repositoryId! }}
          search={{ ref: data.id }}
          title={data.id}
          className={`font-mono text-[0.9em] ${LINK}`}
        >
          {children}
        </Link>
      );
    default:
      return (
        <span title={data.title} className="font-medium text-accent">
          {children}
        </span>
      );
  }
}
