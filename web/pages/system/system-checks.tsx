/** The checks of `countersign doctor`, with advice about each problem. */
import { useQuery } from '@tanstack/react-query';
import { Check, Minus, X } from 'lucide-react';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card, ErrorState, LoadingRows, Section } from '../../components/page.tsx';

type CheckLine = CallOutput<'check-system'>['checks'][number];

export function SystemChecks() {
  const { data, error, isFetching, refetch } = useQuery(operationQuery('check-system', {}));
  const bad = data?.checks.filter(({ state }) => state === 'bad').length;
  return (
    <Section title="Checks" lead="The checks of countersign doctor, on the node that served this page.">
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={12} />}
      {data && (
        <Card className="grid grid-cols-1 gap-4">
          <div className="flex flex-wrap items-center gap-3">
            <p className={`mr-auto text-sm font-medium ${bad === 0 ? 'text-good' : 'text-danger'}`}>
              {bad === 0 ? 'No problems found' : `${bad} ${bad === 1 ? 'problem' : 'problems'} found`}
            </p>
            <Button size="small" busy={isFetching} onClick={() => void refetch()}>
              Check again
            </Button>
          </div>
          <ul aria-label="Checks" className="grid grid-cols-1 gap-2.5 text-sm">
            {data.checks.map((check) => (
              <Line key={check.name} check={check} />
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}

const STATES = {
  good: { name: 'OK', icon: Check, color: 'text-good' },
  bad: { name: 'Problem', icon: X, color: 'text-danger' },
  skipped: { name: 'Skipped', icon: Minus, color: 'text-quiet' },
};

function Line({ check: { detail, name, next, state } }: { check: CheckLine }) {
  const { color, icon: Icon, name: stateName } = STATES[state];
  return (
    <li className="flex items-start gap-2.5">
      <Icon aria-label={stateName} role="img" className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <div className="min-w-0 grow sm:grid sm:grid-cols-[11rem_1fr] sm:gap-x-4">
        <p className="font-medium">{name}</p>
        <div className="min-w-0">
          <p className={`wrap-anywhere ${state === 'bad' ? '' : 'text-quiet'}`}>{detail}</p>
          {state === 'bad' && next && <p className="text-quiet wrap-anywhere">{next}</p>}
        </div>
      </div>
    </li>
  );
}
