/** The plan beside the difference: its steps and files, which of them are changed, and what is changed beyond it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, CirclePlus, type LucideIcon, Minus } from 'lucide-react';
import { useState } from 'react';
import { operationQuery } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorState } from '../../../components/page.tsx';
import { PlanStatusBadge } from '../../../components/plan-status.tsx';
import { MarkdownView } from '../../../markdown/index.ts';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import type { PlanFiles } from './plan-files.ts';
import { type PlanStep, readPlanSteps } from './plan-steps.ts';

type LinkedPlan = PullRequest['plans'][number];

export function PlanPanel(props: {
  plan: LinkedPlan;
  files: PlanFiles;
  /** The paths of the changed files, before and after. */
  changed: readonly string[];
  changedPath(name: string): string | undefined;
  onChoose(path: string): void;
}) {
  const { changed, changedPath, files, onChoose, plan } = props;
  const [isRead, setIsRead] = useState(false);
  return (
    <section aria-label={`Plan: ${plan.title}`} className="grid grid-cols-1 gap-3 text-sm">
      <h3 className="font-semibold wrap-anywhere">
        <Link to="/plans/$seriesId" params={{ seriesId: plan.seriesId }} className="hover:underline">
          {plan.title}
        </Link>{' '}
        <PlanStatusBadge plan={plan} />
      </h3>
      <Steps seriesId={plan.seriesId} changed={changed} />
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

const STEPS = {
  changed: { icon: CircleCheck, look: 'text-good', words: 'A file that it names is changed.' },
  unchanged: { icon: CircleDashed, look: 'text-warn', words: 'No file that it names is changed.' },
  none: { icon: Minus, look: 'text-quiet', words: 'It names no file.' },
} as const satisfies Record<PlanStep['state'], { icon: LucideIcon; look: string; words: string }>;

/** Nothing while they are unknown: the files below say the rest. */
function Steps({ changed, seriesId }: { changed: readonly string[]; seriesId: string }) {
  const { data } = useQuery(operationQuery('get-plan', { seriesId }));
  const steps = data ? readPlanSteps(data, changed) : [];
  if (steps.length === 0) return null;
  const missing = steps.filter(({ state }) => state === 'unchanged').length;
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <h4 className="text-xs font-medium text-quiet">
        Steps · {steps.length}
        {missing > 0 && `, ${missing} without a changed file`}
      </h4>
      <ol className="grid gap-1.5">
        {steps.map(({ state, text }, index) => {
          const { icon: Icon, look, words } = STEPS[state];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a version never change their order.
            <li key={index} className="grid grid-cols-[auto_minmax(0,1fr)] gap-1.5">
              <Icon className={`mt-0.5 size-3.5 ${look}`} aria-hidden="true" />
              <span className={`wrap-anywhere ${state === 'none' ? 'text-quiet' : ''}`}>
                <MarkedText text={text} />
                <span className={state === 'unchanged' ? 'block text-xs text-warn' : 'sr-only'}>
                  {' '}
                  {words}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
      {steps.some(({ state }) => state === 'none') && (
        <p className="text-xs text-quiet">
          Steps with a dash name no file, so changed files can’t show them.
        </p>
      )}
    </div>
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
