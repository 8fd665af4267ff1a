/** A path or ref that doesn't exist, with a link to one that does. */
import { ApiProblem } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState, ErrorState } from '../../components/page.tsx';
import type { Repository } from '../repositories/repository-state.tsx';
import { isRefUnknown } from './code-queries.ts';
import { MarkedText } from './marked-text.tsx';

export function PathNotFound(props: {
  error: Error;
  repository: Repository;
  at: string | undefined;
  onRetry(): void;
}) {
  const { at, error, onRetry, repository } = props;
  const params = { repositoryId: repository.id };
  const toDefault = (
    <ButtonLink to="/repositories/$repositoryId" params={params}>
      Go to {repository.defaultBranch ?? 'the default branch'}
    </ButtonLink>
  );
  if (isRefUnknown(error))
    return (
      <EmptyState title="Branch, tag or commit not found" action={toDefault}>
        <MarkedText text={at ?? ''} /> may have been deleted, or hasn’t been fetched yet.
      </EmptyState>
    );
  if (error instanceof ApiProblem && error.status === 404)
    return (
      <EmptyState
        title="File or folder not found"
        action={
          <ButtonLink to="/repositories/$repositoryId" params={params} search={at ? { ref: at } : {}}>
            All files
          </ButtonLink>
        }
      >
        It may be on another branch, or have been renamed.
      </EmptyState>
    );
  return <ErrorState error={error} onRetry={onRetry} />;
}
