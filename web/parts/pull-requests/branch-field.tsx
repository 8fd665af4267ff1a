/** The name of a branch, with the repository's branches as suggestions. */
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { TextField } from '../../components/field.tsx';
import type { useForm } from '../../components/form.tsx';
import { useSettled } from '../../components/use-settled.ts';

const PAUSE_MS = 150;
const MAX_BRANCHES = 30;

export function BranchField(props: {
  label: string;
  hint: string;
  placeholder: string;
  repositoryId: string | undefined;
  field: ReturnType<ReturnType<typeof useForm>['field']>;
}) {
  const { field, hint, label, placeholder, repositoryId } = props;
  const search = useSettled(field.value.trim(), PAUSE_MS);
  const { data } = useQuery({
    queryKey: ['list-refs', repositoryId, 'branch', search],
    queryFn: ({ signal }) =>
      call(
        'list-refs',
        { repositoryId: repositoryId!, kind: 'branch', search, limit: MAX_BRANCHES },
        { signal },
      ),
    enabled: repositoryId !== undefined,
    placeholderData: (before) => before,
  });
  const list = `branches-${field.name}`;
  return (
    <div>
      <TextField
        label={label}
        hint={hint}
        placeholder={placeholder}
        list={list}
        autoComplete="off"
        spellCheck={false}
        {...field}
      />
      <datalist id={list}>
        {data?.refs.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
