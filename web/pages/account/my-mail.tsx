/** About what, and how often, you get mail, on the account page. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallInput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/field.tsx';
import { Card, Section } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';

const TOPICS = {
  reviewRequests: 'Review requests and assignments',
  replies: 'Replies in your threads',
  mentions: 'Mentions of you and your teams',
  comments: 'Comments on your plans and pull requests',
  decisions: 'Approvals, change requests, conflicts and leaked secrets',
  updates: 'New versions, commits, merges and closings',
  watching: 'Pull requests that you or your teams watch',
} as const;
const FREQUENCIES = { now: 'At once', daily: 'Daily summary', off: 'Off' } as const;

/** Nothing if this service sends no mail. */
export function MyMail() {
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useQuery(operationQuery('get-mail-settings', {}));
  const onError = (error: Error) => toast(error.message, 'danger');
  const change = useMutation({
    mutationFn: (changes: CallInput<'change-mail-settings'>) => call('change-mail-settings', changes),
    onSuccess: () => toast('Mail settings saved'),
    onError,
    onSettled: () => client.invalidateQueries({ queryKey: ['get-mail-settings'] }),
  });
  const test = useMutation({
    mutationFn: () => call('send-test-mail', {}),
    onSuccess: ({ address }) => toast(`Test message sent to ${address}`),
    onError,
  });
  if (!data?.available) return null;
  return (
    <Section
      title="Mail"
      lead={`What is in your inbox, sent to ${data.address}. The daily summary is sent at 07:00 UTC and leaves out what you’ve read.`}
    >
      <Card className="grid max-w-md gap-4">
        {Object.entries(TOPICS).map(([topic, label]) => (
          <SelectField
            key={topic}
            label={label}
            value={data[topic as keyof typeof TOPICS]}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ [topic]: event.target.value })}
          >
            {Object.entries(FREQUENCIES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </SelectField>
        ))}
        <Button className="justify-self-start" busy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
      </Card>
    </Section>
  );
}
