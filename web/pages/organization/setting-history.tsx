/** Who changed a setting or excluded paths, when, and to what. */
import type { ReactNode } from 'react';
import { useOperationPages } from '../../api/queries.ts';
import { ErrorState, LoadingRows, ShowMore } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import type { Setting } from '../../parts/organization/setting.ts';
import { describeConditions } from './describe-conditions.ts';

export function SettingHistory({ settingKey }: { settingKey: Setting['key'] }) {
  const pages = useOperationPages('list-switch-changes', { key: settingKey });
  return (
    <History pages={pages}>
      {pages.data?.pages
        .flatMap(({ changes }) => changes)
        .map(({ after, before, changedAt, changedBy, id }) => {
          const limits = describeConditions(after.conditions);
          const isTurned = after.enabled !== before.enabled;
          return (
            <Change key={id} by={changedBy.name} at={changedAt}>
              {isTurned && `Turned ${after.enabled ? 'on' : 'off'}. `}
              {limits.length > 0 ? `Only if: ${limits.join('; ')}` : !isTurned && 'Conditions removed'}
            </Change>
          );
        })}
    </History>
  );
}

export function ExcludedPathHistory({ repositoryId }: { repositoryId: string }) {
  const pages = useOperationPages('list-excluded-path-changes', { repositoryId });
  return (
    <History pages={pages}>
      {pages.data?.pages
        .flatMap(({ changes }) => changes)
        .map(({ after, changedAt, changedBy, id }) => (
          <Change key={id} by={changedBy.name} at={changedAt}>
            {after.paths.length === 0 ? 'Removed all' : after.paths.join('  ')}
          </Change>
        ))}
    </History>
  );
}

function History({
  children,
  pages,
}: {
  children: ReactNode;
  pages: Parameters<typeof ShowMore>[0]['pages'] & {
    error: Error | null;
    isLoading: boolean;
    refetch(): unknown;
  };
}) {
  return (
    <>
      {pages.error && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isLoading && <LoadingRows rows={1} />}
      <ol className="grid gap-3 text-sm">{children}</ol>
      <ShowMore pages={pages} />
    </>
  );
}

function Change({ at, by, children }: { at: string; by: string; children: ReactNode }) {
  return (
    <li className="border-l-2 border-line pl-3">
      <p className="wrap-anywhere">{children}</p>
      <p className="text-[0.8125rem] text-quiet">
        {by}, <Time at={at} />
      </p>
    </li>
  );
}
