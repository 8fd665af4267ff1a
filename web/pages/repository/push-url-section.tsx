/** The URL that a code host calls after each push, so that the change appears immediately. */
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { SecretText } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/form.tsx';
import { Card, Section } from '../../components/page.tsx';

export function PushUrlSection({ repositoryId }: { repositoryId: string }) {
  // Fetched on demand: it is a secret, and rarely the reason to open this page.
  const get = useMutation({ mutationFn: () => call('get-push-url', { repositoryId }) });
  return (
    <Section
      title="Refresh on push"
      lead="Add this URL as a push webhook at your code host: each request refreshes the repository immediately."
    >
      <Card className="grid gap-3">
        {get.error && <ProblemNotice problem={get.error} />}
        {get.data ? (
          <>
            <div className="flex items-center gap-2">
              <SecretText label="Push URL" text={get.data.url} />
              <CopyButton text={get.data.url} name="Copy push URL" />
            </div>
            <p className="text-[0.8125rem] text-quiet">
              Anyone with this URL can trigger a refresh, and nothing else.
            </p>
          </>
        ) : (
          <div>
            <Button busy={get.isPending} onClick={() => get.mutate()}>
              Show push URL
            </Button>
          </div>
        )}
      </Card>
    </Section>
  );
}
