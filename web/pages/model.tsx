/** Settings → Model: the language model that reviews can use, what it can do, and what it used. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../api/client.ts';
import { operationQuery, useSession } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { formatNumber } from '../components/format-number.ts';
import { Card, EmptyState, ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { ModelForm } from './model/model-form.tsx';
import { ModelTest } from './model/model-test.tsx';

type Settings = CallOutput<'get-model-settings'>;

const modelQuery = operationQuery('get-model-settings', {});

export function ModelPage() {
  const { organization } = useSession();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(modelQuery);
  const [editing, setEditing] = useState(false);
  const saved = (settings: Settings) => {
    client.setQueryData(modelQuery.queryKey, settings);
    setEditing(false);
  };
  return (
    <Page
      title="Model"
      lead="Optional: a language model that reviews pull requests in addition to the built-in checks, and writes architecture summaries in better prose. Everything it reports is checked against the code before it’s posted."
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={3} />}
      {data && (
        <>
          {editing ? (
            <Card>
              <ModelForm settings={data} onSaved={saved} onCancel={() => setEditing(false)} />
            </Card>
          ) : data.finding ? (
            <Current settings={data} onChanged={saved} onEdit={() => setEditing(true)} />
          ) : (
            <EmptyState
              title={data.source === 'off' ? 'The model is turned off' : 'No model'}
              action={
                <span className="flex flex-wrap justify-center gap-2">
                  {data.source === 'off' && <UseOperators onChanged={saved} />}
                  <Button look="primary" onClick={() => setEditing(true)}>
                    Set up a model
                  </Button>
                </span>
              }
            >
              Reviews report what can be proven without a model. With one, they also look for mistakes that
              need reading. Changed code of {organization.name} is sent to the server that you choose.
            </EmptyState>
          )}
          <div className="mt-8">
            <Usage settings={data} />
          </div>
        </>
      )}
    </Page>
  );
}

const FORMATS = { openai: 'OpenAI-compatible', anthropic: 'Anthropic' } as const;

function Current({
  onChanged,
  onEdit,
  settings,
}: {
  settings: Settings;
  onChanged(settings: Settings): void;
  onEdit(): void;
}) {
  const { budgets, finding, secondLook, source, updatedAt, updatedBy } = settings;
  const toast = useToast();
  const turnOff = async () => {
    try {
      onChanged(await call('change-model-settings', { finding: null }));
      toast('Model turned off');
    } catch (error) {
      toast((error as Error).message, 'danger');
    }
  };
  return (
    <Card className="grid grid-cols-1 gap-4">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 text-sm sm:grid-cols-[8rem_1fr]">
        <dt className="text-quiet">Model</dt>
        <dd className="-mt-2 sm:mt-0">
          <Named model={finding!} />
        </dd>
        <dt className="text-quiet">Second look</dt>
        <dd className="-mt-2 sm:mt-0">
          {secondLook ? (
            <Named model={secondLook} />
          ) : (
            'The same model checks each finding again, without seeing its earlier reasoning'
          )}
        </dd>
        <dt className="text-quiet">Budgets</dt>
        <dd className="-mt-2 sm:mt-0">
          {formatNumber(budgets.run)} tokens per review, {formatNumber(budgets.pullRequest)} per pull request,{' '}
          {formatNumber(budgets.month)} per month
        </dd>
      </dl>
      <ModelTest tested={settings.tested} hasSecond={secondLook !== null} />
      <footer className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <span className="mr-auto text-xs text-quiet">
          {source === 'environment' ? (
            'Set up by the operator for all organizations.'
          ) : (
            <>
              Changed by {updatedBy?.name} <Time at={updatedAt!} />
            </>
          )}
        </span>
        <Button onClick={() => void turnOff()}>Turn off</Button>
        <Button onClick={onEdit}>{source === 'environment' ? 'Use another model' : 'Edit'}</Button>
      </footer>
    </Card>
  );
}

function Named({ model }: { model: NonNullable<Settings['finding']> }) {
  return (
    <>
      <span className="font-mono wrap-anywhere">{model.model}</span>
      <span className="block text-xs wrap-anywhere text-quiet">
        {model.url} · {FORMATS[model.format]} · {model.hasKey ? 'with a key' : 'without a key'}
      </span>
    </>
  );
}

function UseOperators({ onChanged }: { onChanged(settings: Settings): void }) {
  const toast = useToast();
  const use = async () => {
    try {
      onChanged(await call('reset-model-settings', {}));
    } catch (error) {
      toast((error as Error).message, 'danger');
    }
  };
  return <Button onClick={() => void use()}>Use the operator’s model</Button>;
}

function Usage({ settings: { budgets, usedThisMonth } }: { settings: Settings }) {
  const { inputTokens, outputTokens, requests } = usedThisMonth;
  const used = inputTokens + outputTokens;
  if (requests === 0) return null;
  return (
    <Section title="This month" lead="By reviews, architecture summaries and tests. Months are in UTC.">
      <Card className="grid grid-cols-1 gap-2 text-sm">
        <p>
          <strong className="font-semibold">{formatNumber(used)}</strong> of {formatNumber(budgets.month)}{' '}
          tokens, in {formatNumber(requests)} {requests === 1 ? 'request' : 'requests'}
          <span className="text-quiet">
            {' '}
            ({formatNumber(inputTokens)} sent, {formatNumber(outputTokens)} received)
          </span>
        </p>
        {used >= budgets.month && (
          <p className="text-danger">
            The budget is used up. Reviews run without the model until next month.
          </p>
        )}
      </Card>
    </Section>
  );
}
