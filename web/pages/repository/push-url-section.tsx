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
      isBeside
      title="Refresh on push"
      lead="Each request to this URL refreshes the repository immediately. Use it in a post-receive hook of your git server, or as a push webhook of your code host."
    >
      <Card className="grid gap-3">
        {get.error && <ProblemNotice problem={get.error} />}
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="min-w-0 flex-1 basis-64 text-sm text-quiet">
            Anyone with this URL can trigger a refresh, and nothing else.
          </p>
          {!get.data && (
            <Button className="ml-auto" busy={get.isPending} onClick={() => get.mutate()}>
              Show push URL
            </Button>
          )}
        </div>
        {get.data && (
          <div className="flex items-center gap-2">
            <SecretText label="Push URL" text={get.data.url} />
            <CopyButton text={get.data.url} name="Copy push URL" />
          </div>
        )}
      </Card>
    </Section>
  );
}
