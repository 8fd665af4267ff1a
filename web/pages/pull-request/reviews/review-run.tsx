/** One review: its findings with their evidence, what was held back or refused, and what was not looked at. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallOutput } from '../../../api/client.ts';
import { operationQuery } from '../../../api/queries.ts';
import { Badge } from '../../../components/badge.tsx';
import { CommandLine, CopyButton } from '../../../components/copy.tsx';
import { formatNumber } from '../../../components/format-number.ts';
import { Notice } from '../../../components/notice.tsx';
import { ErrorState, LoadingRows } from '../../../components/page.tsx';
import { asLabel, TextWithCode } from '../../../components/text-with-code.tsx';
import { MarkdownText } from '../../../markdown/index.ts';
import { MarkedText, withMarks } from '../../../parts/code/marked-text.tsx';
import { PlaceLink } from '../../../parts/code/place-link.tsx';
import { type PullRequest, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import { StatusBadge } from '../../../parts/pull-request/threads/discussion-status.tsx';

type Details = CallOutput<'get-review-run'>;
type Candidate = Details['candidates'][number];

const FATES: Record<Exclude<Candidate['fate'], 'finding'>, string> = {
  known: 'Known',
  grouped: 'Same as another',
  held_back: 'Held back',
  refused: 'Refused',
};

export function ReviewRunDetails({ pullRequest, runId }: { pullRequest: PullRequest; runId: string }) {
  const { data, error, refetch } = useQuery(operationQuery('get-review-run', { runId }));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={3} />;
  const findings = data.candidates.filter(({ fate }) => fate === 'finding');
  const others = data.candidates.filter(({ fate }) => fate !== 'finding');
  return (
    <section aria-label="Review" className="grid grid-cols-1 gap-4">
      {data.state === 'failed' ? (
        <Notice kind="danger">{data.problem ?? 'This review did not finish.'}</Notice>
      ) : (
        <p className="text-sm text-quiet">{describeRun(data)}</p>
      )}
      {data.modelUsage.length > 0 && <ModelUsage usage={data.modelUsage} />}
      {findings.map((each) => (
        <FindingCard
          key={`${each.check}${each.file}${each.line}`}
          candidate={each}
          pullRequest={pullRequest}
          run={data}
        />
      ))}
      {others.length > 0 && (
        <details
          // Only findings that were held back are news.
          open={others.some(({ fate }) => fate === 'held_back')}
          className="rounded-xl border border-line bg-raised px-4 py-2.5 text-sm"
        >
          <summary className="w-fit rounded text-quiet hover:text-text">{describeOthers(others)}</summary>
          <ul className="mt-2 grid gap-2">
            {others.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a finished review doesn't change
              <li key={index} className="grid gap-0.5">
                <span>
                  <Badge>{FATES[each.fate as keyof typeof FATES]}</Badge>{' '}
                  <TextWithCode text={each.title} show={withMarks} />
                </span>
                <span className="font-mono text-xs wrap-anywhere text-quiet">
                  {each.file}:{each.line}
                </span>
                {each.fateReason && <span className="text-quiet">{each.fateReason}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
      <UntestedExports pullRequest={pullRequest} run={data} />
      <Coverage run={data} />
    </section>
  );
}

function describeOthers(others: Candidate[]): string {
  const areKnown = others.every(({ fate }) => fate === 'known');
  const many = `${others.length} ${areKnown ? 'known' : 'possible'} ${others.length === 1 ? 'finding was' : 'findings were'}`;
  return areKnown ? `${many} not repeated` : `${many} not raised`;
}

function describeRun({ addedLines, files, headCommit, problem, state }: Details): string {
  if (state !== 'done') return problem ?? '';
  const lines = `${formatNumber(addedLines)} added ${addedLines === 1 ? 'line' : 'lines'}`;
  const where = `${formatNumber(files)} ${files === 1 ? 'file' : 'files'}`;
  return `Looked at ${lines} in ${where} at ${shortCommit(headCommit)}.`;
}

function ModelUsage({ usage }: { usage: Details['modelUsage'] }) {
  return (
    <ul aria-label="Model usage" className="grid gap-0.5 text-sm text-quiet">
      {usage.map(({ inputTokens, model, outputTokens, requests }) => (
        <li key={model}>
          <span className="font-mono text-xs text-text">{model}</span> used{' '}
          {formatNumber(inputTokens + outputTokens)} tokens in {formatNumber(requests)}{' '}
          {requests === 1 ? 'request' : 'requests'} ({formatNumber(inputTokens)} sent,{' '}
          {formatNumber(outputTokens)} received)
        </li>
      ))}
    </ul>
  );
}

function FindingCard(props: { candidate: Candidate; pullRequest: PullRequest; run: Details }) {
  const { candidate, pullRequest, run } = props;
  const {
    claim,
    command,
    confirmedBy,
    discussionId,
    discussionStatus,
    evidence,
    file,
    fix,
    isDismissed,
    line,
    producer,
    quote,
    reviewerTitle,
    scenario,
    side,
    title,
  } = candidate;
  const here = { repository: null, pullRequest, run };
  return (
    <article className="grid grid-cols-1 gap-2 rounded-xl border border-line bg-raised p-4 text-sm">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold wrap-anywhere">
          <TextWithCode text={title} show={withMarks} />
        </h3>
        <span className="text-quiet">{reviewerTitle}</span>
        {discussionStatus && <StatusBadge status={discussionStatus} isDismissed={isDismissed} />}
        {discussionId && (
          <Link
            to="/pull-requests/$pullRequestId"
            params={{ pullRequestId: pullRequest.id }}
            search={{ view: 'files', discussion: discussionId }}
            className="ml-auto rounded text-accent hover:underline"
          >
            View discussion
          </Link>
        )}
      </header>
      <div className="min-w-0 [&_.markdown-text]:text-sm">
        <MarkdownText content={scenario} />
      </div>
      {/* The quote of a secret ends where the secret starts. */}
      <Place {...{ ...here, line, path: file, side }} quote={claim === 'secret' ? `${quote}…` : quote} />
      {evidence.length > 0 && (
        <div className="grid gap-1.5">
          <h4 className="text-xs font-medium text-quiet">Evidence</h4>
          {evidence.map((each) => (
            <Place key={`${each.repository?.id} ${each.path}:${each.line}`} {...here} {...each} />
          ))}
        </div>
      )}
      {fix !== null && <Suggestion text={fix} />}
      {command && <CommandLine label="Command" text={command} />}
      {producer && (
        <p className="text-xs wrap-anywhere text-quiet">
          Reported by {describeProducer(producer)}
          {producer.sessionId && (
            <>
              , session <span className="font-mono">{producer.sessionId}</span>
            </>
          )}
        </p>
      )}
      {confirmedBy && <p className="text-xs wrap-anywhere text-quiet">Confirmed by: {confirmedBy}</p>}
    </article>
  );
}

