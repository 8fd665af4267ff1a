/** How the service shows at the origin that it may read the repository. */
import type { CallInput } from '../../api/client.ts';
import { TextAreaField, TextField } from '../../components/field.tsx';
import type { FormState } from '../../components/form.tsx';
import { Choice } from './choice.tsx';
import type { Repository } from './repository-state.tsx';

export type CredentialKind = Repository['credentialKind'];

const KINDS: [CredentialKind, string][] = [
  ['none', 'Nothing: everybody may read it'],
  ['password', 'A password or access token'],
  ['ssh_key', 'An SSH key'],
];

/** Named as the service names them in its errors. */
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
      <legend className="mb-1.5 text-sm font-medium">What the service needs to read it</legend>
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
        hint="In OpenSSH format, without a passphrase; a key that may only read is enough. It is kept encrypted and never shown again."
        autoComplete="off"
        spellCheck={false}
        {...form.field('credential.privateKey')}
      />
    );
  return (
    <>
      <TextField
        label="User name"
        hint="Many hosts need none with an access token."
        autoComplete="off"
        spellCheck={false}
        {...form.field('credential.username')}
      />
      <TextField
        label="Password or token"
        type="password"
        autoComplete="new-password"
        hint="A token that may only read is enough. It is kept encrypted and never shown again."
        {...form.field('credential.password')}
      />
    </>
  );
}
