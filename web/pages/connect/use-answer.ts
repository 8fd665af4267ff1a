/** Sends the answer once, for the person and organization that were shown, and redirects back to the agent. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiProblem, call } from '../../api/client.ts';

/** The person and organization on the page. */
export interface Shown {
  userId: string;
  organizationId: string;
}

export type AnswerState = 'open' | 'allowing' | 'denying' | 'allowed' | 'denied';

export function useAnswer(signInId: string): {
  state: AnswerState;
  problem: Error | undefined;
  allow(shown: Shown): Promise<void>;
  deny(): Promise<void>;
} {
  const client = useQueryClient();
  const [state, setState] = useState<AnswerState>('open');
  const [problem, setProblem] = useState<Error>();
  const sending = useRef(false);

  const give = async (allow: boolean, shown?: Shown) => {
    if (sending.current) return;
    sending.current = true;
    setState(allow ? 'allowing' : 'denying');
    setProblem(undefined);
    try {
      const { continueAt } = await call('answer-agent-sign-in', { signInId, allow, shown });
      setState(allow ? 'allowed' : 'denied');
      location.assign(continueAt);
    } catch (error) {
      sending.current = false;
      setProblem(error as Error);
      setState('open');
      // It may have expired, or another tab signed in as someone else: refetch what the page shows.
      if (error instanceof ApiProblem) await client.invalidateQueries();
    }
  };
  return {
    state,
    problem,
    allow: (shown) => give(true, shown),
    deny: () => give(false),
  };
}
