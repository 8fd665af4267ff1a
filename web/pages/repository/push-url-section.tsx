/** The URL that a code host posts to after each push, so that the service has the change at once. */
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { SecretText } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/form.tsx';
import { Card, Section } from '../../components/page.tsx';

export function PushUrlSection({ repositoryId }: { repositoryId: string }) {
  // Asked for by hand: it is a secret, and most who open this page do not come for it.
  const get = useMutation({ mutationFn: () => call('get-push-url', { repositoryId }) });
  return (
    <Section
      title="Refresh on push"
      lead="Give this URL to the code host as a webhook for pushes: each post to it refreshes the repository at once."
    >
      <Card className="grid gap-3">
        {get.error && <ProblemNotice problem={get.error} />}
        {get.data ? (
          <>
            <div className="flex items-center gap-2">
              <SecretText label="Push URL" text={get.data.url} />
              <CopyButton text={get.data.url} name="Copy the push URL" />
            </div>
            <p className="text-[0.8125rem] text-quiet">
              Whoever knows it can make the service look for changes, and nothing else.
            </p>
          </>
        ) : (
          <div>
            <Button busy={get.isPending} onClick={() => get.mutate()}>
              Show the push URL
            </Button>
          </div>
        )}
      </Card>
    </Section>
  );
}
