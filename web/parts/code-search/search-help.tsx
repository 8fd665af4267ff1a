/** Examples of searches to try. */
import { Link } from '@tanstack/react-router';
import type { CodeSearch } from '../../page-search.ts';

interface Example {
  query: string;
  meaning: string;
  regex?: true;
}

const CODE: Example[] = [
  { query: 'retry(', meaning: 'this text, anywhere in a line' },
  { query: 'TODO or FIXME', meaning: 'either text; "or" in quotes is text' },
  { query: 'timeout lang:go -path:vendor/', meaning: 'in one language, outside of a folder' },
  { query: 'api_key path:src/**/*.ts', meaning: 'in files with a matching path' },
  { query: 'function \\w+Order\\(', meaning: 'functions with a name that ends in Order', regex: true },
];
const EVERYWHERE: Example = { query: 'retry repo:acme/*', meaning: 'in repositories with a matching name' };
const FILES: Example[] = [
  { query: 'order test', meaning: 'both words in the path, in this order' },
  { query: '*.sql', meaning: 'an extension, in any folder' },
  { query: 'src/**/*.test.ts', meaning: 'files below a folder' },
  { query: '{package,tsconfig}.json', meaning: 'either name' },
];
const COMMITS: Example[] = [
  { query: 'fix or revert', meaning: 'either text in the message' },
  { query: 'author:ann path:src/', meaning: 'by a person, in a folder' },
];

export function SearchHelp({
  search,
  isInRepository = true,
}: {
  search: CodeSearch;
  isInRepository?: boolean;
}) {
  const { mode } = search;
  const code = isInRepository ? CODE : [...CODE.slice(0, 2), EVERYWHERE, ...CODE.slice(2)];
  const commits = isInRepository
    ? COMMITS
    : COMMITS.map((each) => ({ ...each, query: `${each.query} repo:acme/api` }));
  const examples = mode === 'files' ? FILES : mode === 'commits' ? commits : code;
  return (
    <div className="grid gap-4 rounded-xl border border-dashed border-strong-line/60 px-6 py-8">
      <div className="grid gap-1">
        <h2 className="font-semibold">{TITLES[mode ?? 'code']}</h2>
        <p className="max-w-prose text-sm text-pretty text-quiet">{ABOUT[mode ?? 'code']}</p>
      </div>
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
        {examples.map(({ meaning, query, regex }) => (
          <div key={query} className="contents">
            <dt>
              <Link
                to="."
                search={{ ...search, query, ...(regex && { regex }) }}
                className="rounded bg-sunken px-1.5 py-0.5 font-mono text-[0.8125rem] wrap-anywhere text-accent hover:underline"
              >
                {query}
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

const TITLES = { code: 'Search all files', files: 'Search file names', commits: 'Search commits' };
const ABOUT = {
  code: 'Finds literal text; filters and quotes as below. Turn on .* for regular expressions (ripgrep syntax). Definitions come first, then other code, tests, documents and generated files.',
  files: 'Finds parts of the path, ignoring case, or globs: * matches within a name, ** any folders.',
  commits: 'Finds literal text in messages, or text that commits added or removed.',
};
