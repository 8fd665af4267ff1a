/** A path or a branch that is not there, and the way to something that is. */
import { ApiProblem } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState, ErrorState } from '../../components/page.tsx';
import type { Repository } from '../repositories/repository-state.tsx';
import { isRefUnknown } from './code-queries.ts';
import { MarkedText } from './marked-text.tsx';

export function NotThere(props: {
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
      <EmptyState title="There is no such branch, tag or commit" action={toDefault}>
        <MarkedText text={at ?? ''} /> may have been deleted, or not fetched yet.
      </EmptyState>
    );
  if (error instanceof ApiProblem && error.status === 404)
    return (
      <EmptyState
        title="There is no such file or folder here"
        action={
          <ButtonLink to="/repositories/$repositoryId" params={params} search={at ? { ref: at } : {}}>
            All files
          </ButtonLink>
        }
      >
        It may be on another branch, or have another name.
      </EmptyState>
    );
  return <ErrorState error={error} onRetry={onRetry} />;
}
