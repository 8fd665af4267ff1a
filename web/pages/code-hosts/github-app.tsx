/** Creating a GitHub App: sends the person to GitHub, and connects the App when GitHub sends them back with a code. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { call } from '../../api/client.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/form.tsx';
import { Card, LoadingRows, Page } from '../../components/page.tsx';

export function GitHubAppPage() {
  const { code, state, ...wanted } = useSearch({ from: '/signed-in/admins/settings/code-hosts/github-app' });
  return (
    <Page title="Connect GitHub">
      {code && state ? <Finish code={code} state={state} /> : <Start wanted={wanted} />}
    </Page>
  );
}

/** Runs once, also when React mounts twice. */
function useOnce(work: () => void): void {
  const done = useRef(false);
  useEffect(() => {
    if (done.current) return;
    done.current = true;
    work();
  });
}

function Start({ wanted }: { wanted: { url?: string; organization?: string } }) {
  const start = useMutation({ mutationFn: () => call('start-github-app', wanted) });
  useOnce(() => start.mutate());
  if (start.error) return <Failed problem={start.error} />;
  if (!start.data) return <LoadingRows rows={1} />;
  return (
    <Card className="grid gap-4">
      <p className="text-sm">
        GitHub shows you the App with the permissions and the webhook that Countersign needs. You can change
        its name there. After you create it, GitHub brings you back here.
      </p>
      <form method="post" action={start.data.action} className="flex gap-2">
        <input type="hidden" name="manifest" value={start.data.manifest} />
        <Button type="submit" look="primary">
          Continue to GitHub
        </Button>
        <ButtonLink to="/settings/code-hosts">Cancel</ButtonLink>
      </form>
    </Card>
  );
}

function Finish({ code, state }: { code: string; state: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const finish = useMutation({
    mutationFn: () => call('finish-github-app', { code, state }),
    async onSuccess({ id }) {
      void client.invalidateQueries({ queryKey: ['list-code-hosts'] });
      await navigate({ to: '/settings/code-hosts', search: { host: id }, replace: true });
    },
  });
  useOnce(() => finish.mutate());
  return finish.error ? <Failed problem={finish.error} /> : <LoadingRows rows={1} />;
}

function Failed({ problem }: { problem: Error }) {
  return (
    <div className="grid gap-4">
      <ProblemNotice problem={problem} />
      <div>
        <ButtonLink to="/settings/code-hosts">Back to code hosts</ButtonLink>
      </div>
    </div>
  );
}
