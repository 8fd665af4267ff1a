/** One code host: what works, its repositories, and the accounts that are linked to members. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Button, ButtonAnchor } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { SecretText, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { Card, Page, Section } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import { Trials } from '../../parts/reviewers/trials.tsx';
import { ChooseRepositories } from './choose-repositories.tsx';
import { ConnectedRepositories } from './connected-repositories.tsx';
import { HostAccounts } from './host-accounts.tsx';
import { type CodeHost, HostChecks, KIND_NAMES } from './host-state.tsx';

type Asked = 'choose' | 'edit' | 'sign-in' | 'disconnect';

export function HostView({ host }: { host: CodeHost }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => call('test-code-host', { codeHostId: host.id }),
    onSettled: () => client.invalidateQueries({ queryKey: ['list-code-hosts'] }),
  });
  return (
    <Page
      title={host.name}
      lead={
        <Link
          to="/settings/code-hosts"
          className="inline-flex items-center gap-1 hover:text-text hover:underline"
        >
          <ArrowLeft className="size-4" aria-hidden="true" />
          All code hosts
        </Link>
      }
      actions={
        <Button look="primary" onClick={() => setAsked('choose')}>
          Add repositories
        </Button>
      }
    >
      <Card className="mb-8 grid gap-4">
        <p className="text-sm wrap-anywhere text-quiet">
          {KIND_NAMES[host.kind]} at {host.url}
          {host.account && `, as ${host.account}`}.{' '}
          {host.updates === 'webhooks'
            ? 'Changes arrive by webhooks.'
            : 'Changes are found by asking the host regularly.'}
        </p>
        <HostChecks checks={host.checks} />
        <div className="flex flex-wrap gap-2">
          {host.installUrl && <ButtonAnchor href={host.installUrl}>Install App</ButtonAnchor>}
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            Test now
          </Button>
          <Button onClick={() => setAsked('edit')}>
            {host.credentialKind === 'token' ? 'Rename or replace token' : 'Rename'}
          </Button>
          {host.credentialKind === 'token' && (
            <Button onClick={() => setAsked('sign-in')}>Set up sign-in</Button>
          )}
          <Button look="danger" onClick={() => setAsked('disconnect')}>
            Disconnect
          </Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-sm text-quiet" aria-hidden="true">
            Webhook URL
          </span>
          <SecretText label="Webhook URL" text={host.webhookUrl} />
          <CopyButton text={host.webhookUrl} name="Copy webhook URL" />
        </div>
      </Card>
      <Section title="Repositories" lead="Who sees a repository follows the host unless you change it.">
        <ConnectedRepositories host={host} onAdd={() => setAsked('choose')} />
      </Section>
      <Section
        title="Try reviews on merged pull requests"
        lead="What your reviewers would have found in the last 100 that were merged, and how much of it was fixed since. Nothing is posted."
      >
        <Trials
          of={{ codeHostId: host.id }}
          start={{ codeHostId: host.id }}
          action="Try on merged pull requests"
          mayStart
        />
      </Section>
      <Section
        title="Accounts"
        lead="Link accounts to members, so that they see the private repositories that they can read on the host."
      >
        <HostAccounts host={host} />
      </Section>
      <ChooseRepositories host={host} open={asked === 'choose'} onClose={close} />
      <Dialog open={asked === 'edit'} title="Edit code host" onClose={close}>
        <EditForm host={host} onDone={close} />
      </Dialog>
      <Dialog
        open={asked === 'sign-in'}
        title="Set up sign-in"
        description={`Create an OAuth application on the host with the redirect URL ${host.signInRedirectUrl}. Members can then link their own accounts.`}
        onClose={close}
      >
        <SignInForm host={host} onDone={close} />
      </Dialog>
      <DisconnectDialog host={host} open={asked === 'disconnect'} onClose={close} />
    </Page>
  );
}

function EditForm({ host, onDone }: { host: CodeHost; onDone(): void }) {
  const client = useQueryClient();
  const toast = useToast();
  const form = useForm({ name: host.name, token: '' }, async ({ name, token }) => {
    await call('change-code-host', { codeHostId: host.id, name, ...(token !== '' && { token }) });
    await client.invalidateQueries({ queryKey: ['list-code-hosts'] });
    toast('Code host saved');
    onDone();
  });
  return (
    <Form form={form} action="Save">
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
      {host.credentialKind === 'token' && (
        <TextField
          label="New access token"
          type="password"
          autoComplete="off"
          hint="Leave empty to keep the current one. It’s tried before it’s saved."
          {...form.field('token')}
        />
      )}
    </Form>
  );
}

function SignInForm({ host, onDone }: { host: CodeHost; onDone(): void }) {
  const client = useQueryClient();
  const toast = useToast();
  const form = useForm({ clientId: '', clientSecret: '' }, async (signIn) => {
    await call('change-code-host', { codeHostId: host.id, signIn });
    await client.invalidateQueries({ queryKey: ['list-code-hosts'] });
    toast('Sign-in set up');
    onDone();
  });
  return (
    <Form form={form} action="Save">
      <TextField label="Client ID" autoComplete="off" {...form.field('clientId')} />
      <TextField label="Client secret" type="password" autoComplete="off" {...form.field('clientSecret')} />
    </Form>
  );
}

function DisconnectDialog({ host, open, onClose }: { host: CodeHost; open: boolean; onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const disconnect = useMutation({
    mutationFn: () => call('disconnect-code-host', { codeHostId: host.id }),
    async onSuccess({ repositoryCount }) {
      toast(`Disconnected. ${formatNumber(repositoryCount)} repositories stay here.`);
      await navigate({ to: '/settings/code-hosts', search: {} });
      await client.invalidateQueries({ queryKey: ['list-code-hosts'] });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      title={`Disconnect ${host.name}?`}
      description="Repositories, pull requests and discussions stay, visible to the same people. Nothing more is read from the host or sent there, private repositories are no longer fetched, and linked accounts are forgotten."
      action="Disconnect"
      busy={disconnect.isPending}
      problem={disconnect.error}
      onClose={() => {
        disconnect.reset();
        onClose();
      }}
      onConfirm={() => disconnect.mutate()}
    />
  );
}
