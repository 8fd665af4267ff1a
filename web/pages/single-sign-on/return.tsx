/** Where an identity provider returns to: finishes the sign-in and shows the page that one wanted, or says what went wrong. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type CallInput, call } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { EntryPage } from '../../components/entry-page.tsx';
import { ProblemNotice } from '../../components/form.tsx';
import { LoadingRows } from '../../components/page.tsx';
import { isOwnPath } from '../../page-search.ts';

export function SingleSignOnReturnPage() {
  const { state, ...rest } = useSearch({ from: '/sign-in/return' });
  const client = useQueryClient();
  const router = useRouter();
  const started = useRef(false);
  const finish = useMutation({
    mutationFn: (returned: CallInput<'finish-single-sign-on'>) =>
      call('finish-single-sign-on', returned, { renewSession: false }),
    onSuccess({ returnTo, session }) {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      router.history.replace(isOwnPath(returnTo) ? returnTo : '/');
    },
  });
  useEffect(() => {
    if (started.current || !state) return;
    started.current = true;
    finish.mutate({ state, ...rest });
  });
  if (state && !finish.error) {
    return (
      <EntryPage title="Signing in">
        <LoadingRows rows={1} />
      </EntryPage>
    );
  }
  return (
    <EntryPage title="You’re not signed in">
      <div className="grid gap-4">
        <ProblemNotice
          problem={finish.error ?? new Error('The link is incomplete. Start again on the sign-in page.')}
        />
        <div>
          <ButtonLink to="/sign-in">Back to the sign-in page</ButtonLink>
        </div>
      </div>
    </EntryPage>
  );
}
