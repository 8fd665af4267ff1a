/** Where a name is defined: its signature and comment, and the other places. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { formatNumber } from '../../../components/format-number.ts';
import { linesAroundQuery } from '../code-queries.ts';
import { inOneLine, MarkedText } from '../marked-text.tsx';
import { describeDefinition } from './describe-definition.ts';
import type { FoundDefinitions } from './use-definitions.ts';

const MAX_OTHERS = 4;

export function DefinitionCard({ found }: { found: FoundDefinitions }) {
  const { commit, definitions, isHere, more, references, repository, repositoryId } = found;
  const [first, ...others] = definitions;
  const around = useQuery({
    ...linesAroundQuery({ repository, ref: commit }, first?.path ?? '', first?.line ?? 1),
    enabled: first !== undefined,
  });
  if (!first) return null;
  const { comment, signature } = around.data
    ? describeDefinition(around.data.lines, first.line - around.data.startLine)
    : { comment: '', signature: '' };
  const left = others.length - MAX_OTHERS + more;
  const places = others.slice(0, MAX_OTHERS);
  return (
    <div className="grid gap-2 text-sm">
      {/* Its room is kept while it is loading. */}
      <pre className="min-h-5 overflow-x-auto font-mono text-xs leading-5 whitespace-pre">
        <MarkedLines text={signature} />
      </pre>
      {comment && (
        <p className="max-h-40 overflow-y-auto text-[0.8125rem] wrap-anywhere whitespace-pre-line text-quiet">
          <MarkedLines text={comment} />
        </p>
      )}
      <p className="flex flex-wrap items-baseline gap-x-2 border-t border-line pt-2 text-xs text-quiet">
        {isHere ? (
          <span>
            Defined here
            {references > 0 && `, used in ${formatNumber(references)} ${references === 1 ? 'line' : 'lines'}`}
          </span>
        ) : (
          <Place {...{ repositoryId, commit }} definition={first} />
        )}
        <span>{first.container ? `${first.kind} of ${inOneLine(first.container)}` : first.kind}</span>
      </p>
      {places.length > 0 && (
        <div className="text-xs text-quiet">
          <p>Other definitions</p>
          <ul className="grid">
            {places.map((definition) => (
              <li key={`${definition.path}:${definition.line}:${definition.kind}`} className="min-w-0">
                <Place {...{ repositoryId, commit, definition }} />
              </li>
            ))}
          </ul>
          {left > 0 && <p>and {formatNumber(left)} more</p>}
        </div>
      )}
    </div>
  );
}

/** A line feed is no invisible character here. */
function MarkedLines({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never change places.
    <Fragment key={index}>
      {index > 0 && '\n'}
      <MarkedText text={line} />
    </Fragment>
  ));
}

function Place(props: {
  repositoryId: string;
  commit: string;
  definition: FoundDefinitions['definitions'][number];
}) {
  const { path, line } = props.definition;
  return (
    <Link
      to="/repositories/$repositoryId"
      params={{ repositoryId: props.repositoryId }}
      search={{ ref: props.commit, path }}
      hash={`L${line}`}
      className="inline-flex min-h-6 items-center font-mono wrap-anywhere text-accent hover:underline"
    >
      {inOneLine(path)}:{line}
    </Link>
  );
}
