/** Examples of searches to try. */
import { Link } from '@tanstack/react-router';
import type { CodeSearch } from '../../page-search.ts';

interface Example {
  pattern: string;
  meaning: string;
  regex?: true;
}

const CODE: Example[] = [
  { pattern: 'TODO', meaning: 'this text, anywhere in a line' },
  { pattern: 'TODO|FIXME', meaning: 'either word', regex: true },
  { pattern: 'function \\w+Order\\(', meaning: 'functions with a name that ends in Order', regex: true },
  { pattern: '^import .* from', meaning: 'lines that start this way', regex: true },
  { pattern: '\\bretry\\b', meaning: 'a whole word', regex: true },
];
const FILES: Example[] = [
  { pattern: 'order test', meaning: 'both words in the path, in this order' },
  { pattern: '*.sql', meaning: 'an extension, in any folder' },
  { pattern: 'src/**/*.test.ts', meaning: 'files below a folder' },
  { pattern: '{package,tsconfig}.json', meaning: 'either name' },
];

export function SearchHelp({ search }: { search: CodeSearch }) {
  const isCode = search.mode !== 'files';
  return (
    <div className="grid gap-4 rounded-xl border border-dashed border-strong-line/60 px-6 py-8">
      <div className="grid gap-1">
        <h2 className="font-semibold">{isCode ? 'Search all files' : 'Search file names'}</h2>
        <p className="max-w-prose text-sm text-pretty text-quiet">
          {isCode
            ? 'Finds literal text. Turn on .* for regular expressions (ripgrep syntax). Binary files are skipped.'
            : 'Finds parts of the path, ignoring case, or globs: * matches within a name, ** any folders.'}
        </p>
      </div>
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
        {(isCode ? CODE : FILES).map(({ meaning, pattern, regex }) => (
          <div key={pattern} className="contents">
            <dt>
              <Link
                from="/repositories/$repositoryId/search"
                to="/repositories/$repositoryId/search"
                search={{ ...search, pattern, regex }}
                className="rounded bg-sunken px-1.5 py-0.5 font-mono text-[0.8125rem] text-accent hover:underline"
              >
                {pattern}
              </Link>
            </dt>
            <dd className="text-quiet max-sm:mb-2">
              {meaning}
              {regex && <span className="ml-2 text-xs">.*</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
