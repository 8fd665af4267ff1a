/** Where the rules being edited match in a repository. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { SelectField } from '../../components/field.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { useSettled } from '../../components/use-settled.ts';
import { MarkedText } from '../../parts/code/marked-text.tsx';
import type { KnownRepository } from './scopes-field.tsx';

const PAUSE_MS = 600;
const SHOWN = 8;

/** A change cancels the previous preview. */
export function RulePreview(props: { rules: string; paths: string[]; repositories: KnownRepository[] }) {
  const { paths, repositories, rules } = props;
  const id = useId();
  const [repositoryId, setRepositoryId] = useState(repositories[0]?.id ?? '');
  const settled = useSettled(rules, PAUSE_MS);
  const isReady = settled.trim() !== '' && repositoryId !== '';
  const { data, error, isFetching } = useQuery({
    ...operationQuery('preview-rule-matches', { repositoryId, rules: settled, paths }),
    enabled: isReady,
    placeholderData: (before) => before,
    retry: false,
  });
  if (repositories.length === 0) return null;
  return (
    <div className="grid gap-2">
      <SelectField
        label="Preview matches in"
        value={repositoryId}
        onChange={(event) => setRepositoryId(event.target.value)}
      >
        {repositories.map(({ id: value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      {isReady && (
        <section
          aria-labelledby={id}
          aria-busy={isFetching}
          className="rounded-md border border-line bg-sunken p-3"
        >
          <h4 id={id} aria-live="polite" className="text-[0.8125rem] font-medium">
            {error ? 'No preview' : data ? countOf(data) : 'Looking for matches'}
          </h4>
          {error && <p className="text-[0.8125rem] wrap-anywhere text-quiet">{describe(error)}</p>}
          {!error && data && (
            <ul className="mt-1 grid gap-1 text-xs wrap-anywhere text-quiet">
              {data.matches.slice(0, SHOWN).map(({ line, path, quote, ruleId }) => (
                <li key={`${path}:${line} ${ruleId}`} className="min-w-0">
                  <span className="font-mono">
                    {path}:{line}
                  </span>{' '}
                  {ruleId}
                  <code className="block truncate text-text">
                    <MarkedText text={quote} />
                  </code>
                </li>
              ))}
              {data.total > SHOWN && <li>and {formatNumber(data.total - SHOWN)} more</li>}
            </ul>
          )}
        </section>
      )}
    </div>
  );
}

/** Mistakes in the rules with their position; else why there is no preview. */
function describe(error: Error): string {
  const mistakes = error instanceof ApiProblem ? error.fields.filter(({ path }) => path === 'rules') : [];
  return mistakes.map(({ message }) => `L${message.slice(1)}.`).join(' ') || error.message;
}

function countOf(found: { total: number; scannedFiles: number; moreFiles: number }): string {
  const { moreFiles, scannedFiles, total } = found;
  const matches = total === 0 ? 'No match' : total === 1 ? '1 match' : `${formatNumber(total)} matches`;
  const files = `${formatNumber(scannedFiles)} ${scannedFiles === 1 ? 'file' : 'files'}`;
  const more = moreFiles > 0 ? ` (${formatNumber(moreFiles)} more not scanned)` : '';
  return `${matches} in ${files}${more}`;
}
