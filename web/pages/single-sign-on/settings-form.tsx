/** The settings of the provider, and a test of the connection with what is typed. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type CallInput, type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { linesOf } from '../../components/line-list.ts';
import { Notice } from '../../components/notice.tsx';
import { useToast } from '../../components/toast.tsx';
import { readRoleRules, writeRoleRules } from './role-rules.ts';

type View = CallOutput<'get-single-sign-on'>;
type Settings = CallInput<'change-single-sign-on'>;

export function SettingsForm({ view, readOnly }: { view: View; readOnly: boolean }) {
  const client = useQueryClient();
  const toast = useToast();
  const { settings } = view;
  const form = useForm(
    {
      name: settings?.name ?? '',
      issuer: settings?.issuer ?? '',
      clientId: settings?.clientId ?? '',
      clientSecret: '',
      enabled: settings?.enabled === false ? 'off' : 'on',
      passwordSignIn: settings?.passwordSignIn === false ? 'off' : 'on',
      newMembers: settings?.newMembers ?? 'first_sign_in',
      allowedDomains: settings?.allowedDomains.join('\n') ?? '',
      defaultRole: settings ? (settings.defaultRole ?? 'none') : 'member',
      roleClaim: settings?.roleClaim ?? 'groups',
      roleRules: writeRoleRules(settings?.roleRules ?? []),
      recheckMinutes: String(settings?.recheckMinutes ?? 10),
      signInHours: String(settings?.signInHours ?? 24),
    },
    async (values) => {
      const saved = await call('change-single-sign-on', {
        name: values.name,
        issuer: values.issuer.trim(),
        clientId: values.clientId.trim(),
        ...secretOf(values),
        enabled: values.enabled === 'on',
        passwordSignIn: values.passwordSignIn === 'on',
        newMembers: values.newMembers as Settings['newMembers'],
        allowedDomains: linesOf(values.allowedDomains),
        defaultRole: values.defaultRole === 'none' ? null : (values.defaultRole as 'viewer'),
        roleClaim: values.roleClaim,
        roleRules: readRoleRules(values.roleRules),
        recheckMinutes: Number(values.recheckMinutes),
        signInHours: Number(values.signInHours),
      });
      client.setQueryData(operationQuery('get-single-sign-on', {}).queryKey, saved);
      form.set('clientSecret', '');
      toast('Single sign-on saved');
    },
  );
  const test = useMutation({
    mutationFn: () =>
      call('test-single-sign-on', {
        issuer: form.values.issuer.trim(),
        clientId: form.values.clientId.trim(),
        ...secretOf(form.values),
      }),
    onMutate: () => form.fail(undefined),
    onError: form.fail,
  });
  const isNew = settings?.issuer !== form.values.issuer.trim();
  return (
    <fieldset disabled={readOnly} className="grid min-w-0 gap-4">
      {readOnly && (
        <Notice>
          Set by environment variables (SSO_…). To change them, ask the operator of this service.
        </Notice>
      )}
      <Form
        form={form}
        action="Save"
        aside={
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            Test the connection
          </Button>
        }
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Name"
            placeholder="Okta"
            hint="Shown on the sign-in button, to everyone."
            {...form.field('name')}
          />
          <SelectField label="Single sign-on" {...form.field('enabled')}>
            <option value="on">On</option>
            <option value="off">Off</option>
          </SelectField>
        </div>
        <TextField
          label="Issuer"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://acme.okta.com"
          hint="Exactly as the provider publishes it, including a slash at the end if it has one."
          {...form.field('issuer')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Client ID" autoComplete="off" {...form.field('clientId')} />
          <TextField
            label="Client secret"
            type="password"
            autoComplete="off"
            placeholder={isNew ? '' : 'Unchanged'}
            hint={
              isNew ? 'Stored encrypted and never shown again.' : 'Leave it empty to keep the stored one.'
            }
            {...form.field('clientSecret')}
          />
          <SelectField
            label="New members"
            hint="Whether they need an invitation to sign in."
            {...form.field('newMembers')}
          >
            <option value="first_sign_in">Join at their first sign-in</option>
            <option value="invitation">Need an invitation</option>
          </SelectField>
          <SelectField
            label="Password sign-in"
            hint="Before you turn it off, sign in at this provider yourself."
            {...form.field('passwordSignIn')}
          >
            <option value="on">On</option>
            <option value="off">Off: single sign-on only</option>
          </SelectField>
          <TextAreaField
            label="Allowed email domains"
            placeholder="acme.example"
            hint="One per line. Empty allows every verified address."
            {...form.field('allowedDomains')}
          />
          <TextAreaField
            label="Roles by group"
            placeholder={'engineering = member\nplatform = admin'}
            hint="One per line: group = viewer, member or admin. The highest one counts, at every sign-in. Owners keep their role."
            {...form.field('roleRules')}
          />
          <TextField
            label="Claim with the groups"
            autoComplete="off"
            hint="Use dots for a nested claim, such as realm_access.roles."
            {...form.field('roleClaim')}
          />
          <SelectField
            label="Role without a matching group"
            hint="Also the role of new members if no group has a role."
            {...form.field('defaultRole')}
          >
            <option value="viewer">Viewer</option>
            <option value="member">Member</option>
            <option value="admin">Admin</option>
            <option value="none">No access</option>
          </SelectField>
          <TextField
            label="Check people every (minutes)"
            inputMode="numeric"
            hint="Someone removed at the provider loses access within this time plus two minutes."
            {...form.field('recheckMinutes')}
          />
          <TextField
            label="Without a refresh token, sign in again after (hours)"
            inputMode="numeric"
            hint="For providers that send no refresh token to check people with."
            {...form.field('signInHours')}
          />
        </div>
        {test.data && <TestResult result={test.data} />}
      </Form>
    </fieldset>
  );
}

function secretOf({ clientSecret }: { clientSecret: string }) {
  return clientSecret === '' ? {} : { clientSecret };
}

function TestResult({ result }: { result: CallOutput<'test-single-sign-on'> }) {
  return (
    <Notice kind={result.ok ? 'good' : 'danger'}>
      <p className="font-medium">
        {result.ok ? 'The connection works. Now sign in with it once.' : 'The connection doesn’t work yet.'}
      </p>
      <ul className="mt-1.5 grid gap-1">
        {result.checks.map(({ detail, name, ok }) => (
          <li key={name} className="flex gap-2">
            {ok ? (
              <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            ) : (
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            )}
            <span className="min-w-0 wrap-anywhere">
              {name}: {detail}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
