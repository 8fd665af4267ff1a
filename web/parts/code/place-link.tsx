/** A link to a line of a file at a commit. */
import { Link } from '@tanstack/react-router';
import { inOneLine } from './marked-text.tsx';

export function PlaceLink(props: { repoId: string; commit: string; path: string; line: number }) {
  const { commit, line, path, repoId } = props;
  return (
    <Link
      to="/repositories/$repositoryId"
      params={{ repositoryId: repoId }}
      search={{ ref: commit, path }}
      hash={`L${line}`}
      className="inline-flex min-h-6 items-center font-mono text-xs wrap-anywhere text-quiet hover:text-accent hover:underline"
    >
      {inOneLine(path)}:{line}
    </Link>
  );
}
