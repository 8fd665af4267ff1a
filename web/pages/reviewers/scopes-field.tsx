/** Where a reviewer applies: repositories with globs, and the files that these match now. */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { SelectField, TextAreaField } from '../../components/field.tsx';
import { FilePreview } from '../../components/file-preview.tsx';

export interface ScopeDraft {
  key: number;
  /** Empty: every repository. */
  repoId: string;
  /** One glob a line. */
  paths: string;
}

export interface KnownRepository {
  id: string;
  name: string;
}

const MAX_SCOPES = 200;

export function ScopesField(props: {
  scopes: ScopeDraft[];
  repositories: KnownRepository[];
  /** By the position of the scope. */
  errorOf(index: number): string | undefined;
  onChange(scopes: ScopeDraft[]): void;
}) {
  const { errorOf, onChange, repositories, scopes } = props;
  const change = (index: number, part: Partial<ScopeDraft>) =>
    onChange(scopes.map((scope, at) => (at === index ? { ...scope, ...part } : scope)));
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">Applies to</legend>
      {scopes.map((scope, index) => (
        <div key={scope.key} className="grid gap-3 rounded-xl border border-line p-4">
          <div className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <SelectField
                label="Repository"
                value={scope.repoId}
                error={errorOf(index)}
                onChange={(event) => change(index, { repoId: event.target.value })}
              >
                <option value="">All repositories</option>
                {repositories.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectField>
            </div>
            {scopes.length > 1 && (
              <IconButton
                name={`Remove scope ${index + 1}`}
                onClick={() => onChange(scopes.filter((_, at) => at !== index))}
              >
                <X className="size-4" aria-hidden="true" />
              </IconButton>
            )}
          </div>
          <TextAreaField
            label="Paths"
            hint="One glob per line, such as src/**/*.ts. Leave empty for all paths."
            spellCheck={false}
            value={scope.paths}
            onChange={(event) => change(index, { paths: event.target.value })}
          />
          {scope.repoId !== '' && <FilePreview repositoryId={scope.repoId} globs={scope.paths} />}
          {scope.repoId === '' && repositories[0] && (
            <ChosenPreview repositories={repositories} globs={scope.paths} />
          )}
        </div>
      ))}
      {scopes.length < MAX_SCOPES && (
        <div>
          <Button
            size="small"
            onClick={() =>
              onChange([
                ...scopes,
                { key: Math.max(...scopes.map(({ key }) => key)) + 1, repoId: '', paths: '' },
              ])
            }
          >
            <Plus className="size-4" aria-hidden="true" /> Add scope
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** For globs in all repositories: the files of one that is chosen for the preview. */
function ChosenPreview({ globs, repositories }: { globs: string; repositories: KnownRepository[] }) {
  const [chosen, setChosen] = useState(repositories[0]!.id);
  return (
    <div className="grid gap-2">
      <SelectField
        label="Preview files in"
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
      >
        {repositories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <FilePreview repositoryId={chosen} globs={globs} />
    </div>
  );
}
