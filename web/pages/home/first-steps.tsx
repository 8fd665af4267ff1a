/** The list “Get started”: each step is done, skipped, or says how it is done. */
import { CircleCheck, CircleDashed, CircleSlash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CallInput } from '../../api/client.ts';
import { useOptimistic } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { useToast } from '../../components/toast.tsx';

export interface FirstStep {
  id: CallInput<'skip-first-step'>['step'];
  title: string;
  isDone: boolean;
  isSkipped: boolean;
  /** One sentence. */
  text: ReactNode;
  /** How it is done, until it is. */
  how?: ReactNode;
  /** A link to where it is done; the first step that is left has the primary one. */
  link?(look: 'primary' | 'plain'): ReactNode;
}

export function FirstSteps({ steps }: { steps: FirstStep[] }) {
  const toast = useToast();
  const change = useOptimistic({
    operation: 'skip-first-step',
    list: 'get-first-steps',
    expect: (before, { skipped, step }) => ({
      ...before,
      skipped: skipped ? [...before.skipped, step] : before.skipped.filter((each) => each !== step),
    }),
  });
  const skip = ({ id, title }: FirstStep, skipped: boolean) =>
    change.mutate(
      { step: id, skipped },
      {
        onSuccess: () => {
          if (skipped) toast(`Skipped: ${title}`, 'plain', () => change.mutate({ step: id, skipped: false }));
        },
        onError: (problem) => toast(problem.message, 'danger'),
      },
    );
  const next = steps.find(({ isDone, isSkipped }) => !isDone && !isSkipped);
  return (
    <ol className="grid grid-cols-1 gap-3">
      {steps.map((step) => (
        <Step key={step.id} step={step} isNext={step === next} onSkip={(skipped) => skip(step, skipped)} />
      ))}
    </ol>
  );
}

function Step(props: { step: FirstStep; isNext: boolean; onSkip(skipped: boolean): void }) {
  const { isNext, onSkip, step } = props;
  const { how, isDone, isSkipped, link, text, title } = step;
  const isOpen = !isDone && !isSkipped;
  return (
    <li className="rounded-xl border border-line bg-raised p-5">
      <div className="flex flex-wrap items-start gap-3">
        <StepState isDone={isDone} isSkipped={isSkipped} />
        <div className="min-w-0 flex-1 basis-[calc(100%-3rem)] sm:basis-56">
          <h3 className={`font-semibold ${isSkipped && !isDone ? 'text-quiet' : ''}`}>{title}</h3>
          {(isDone || isOpen) && <div className="text-sm text-quiet">{text}</div>}
        </div>
        <div className="ml-8 flex flex-wrap items-center gap-2 sm:ml-0">
          {!isSkipped && link?.(isNext ? 'primary' : 'plain')}
          {!isDone && (
            <Button
              look="quiet"
              aria-label={isSkipped ? `Show again: ${title}` : `Skip: ${title}`}
              onClick={() => onSkip(!isSkipped)}
            >
              {isSkipped ? 'Show again' : 'Skip'}
            </Button>
          )}
        </div>
      </div>
      {isOpen && how && <div className="mt-4 grid grid-cols-1 gap-3 text-sm text-quiet sm:ml-8">{how}</div>}
    </li>
  );
}

function StepState({ isDone, isSkipped }: { isDone: boolean; isSkipped: boolean }) {
  if (isDone) return <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-label="Done" />;
  if (isSkipped) return <CircleSlash2 className="mt-0.5 size-5 shrink-0 text-quiet" aria-label="Skipped" />;
  return <CircleDashed className="mt-0.5 size-5 shrink-0 text-quiet" aria-label="To do" />;
}
