/** What can be searched for, with examples to try. */
import { Link } from '@tanstack/react-router';
import type { CodeSearch } from '../../page-search.ts';

type Example = [pattern: string, meaning: string];

const CODE: Example[] = [
  ['TODO|FIXME', 'one word or the other'],
  ['function \\w+Order\\(', 'functions whose names end in Order'],
  ['(?i)deprecated', 'in upper or lower case'],
  ['^import .* from', 'lines that begin so'],
  ['\\bretry\\b', 'the whole word alone'],
];
const FILES: Example[] = [
  ['order test', 'both words in the path, in this order'],
  ['*.sql', 'an ending, in any folder'],
  ['src/**/*.test.ts', 'below a folder'],
  ['{package,tsconfig}.json', 'one name or the other'],
];

export function SearchHelp({ search }: { search: CodeSearch }) {
  const isCode = search.mode !== 'files';
  return (
    <div className="grid gap-4 rounded-xl border border-dashed border-strong-line/60 px-6 py-8">
      <div className="grid gap-1">
        <h2 className="font-semibold">{isCode ? 'Search in every file' : 'Search the names of files'}</h2>
        <p className="max-w-prose text-sm text-pretty text-quiet">
          {isCode
            ? 'By regular expressions as ripgrep takes them. Upper and lower case count, unless you say otherwise. Binary files are left out.'
            : 'By parts of the path, in any case, or by globs: * stands for anything within a name, ** for any folders.'}
        </p>
      </div>
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
        {(isCode ? CODE : FILES).map(([pattern, meaning]) => (
          <div key={pattern} className="contents">
            <dt>
              <Link
                from="/repositories/$repositoryId/search"
                to="/repositories/$repositoryId/search"
                search={{ ...search, pattern, literal: undefined }}
                className="rounded bg-sunken px-1.5 py-0.5 font-mono text-[0.8125rem] text-accent hover:underline"
              >
                {pattern}
              </Link>
            </dt>
            <dd className="text-quiet max-sm:mb-2">{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
