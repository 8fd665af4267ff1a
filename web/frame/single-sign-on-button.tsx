/** Leads to the page of an identity provider, which returns to this app. */
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { ProblemNotice } from '../components/form.tsx';

export function SingleSignOnButton(props: {
  organizationId: string;
  /** The provider. */
  name: string;
  /** A path of this app. */
  returnTo?: string;
  look?: 'primary' | 'plain';
}) {
  const { look = 'plain', name, organizationId, returnTo } = props;
  const start = useMutation({
    mutationFn: () =>
      call(
        'start-single-sign-on',
        { organizationId, ...(returnTo !== undefined && { returnTo }) },
        { renewSession: false },
      ),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <div className="grid gap-2">
      <Button
        look={look}
        className="h-auto! min-h-9 w-full py-1.5 wrap-anywhere whitespace-normal!"
        busy={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        Sign in with {name}
      </Button>
      {start.error && <ProblemNotice problem={start.error} />}
    </div>
  );
}
