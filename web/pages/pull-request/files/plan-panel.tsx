/** The plan beside the difference: which of its files are changed, which aren't, and what is changed beyond it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, CirclePlus, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { operationQuery } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorState } from '../../../components/page.tsx';
import { PlanStatusBadge } from '../../../components/plan-status.tsx';
import { MarkdownView } from '../../../markdown/index.ts';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import type { PlanFiles } from './plan-files.ts';

type LinkedPlan = PullRequest['plans'][number];

export function PlanPanel(props: {
  plan: LinkedPlan;
  files: PlanFiles;
  changedPath(name: string): string | undefined;
  onChoose(path: string): void;
}) {
  const { changedPath, files, onChoose, plan } = props;
  const [isRead, setIsRead] = useState(false);
  return (
    <section aria-label={`Plan: ${plan.title}`} className="grid grid-cols-1 gap-3 text-sm">
      <h3 className="font-semibold wrap-anywhere">
        <Link to="/plans/$seriesId" params={{ seriesId: plan.seriesId }} className="hover:underline">
          {plan.title}
        </Link>{' '}
        <PlanStatusBadge plan={plan} />
      </h3>
      {plan.files.length === 0 ? (
        <p className="text-quiet">The plan names no files.</p>
      ) : (
        <>
          <Group
            title="Changed as planned"
            icon={CircleCheck}
            look="text-good"
            names={files.touched}
            onChoose={(name) => onChoose(changedPath(name) ?? name)}
          />
          <Group
            title="In the plan, not changed"
            icon={CircleDashed}
            look="text-warn"
            names={files.untouched}
          />
          <Group
            title="Changed, not in the plan"
            icon={CirclePlus}
            look="text-accent"
            names={files.beyond}
            onChoose={onChoose}
          />
        </>
      )}
      <div>
        <Button size="small" aria-expanded={isRead} onClick={() => setIsRead(!isRead)}>
          {isRead ? 'Hide the text' : 'Read the plan here'}
        </Button>
      </div>
      {isRead && <PlanText seriesId={plan.seriesId} />}
    </section>
  );
}

function Group(props: {
  title: string;
  icon: LucideIcon;
  look: string;
  names: readonly string[];
  onChoose?(name: string): void;
}) {
  const { icon: Icon, look, names, onChoose, title } = props;
  if (names.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-1">
      <h4 className="flex items-center gap-1.5 text-xs font-medium text-quiet">
        <Icon className={`size-3.5 ${look}`} aria-hidden="true" />
        {title} · {names.length}
      </h4>
      <ul className="grid gap-0.5 pl-5 font-mono text-xs">
        {names.map((name) => (
          <li key={name} className="min-w-0">
            {onChoose ? (
              <button
                type="button"
                onClick={() => onChoose(name)}
                className="max-w-full truncate rounded text-left hover:text-accent hover:underline"
                title={name}
              >
                <MarkedText text={name} />
              </button>
            ) : (
              <span className="block truncate text-quiet" title={name}>
                <MarkedText text={name} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlanText({ seriesId }: { seriesId: string }) {
  const { data, error, refetch } = useQuery(operationQuery('get-plan', { seriesId }));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <p className="text-quiet">Loading…</p>;
  return (
    <div className="[&_.markdown]:text-[0.8125rem]">
      <MarkdownView content={data.content} />
    </div>
  );
}
