/** Settings → Account: profile, single sign-on, password, mail, watching, linked accounts and signed-in devices. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, type CallOutput, call } from '../api/client.ts';
import { operationQuery, sessionQuery, useOptimistic, useSession } from '../api/queries.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';
import { Card, ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { nameDevice } from '../name-device.ts';
import { MyAccounts } from './account/my-accounts.tsx';
import { MyIdentity } from './account/my-identity.tsx';
import { MyMail } from './account/my-mail.tsx';
import { MyWatches } from './account/my-watches.tsx';

type Device = CallOutput<'list-sessions'>['sessions'][number];

export function AccountPage() {
  const session = useSession();
  return (
    <Page title="Account" lead={`Your role in ${session.organization.name} is ${session.role}.`}>
      <Section title="Profile">
        <Card className="max-w-md">
          <ProfileForm />
        </Card>
      </Section>
      <MyIdentity />
      <PasswordSection />
      <MyMail />
      <MyWatches />
      <MyAccounts />
      <Section title="Signed-in devices">
        <Devices />
      </Section>
    </Page>
  );
}

/** Nothing where passwords are off. */
function PasswordSection() {
  const { data } = useQuery(operationQuery('get-my-identity', {}));
  if (data?.passwordSignIn === false) return null;
  return (
    <Section
      title="Password"
      lead="Changing your password signs out your other devices. API keys keep working."
    >
      <ChangePassword />
    </Section>
  );
}

function ProfileForm() {
  const client = useQueryClient();
  const { user } = useSession();
  const toast = useToast();
  const form = useForm({ name: user.name, email: user.email, currentPassword: '' }, async (values) => {
    const session = await call('change-profile', {
      name: values.name,
      ...(isMoved && { email: values.email, currentPassword: values.currentPassword }),
    });
    client.setQueryData(sessionQuery.queryKey, session);
    void client.invalidateQueries({ queryKey: ['list-members'] });
    form.set('currentPassword', '');
    toast('Profile saved');
  });
  const isMoved = form.values.email !== user.email;
  return (
    <Form form={form} action="Save">
      <TextField label="Name" autoComplete="name" {...form.field('name')} />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint="You sign in with this address."
        {...form.field('email')}
      />
      {isMoved && (
        <TextField
          label="Confirm with your current password"
          type="password"
          autoComplete="current-password"
          {...form.field('currentPassword')}
        />
      )}
    </Form>
  );
}

const EMPTY = { currentPassword: '', newPassword: '', confirmed: '' };

function ChangePassword() {
  const [done, setDone] = useState(0);
  return (
    <Card className="max-w-md">
      <PasswordForm key={done} onDone={() => setDone((count) => count + 1)} />
    </Card>
  );
}

function PasswordForm({ onDone }: { onDone(): void }) {
  const client = useQueryClient();
  const session = useSession();
  const toast = useToast();
  const form = useForm(EMPTY, async ({ currentPassword, newPassword, confirmed }) => {
    if (newPassword !== confirmed) {
      throw new ApiProblem(
        400,
        { errors: [{ path: 'confirmed', message: "passwords don't match" }] },
        undefined,
      );
    }
    client.setQueryData(
      sessionQuery.queryKey,
      await call('change-password', { currentPassword, newPassword }),
    );
    void client.invalidateQueries({ queryKey: ['list-sessions'] });
    toast('Password changed. Your other devices are signed out.');
    onDone();
  });
  return (
    <Form form={form} action="Change password">
      <input type="hidden" name="username" autoComplete="username" value={session.user.email} readOnly />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...form.field('currentPassword')}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters."
        {...form.field('newPassword')}
      />
      <TextField
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        {...form.field('confirmed')}
      />
    </Form>
  );
}

function Devices() {
  const toast = useToast();
  const [revoking, setRevoking] = useState<Device>();
  const { data, error, refetch } = useQuery(operationQuery('list-sessions', {}));
  const revoke = useOptimistic({
    operation: 'revoke-session',
    list: 'list-sessions',
    expect: (before, { sessionId }) => ({ sessions: before.sessions.filter(({ id }) => id !== sessionId) }),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  return (
    <>
      <Table
        label="Signed-in devices"
        columns={columns(setRevoking)}
        rows={data.sessions}
        keyOf={(device) => device.id}
      />
      <ConfirmDialog
        open={revoking !== undefined}
        title={`Sign out ${revoking ? nameDevice(revoking.userAgent) : ''}?`}
        description="The browser on that device has to sign in again."
        action="Sign out"
        busy={revoke.isPending}
        problem={revoke.error}
        onClose={() => {
          revoke.reset();
          setRevoking(undefined);
        }}
        onConfirm={() =>
          revoke.mutate(
            { sessionId: revoking!.id },
            {
              onSuccess: () => {
                toast('Device signed out');
                setRevoking(undefined);
              },
            },
          )
        }
      />
    </>
  );
}

function columns(revoke: (device: Device) => void): Column<Device>[] {
  return [
    {
      name: 'Device',
      wide: true,
      cell: (device) => (
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">{nameDevice(device.userAgent)}</span>
          {device.current && <Badge kind="accent">This device</Badge>}
        </div>
      ),
    },
    { name: 'IP address', cell: (device) => <span className="font-mono text-xs">{device.address}</span> },
    { name: 'Signed in', cell: (device) => <Time at={device.createdAt} /> },
    { name: 'Last used', cell: (device) => <Time at={device.lastUsedAt} /> },
    {
      name: 'Sign out',
      hidden: true,
      cell: (device) =>
        !device.current && (
          <Button
            look="danger"
            size="small"
            aria-label={`Sign out ${nameDevice(device.userAgent)}`}
            onClick={() => revoke(device)}
          >
            Sign out
          </Button>
        ),
    },
  ];
}
