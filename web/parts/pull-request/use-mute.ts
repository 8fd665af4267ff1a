/** Mutes a pull request, so that it no longer shows up in the inbox, or unmutes it. */
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useToast } from '../../components/toast.tsx';
import { pullRequestQuery } from './pull-request-data.ts';

export function useMute(): (pullRequestId: string, muted: boolean) => Promise<void> {
  const client = useQueryClient();
  const toast = useToast();
  const set = async (pullRequestId: string, muted: boolean): Promise<void> => {
    try {
      await call(muted ? 'mute-pull-request' : 'unmute-pull-request', { pullRequestId });
      client.setQueryData(pullRequestQuery(pullRequestId).queryKey, (shown) => shown && { ...shown, muted });
      if (muted)
        toast(
          'Pull request muted. Only review requests reach your inbox.',
          'plain',
          () => void set(pullRequestId, false),
        );
      else toast('Pull request unmuted.');
    } catch (error) {
      toast((error as Error).message, 'danger');
    }
  };
  return set;
}
