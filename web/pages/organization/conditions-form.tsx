/** The conditions of a setting: repositories, authors, sizes and ignored paths. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { TextAreaField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { linesOf } from '../../components/line-list.ts';
import { useToast } from '../../components/toast.tsx';
import type { Setting } from '../../parts/organization/setting.ts';

const MAX_REPOSITORIES = 200;

export function ConditionsForm({ each: { conditions, key }, onSaved }: { each: Setting; onSaved(): void }) {
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useQuery(operationQuery('list-repositories', { limit: MAX_REPOSITORIES }));
  const known = [...(data?.repositories ?? []), ...(conditions.repositories ?? [])];
  const form = useForm(
    {
      repositories: (conditions.repositories ?? []).map(({ name }) => name).join('\n'),
      authors: (conditions.authors ?? []).join('\n'),
      maxLines: conditions.maxLines?.toString() ?? '',
      maxFiles: conditions.maxFiles?.toString() ?? '',
      excludedPaths: (conditions.excludedPaths ?? []).join('\n'),
    },
    async (values) => {
      const names = linesOf(values.repositories);
      const ids = names.map(
        (name) => known.find((each) => each.name.toLowerCase() === name.toLowerCase())?.id,
      );
      const missing = names.filter((_, index) => ids[index] === undefined);
      if (missing.length > 0) throw new Error(`There is no repository named ${missing.join(', ')}.`);
      await call('change-switch', {
        key,
        conditions: {
          repositories: ids as string[],
          authors: linesOf(values.authors),
          excludedPaths: linesOf(values.excludedPaths),
          maxLines: numberIn(values.maxLines),
          maxFiles: numberIn(values.maxFiles),
        },
      });
      await client.invalidateQueries({ queryKey: ['list-switches'] });
      void client.invalidateQueries({ queryKey: ['list-switch-changes'] });
      toast('Setting changed');
      onSaved();
    },
  );
  return (
    <Form form={form} action="Save conditions">
      <TextAreaField
        label="Repositories"
        hint="Full names, one per line. Leave empty for all."
        spellCheck={false}
        {...form.field('repositories')}
      />
      <TextAreaField
        label="Authors"
        hint="Names, email addresses or logins, one per line. Leave empty for all."
        spellCheck={false}
        {...form.field('authors')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Maximum changed lines" inputMode="numeric" {...form.field('maxLines')} />
        <TextField label="Maximum changed files" inputMode="numeric" {...form.field('maxFiles')} />
      </div>
      <TextAreaField
        label="Ignored paths"
        hint="One glob per line, such as docs/**. Files there don’t add to the maximums above. A pull request that changes only such files doesn’t meet the conditions."
        spellCheck={false}
        {...form.field('excludedPaths')}
      />
    </Form>
  );
}

/** Text that isn't a number becomes NaN, so that the service refuses it. */
function numberIn(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}
