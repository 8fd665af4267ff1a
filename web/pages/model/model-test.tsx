/** Tries the model, and says in plain words what it can do. */
import { useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/time.tsx';

type Tested = CallOutput<'test-model'>;
type Abilities = Tested['finding'];

export function ModelTest({
  hasSecond,
  tested,
}: {
  tested: (Tested & { at: string }) | null;
  hasSecond: boolean;
}) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const [fresh, setFresh] = useState<Tested>();
  const tryIt = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      setFresh(await call('test-model', {}));
      await client.invalidateQueries(operationQuery('get-model-settings', {}));
    } catch (error) {
      setProblem(error as Error);
    } finally {
      setBusy(false);
    }
  };
  const shown = fresh ?? tested;
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg bg-sunken p-4 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="mr-auto text-quiet">
          {busy
            ? 'Asking the model two short questions…'
            : shown
              ? tested && (
                  <>
                    Tried <Time at={tested.at} />
                  </>
                )
              : 'Not tried yet. Trying it sends two short questions and no code.'}
        </p>
        <Button size="small" busy={busy} onClick={() => void tryIt()}>
          {shown ? 'Try again' : 'Try it'}
        </Button>
      </div>
      {problem && <Notice kind="danger">{problem.message}</Notice>}
      {shown && !busy && (
        <>
          <Result name={hasSecond ? 'Model' : undefined} abilities={shown.finding} />
          {shown.secondLook && <Result name="Second look" abilities={shown.secondLook} />}
        </>
      )}
    </div>
  );
}

function Result({ abilities, name }: { abilities: Abilities; name: string | undefined }) {
  const { answers, callsTools, problem } = abilities;
  return (
    <div className="grid gap-1" role="status">
      {name && <h3 className="text-xs font-medium text-quiet">{name}</h3>}
      <Line works={answers}>{answers ? 'Answers, as a stream' : 'Doesn’t answer'}</Line>
      {answers && (
        <Line works={callsTools}>
          {callsTools
            ? 'Calls tools: it can look up code and report findings'
            : 'Doesn’t call tools: it can’t report anything. Choose a model that can.'}
        </Line>
      )}
      {problem && <p className="wrap-anywhere text-danger">{problem}</p>}
    </div>
  );
}

function Line({ children, works }: { works: boolean; children: string }) {
  const Icon = works ? Check : X;
  return (
    <p className="flex items-start gap-2">
      <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${works ? 'text-good' : 'text-danger'}`} />
      {children}
    </p>
  );
}
