/** The paths that reviews skip, for each repository. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextAreaField } from '../../components/field.tsx';
import { FilePreview } from '../../components/file-preview.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { linesOf } from '../../components/line-list.ts';
import { EmptyState, ErrorState, LoadingRows, Section } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { ExcludedPathHistory } from './setting-history.tsx';

type Excluded = CallOutput<'list-excluded-paths'>['repositories'][number];

const MAX_REPOSITORIES = 200;

export function ExcludedPaths() {
  const { data, error, refetch } = useQuery(operationQuery('list-excluded-paths', {}));
  const [edited, setEdited] = useState<Excluded | 'new'>();
  const [shown, setShown] = useState<Excluded>();
  const add = <Button onClick={() => setEdited('new')}>Exclude paths</Button>;
  return (
    <Section title="Excluded paths" lead="Files that reviews skip, such as generated and vendored code.">
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={1} />}
      {data?.repositories.length === 0 && <EmptyState title="No excluded paths" action={add} />}
      {data && data.repositories.length > 0 && (
        <>
          <ul className="grid gap-px overflow-hidden rounded-xl border border-line bg-line">
            {data.repositories.map((row) => (
              <li
                key={row.repositoryId}
                className="flex flex-wrap items-center gap-3 bg-raised px-4 py-3 text-sm"
              >
                <div className="min-w-0 flex-1">
                  <p className="font-medium wrap-anywhere">{row.repositoryName}</p>
                  <p className="font-mono text-xs wrap-anywhere text-quiet">{row.paths.join('  ')}</p>
                  {row.updatedAt && (
                    <p className="text-[0.8125rem] text-quiet">
                      Last changed <Time at={row.updatedAt} />
                    </p>
                  )}
                </div>
                <Button
                  look="quiet"
                  size="small"
                  aria-label={`History of ${row.repositoryName}`}
                  onClick={() => setShown(row)}
                >
                  History
                </Button>
                <Button size="small" aria-label={`Edit ${row.repositoryName}`} onClick={() => setEdited(row)}>
                  Edit
                </Button>
              </li>
            ))}
          </ul>
          <div>{add}</div>
        </>
      )}
      <Dialog open={edited !== undefined} title="Excluded paths" onClose={() => setEdited(undefined)}>
        {edited && (
          <PathsForm row={edited === 'new' ? undefined : edited} onSaved={() => setEdited(undefined)} />
        )}
      </Dialog>
      <Dialog
        open={shown !== undefined}
        title={`Excluded paths of ${shown?.repositoryName ?? ''}`}
        onClose={() => setShown(undefined)}
      >
        {shown && <ExcludedPathHistory repositoryId={shown.repositoryId} />}
      </Dialog>
    </Section>
  );
}

function PathsForm({ onSaved, row }: { onSaved(): void; row: Excluded | undefined }) {
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useQuery(operationQuery('list-repositories', { limit: MAX_REPOSITORIES }));
  const listed = data?.repositories ?? [];
  const form = useForm(
    { repositoryId: row?.repositoryId ?? '', paths: row?.paths.join('\n') ?? '' },
    async ({ paths, repositoryId }) => {
      const saved = await call('set-excluded-paths', {
        repositoryId: repositoryId || listed[0]?.id || '',
        paths: linesOf(paths),
      });
      client.setQueryData(['list-excluded-paths', {}], saved);
      void client.invalidateQueries({ queryKey: ['list-excluded-path-changes'] });
      toast('Excluded paths saved');
      onSaved();
    },
  );
  const chosen = form.values.repositoryId || listed[0]?.id;
  return (
    <Form form={form} action="Save paths">
      {row ? (
        <p className="text-sm font-medium wrap-anywhere">{row.repositoryName}</p>
      ) : (
        <SelectField label="Repository" {...form.field('repositoryId')}>
          {listed.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <TextAreaField
        label="Paths"
        hint="One glob per line, such as vendor/ or *.generated.ts. Leave empty to exclude nothing."
        spellCheck={false}
        {...form.field('paths')}
      />
      {chosen && linesOf(form.values.paths).length > 0 && (
        <FilePreview repositoryId={chosen} globs={form.values.paths} />
      )}
    </Form>
  );
}
