/** An agent requests access: the page in each of its states. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiProblem } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { EntryPage } from '../components/entry-page.tsx';
import { Notice } from '../components/notice.tsx';
import { ErrorState, LoadingRows } from '../components/page.tsx';
import { Question, TITLE } from './connect/question.tsx';
import { useAnswer } from './connect/use-answer.ts';

export function ConnectPage() {
  const { signInId } = useParams({ from: '/connect/$signInId' });
  return <SignIn key={signInId} signInId={signInId} />;
}

function SignIn({ signInId }: { signInId: string }) {
  const answer = useAnswer(signInId);
  const answered = answer.state === 'allowed' || answer.state === 'denied';
  const { data, error, refetch } = useQuery({
    ...operationQuery('get-agent-sign-in', { signInId }),
    refetchInterval: ({ state }) => untilExpiryMs(state.data?.expiresAt),
    enabled: !answered,
  });
  if (answered) return <Answered allowed={answer.state === 'allowed'} />;
  // While the answer is being sent, the service may already report it as answered.
  if (answer.state === 'open' && isOver(error)) return <Over />;
  if (!data) {
    return (
      <EntryPage title={TITLE}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} />}
      </EntryPage>
    );
  }
  return <Question signInId={signInId} request={data} answer={answer} />;
}

const HOUR_MS = 3_600_000;

/** Refetched when the request expires according to this computer's clock. */
function untilExpiryMs(expiresAt: string | undefined): number | false {
  const leftMs = expiresAt === undefined ? 0 : Date.parse(expiresAt) - Date.now();
  return leftMs > 0 && Math.min(leftMs + 1000, HOUR_MS);
}

/** Errors that a retry doesn't fix. */
function isOver(error: Error | null | undefined): boolean {
  return error instanceof ApiProblem && [400, 404, 409, 410].includes(error.status);
}

/** Shown if the browser opens a program, or if the agent's own page doesn't load. */
function Answered({ allowed }: { allowed: boolean }) {
  return (
    <EntryPage title={allowed ? 'Access allowed' : 'Access denied'}>
      <div className="grid gap-5">
        <Notice kind={allowed ? 'good' : 'plain'}>
          {allowed
            ? 'Return to the agent; it continues automatically. You can close this window.'
            : 'The agent didn’t get access. You can close this window.'}
        </Notice>
        {allowed && (
          <p className="text-[0.8125rem] text-quiet">
            Nothing happening there? Start the sign-in again in the agent.
          </p>
        )}
      </div>
    </EntryPage>
  );
}

function Over() {
  return (
    <EntryPage
      title="This request has expired"
      lead="It was already answered, or it took too long. Start the sign-in again in the agent."
    >
      <ButtonLink to="/settings/agents">Go to Agents</ButtonLink>
    </EntryPage>
  );
}
