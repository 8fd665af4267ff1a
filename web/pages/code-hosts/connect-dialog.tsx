/** Connecting a code host, with plain steps for each kind. */
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/client.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';

const WAYS = {
  github_app: 'GitHub, with an App (recommended)',
  github: 'GitHub, with a token',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
} as const;
type Way = keyof typeof WAYS;

export function ConnectDialog({
  open,
  onClose,
  onConnected,
}: {
  open: boolean;
  onClose(): void;
  onConnected(): void;
}) {
  const [way, setWay] = useState<Way>('github_app');
  return (
    <Dialog open={open} title="Connect code host" onClose={onClose}>
      <div className="grid gap-4">
        <SelectField label="Code host" value={way} onChange={(event) => setWay(event.target.value as Way)}>
          {Object.entries(WAYS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        {way === 'github_app' ? (
          <AppForm />
        ) : (
          <TokenForm key={way} kind={way} onConnected={onConnected} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

function AppForm() {
  const form = useForm({ url: 'https://github.com', organization: '' }, async ({ organization, url }) => {
    const search = new URLSearchParams({
      url,
      ...(organization.trim() && { organization: organization.trim() }),
    });
    // A full load: only that page may send a form to GitHub.
    window.location.assign(`/settings/code-hosts/github-app?${search}`);
  });
  return (
    <Form form={form} action="Continue">
      <Steps>
        <li>
          GitHub shows the App with the permissions and webhook that Countersign needs. Create it there.
        </li>
        <li>Install it in your organization and choose the repositories it can read.</li>
        <li>Come back here and choose the repositories to add.</li>
      </Steps>
      <TextField
        label="GitHub URL"
        type="url"
        hint="Change it for GitHub Enterprise Server."
        {...form.field('url')}
      />
      <TextField
        label="GitHub organization"
        hint="The organization that will own the App. Leave empty for your own account."
        autoComplete="off"
        {...form.field('organization')}
      />
    </Form>
  );
}

const TOKENS: Record<'github' | 'gitlab' | 'gitea', { url: string; steps: ReactNode }> = {
  github: {
    url: 'https://github.com',
    steps: (
      <>
        <li>
          On GitHub, open Settings → Developer settings → Personal access tokens, for an account of this
          service.
        </li>
        <li>
          Create a classic token with the scope <code>repo</code>, or a fine-grained one with Contents: read,
          Pull requests: write, Webhooks: write, Commit statuses: write and Administration: read.
        </li>
      </>
    ),
  },
  gitlab: {
    url: 'https://gitlab.com',
    steps: (
      <>
        <li>On GitLab, open Preferences → Access tokens, or a group’s Settings → Access tokens.</li>
        <li>
          Create a token with the scope <code>api</code> and the role Maintainer.
        </li>
      </>
    ),
  },
  gitea: {
    url: '',
    steps: (
      <>
        <li>On Gitea or Forgejo, open Settings → Applications, for an account of this service.</li>
        <li>
          Create a token with <code>repository: read and write</code>, <code>issue: read and write</code>,{' '}
          <code>organization: read</code> and <code>user: read</code>.
        </li>
      </>
    ),
  },
};

function TokenForm({
  kind,
  onClose,
  onConnected,
}: {
  kind: 'github' | 'gitlab' | 'gitea';
  onClose(): void;
  onConnected(): void;
}) {
  const navigate = useNavigate();
  const { steps, url } = TOKENS[kind];
  const form = useForm({ url, token: '' }, async (values) => {
    const host = await call('connect-code-host', { kind, ...values });
    onConnected();
    onClose();
    await navigate({ to: '/settings/code-hosts', search: { host: host.id } });
  });
  return (
    <Form form={form} action="Connect">
      <Steps>
        {steps}
        <li>Paste it here. It’s stored encrypted and never shown again.</li>
      </Steps>
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        placeholder="https://git.example.com"
        hint="The address that you open in a browser."
        {...form.field('url')}
      />
      <TextField label="Access token" type="password" autoComplete="off" {...form.field('token')} />
    </Form>
  );
}

function Steps({ children }: { children: ReactNode }) {
  return <ol className="grid list-decimal gap-1 pl-5 text-sm text-quiet">{children}</ol>;
}
