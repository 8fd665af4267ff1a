/** The unsubscribe link of a mail: asks once, so that programs that only follow links change nothing. */
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EntryPage } from '../components/entry-page.tsx';
import { useToken } from '../take-token.ts';

export function UnsubscribePage() {
  const token = useToken();
  const unsubscribe = useMutation({
    mutationFn: () => call('unsubscribe-from-mail', { token: token ?? '' }),
  });
  if (!token || unsubscribe.error) {
    return (
      <EntryPage
        title="This link can’t be used"
        lead={
          unsubscribe.error?.message ?? 'The link is incomplete. Open it again exactly as you received it.'
        }
      >
        <ButtonLink to="/settings/account">Mail settings</ButtonLink>
      </EntryPage>
    );
  }
  if (unsubscribe.isSuccess) {
    return (
      <EntryPage
        title="You’re unsubscribed"
        lead="You won’t get any more mail from this organization. Your inbox still shows everything."
      >
        <ButtonLink to="/settings/account">Mail settings</ButtonLink>
      </EntryPage>
    );
  }
  return (
    <EntryPage title="Unsubscribe" lead="Stop all mail from this organization?">
      <Button look="primary" busy={unsubscribe.isPending} onClick={() => unsubscribe.mutate()}>
        Unsubscribe
      </Button>
    </EntryPage>
  );
}
