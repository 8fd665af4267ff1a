/** Switches to another organization, which the agent then gets access to. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';

/** A session belongs to one organization: switching creates another session, and the request is refetched with it. */
export function useOrganizations() {
  const client = useQueryClient();
  const [switching, setSwitching] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const switchTo = async (organizationId: string) => {
    setSwitching(true);
    setProblem(undefined);
    try {
      const session = await call('switch-organization', { organizationId });
      client.setQueryData(sessionQuery.queryKey, session);
      await client.invalidateQueries({ queryKey: ['get-agent-sign-in'] });
    } catch (error) {
      setProblem(error as Error);
    } finally {
      setSwitching(false);
    }
  };
  return { switching, problem, switchTo };
}
