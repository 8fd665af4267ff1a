/** Where a code host returns to after a member signed in there: links the account. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { call } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/form.tsx';
import { EmptyState, LoadingRows, Page } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';

export function AccountLinkPage() {
  const { code, state } = useSearch({ from: '/signed-in/settings/account/link' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const started = useRef(false);
  const finish = useMutation({
    mutationFn: (reply: { code: string; state: string }) => call('finish-host-account-link', reply),
    async onSuccess({ login }) {
      toast(`${login} is linked to your account`);
      void client.invalidateQueries({ queryKey: ['list-my-host-accounts'] });
      await navigate({ to: '/settings/account', replace: true });
    },
  });
  useEffect(() => {
    if (started.current || !code || !state) return;
    started.current = true;
    finish.mutate({ code, state });
  });
  const back = <ButtonLink to="/settings/account">Back to your account</ButtonLink>;
  return (
    <Page title="Link account">
      {finish.error && (
        <div className="grid gap-4">
          <ProblemNotice problem={finish.error} />
          <div>{back}</div>
        </div>
      )}
      {!finish.error && code && state && <LoadingRows rows={1} />}
      {!(code && state) && (
        <EmptyState title="Not linked" action={back}>
          The host didn’t confirm the sign-in.
        </EmptyState>
      )}
    </Page>
  );
}
