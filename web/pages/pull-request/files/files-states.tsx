/** Why there are no files to show. */
import { EmptyState } from '../../../components/page.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { Progress, RepositoryProblem } from '../../../parts/repositories/repository-state.tsx';
import { useRepository } from '../../../parts/repository/use-repository.ts';

/** The page retries automatically, and shows what keeps the service from fetching. */
export function NotHereYet({ repositoryId }: { repositoryId: string }) {
  const { data: repository } = useRepository(repositoryId);
  return (
    <div className="grid gap-3 pt-3">
      <EmptyState title="The commits aren’t here yet">
        <span className="inline-flex items-center gap-2">
          <Spinner />
          They are being fetched from the repository. This page updates automatically.
        </span>
      </EmptyState>
      {repository && <Progress repository={repository} />}
      {repository && <RepositoryProblem repository={repository} />}
    </div>
  );
}

export function FilesSkeleton() {
  return (
    <div role="status" className="grid gap-3 pt-3">
      <span className="sr-only">Loading</span>
      {[7, 4].map((lines) => (
        <div key={lines} className="overflow-hidden rounded-lg border border-line">
          <div className="h-11 border-b border-line bg-sunken" />
          <div className="grid gap-2 p-4">
            {Array.from({ length: lines }, (_, index) => (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: these lines never change places.
                key={index}
                className="h-3 animate-pulse rounded bg-line"
                style={{ width: `${35 + ((index * 29) % 55)}%` }}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
