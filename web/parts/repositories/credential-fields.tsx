/** How the service authenticates to the remote. */
import type { CallInput } from '../../api/client.ts';
import { TextAreaField, TextField } from '../../components/field.tsx';
import type { FormState } from '../../components/form.tsx';
import { Choice } from '../fields/choice.tsx';
import type { Repository } from './repository-state.tsx';

export type CredentialKind = Repository['credentialKind'];

const KINDS: [CredentialKind, string][] = [
  ['none', 'None (public)'],
  ['password', 'Password or access token'],
  ['ssh_key', 'SSH key'],
];

/** Named like the fields in the service's errors. */
export const NO_CREDENTIAL = {
  'credential.username': '',
  'credential.password': '',
  'credential.privateKey': '',
};
export type CredentialValues = typeof NO_CREDENTIAL;

/** Undefined where there is none. */
export function credentialOf(
  kind: CredentialKind,
  values: CredentialValues,
): NonNullable<CallInput<'add-repository'>['credential']> | undefined {
  if (kind === 'none') return undefined;
  if (kind === 'ssh_key') return { kind, privateKey: values['credential.privateKey'] };
  const username = values['credential.username'];
  return { kind, password: values['credential.password'], ...(username && { username }) };
}

export function CredentialKindField(props: {
  kind: CredentialKind;
  kinds?: CredentialKind[];
  onChange(kind: CredentialKind): void;
}) {
  const { kind, kinds, onChange } = props;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Authentication</legend>
      {KINDS.filter(([each]) => !kinds || kinds.includes(each)).map(([each, words]) => (
        <Choice
          key={each}
          type="radio"
          name="credentialKind"
          checked={kind === each}
          onChange={() => onChange(each)}
        >
          {words}
        </Choice>
      ))}
      <p className="text-[0.8125rem] text-pretty text-quiet">
        Read access is enough to review. Merging, updating branches and applying suggestions here need a
        credential that can push.
      </p>
    </fieldset>
  );
}

export function CredentialFields<Values extends CredentialValues>({
  kind,
  form,
}: {
  kind: CredentialKind;
  form: FormState<Values>;
}) {
  if (kind === 'none') return null;
  if (kind === 'ssh_key')
    return (
      <TextAreaField
        label="Private key"
        placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
        hint="OpenSSH format, without a passphrase. Stored encrypted and never shown again."
        autoComplete="off"
        spellCheck={false}
        {...form.field('credential.privateKey')}
      />
    );
  return (
    <>
      <TextField
        label="Username"
        hint="Optional with an access token on most hosts."
        autoComplete="off"
        spellCheck={false}
        {...form.field('credential.username')}
      />
      <TextField
        label="Password or token"
        type="password"
        autoComplete="new-password"
        hint="Stored encrypted and never shown again."
        {...form.field('credential.password')}
      />
    </>
  );
}