/** `claude-code (opus) for Ada`. */
function describeProducer({ kind, model, userName, vendor }: NonNullable<Candidate['producer']>): string {
  const named = vendor ?? { agent: 'an agent', model: 'a model', tool: 'a tool' }[kind];
  if (kind === 'tool') return `${named}, sent with ${userName ? `the key of ${userName}` : 'an API key'}`;
  return `${named}${model ? ` (${model})` : ''}${userName ? ` for ${userName}` : ''}`;
}

function Suggestion({ text }: { text: string }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line">
      <figcaption className="flex items-center justify-between gap-2 border-b border-line bg-sunken px-3 py-1 text-xs text-quiet">
        Suggestion
        <CopyButton small text={text} name="Copy suggestion" />
      </figcaption>
      <pre className="px-3 py-1.5 text-xs wrap-anywhere whitespace-pre-wrap">
        <code>
          <MarkedText text={text === '' ? '(remove these lines)' : text} />
        </code>
      </pre>
    </figure>
  );
}

/** A line of code as it was when the review looked at it, with a link to its file. */
function Place(props: Candidate['evidence'][number] & { pullRequest: PullRequest; run: Details }) {
  const { line, path, pullRequest, quote, repository, run, side } = props;
  const commit = repository?.commit ?? (side === 'base' ? run.mergeBase : run.headCommit);
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line">
      <figcaption className="flex flex-wrap items-center gap-x-1 border-b border-line bg-sunken px-3 py-0.5 font-mono text-xs wrap-anywhere text-quiet">
        {repository?.name}
        <PlaceLink repoId={(repository ?? pullRequest.repository).id} {...{ commit, line, path }} />
        {(repository || side === 'base') && `@${shortCommit(commit)}`}
      </figcaption>
      <pre className="px-3 py-1.5 text-xs wrap-anywhere whitespace-pre-wrap">
        <code>
          <MarkedText text={quote.trim()} />
        </code>
      </pre>
    </figure>
  );
}

/** Untested exports are no findings, so nothing is said while they are unknown. */
function UntestedExports({ pullRequest, run }: { pullRequest: PullRequest; run: Details }) {
  const { data } = useQuery(operationQuery('list-untested-exports', { runId: run.id }));
  if (!data || data.places.length === 0) return null;
  return (
    <details className="rounded-xl border border-line bg-raised px-4 py-2.5 text-sm">
      <summary className="w-fit rounded text-quiet hover:text-text">
        Changed exports that no test mentions: {formatNumber(data.places.length)}
      </summary>
      <ul className="mt-2 grid gap-y-1">
        {data.places.map(({ line, name, path }) => (
          <li key={`${path}:${line}`} className="flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
            <span className="font-mono text-xs">
              <MarkedText text={name} />
            </span>
            <PlaceLink repoId={pullRequest.repository.id} commit={run.headCommit} {...{ line, path }} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Files that were not read may have problems that nothing looked for. */
function Coverage({ run }: { run: Details }) {
  const { checks, moreFiles, notReviewed, state } = run;
  if (state !== 'done') return null;
  const failed = checks.filter(({ failure }) => failure !== null);
  return (
    <details className="rounded-xl border border-line bg-raised px-4 py-2.5 text-sm">
      <summary className="w-fit rounded text-quiet hover:text-text">
        {`${checks.length - failed.length} of ${checks.length} checks ran`}
        {notReviewed.length + moreFiles > 0 &&
          `, ${formatNumber(notReviewed.length + moreFiles)} ${notReviewed.length + moreFiles === 1 ? 'file' : 'files'} not looked at`}
      </summary>
      <ul className="mt-2 grid gap-1">
        {checks.map(({ failure, looksFor, name, note }) => (
          <li key={`${name} ${looksFor}`} className="wrap-anywhere">
            {asLabel(looksFor)}
            {failure !== null && <span className="text-danger">: {failure}</span>}
            {note && <span className="block text-quiet">{note}</span>}
          </li>
        ))}
      </ul>
      {notReviewed.length > 0 && (
        <>
          <h4 className="mt-3 text-xs font-medium text-quiet">Not looked at</h4>
          <ul className="mt-1 grid gap-1">
            {notReviewed.slice(0, 100).map(({ path, reason }) => (
              <li key={path} className="wrap-anywhere">
                <span className="font-mono text-xs">{path}</span> <span className="text-quiet">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
