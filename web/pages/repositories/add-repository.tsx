/** The dialog that adds a repository: URL, name, authentication and visibility. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { useToast } from '../../components/toast.tsx';
import {
  CredentialFields,
  type CredentialKind,
  CredentialKindField,
  credentialOf,
  NO_CREDENTIAL,
} from '../../parts/repositories/credential-fields.tsx';
import { type Visibility, VisibilityField } from '../../parts/repositories/visibility-field.tsx';
import { nameFromUrl } from './name-from-url.ts';

export function AddRepository({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog open={open} title="Add repository" onClose={onClose}>
      <AddForm onAdded={onClose} />
    </Dialog>
  );
}

/** Mounted only while the dialog is open, so that it opens empty and keeps no secret. */
function AddForm({ onAdded }: { onAdded(): void }) {
  const client = useQueryClient();
  const toast = useToast();
  const { data: page } = useQuery({
    ...operationQuery('list-repositories', { limit: 1 }),
    staleTime: 60_000,
  });
  const [kind, setKind] = useState<CredentialKind>('none');
  const [seenBy, setSeenBy] = useState<Visibility>({ visibility: 'organization', memberIds: [] });
  const [typedName, setTypedName] = useState<string>();
  const form = useForm({ url: '', name: '', ...NO_CREDENTIAL }, async (values) => {
    const added = await call('add-repository', {
      url: values.url.trim(),
      ...(name.trim() && { name: name.trim() }),
      credential: credentialOf(kind, values),
      visibility: seenBy.visibility,
      ...(seenBy.visibility === 'members' && { memberIds: seenBy.memberIds }),
    });
    toast(`${added.name} added. Cloning has started.`);
    void client.invalidateQueries({ queryKey: ['list-repositories'] });
    onAdded();
  });
  const name = typedName ?? nameFromUrl(form.values.url);
  return (
    <Form form={form} action="Add repository">
      <TextField
        label="URL"
        placeholder="https://git.acme.example/acme/web-shop.git"
        hint={
          <>
            What you would <code className="font-mono text-xs">git clone</code>: an https:// or ssh:// URL,{' '}
            <code className="font-mono text-xs">git@host:acme/web-shop.git</code>, or git:// to read only.
            {page?.localAllowed && ' The path of a folder on the server works too.'} Leave credentials out.
            {page?.localAllowed === false && (
              <>
                {' '}
                Folders on the server can’t be added here: the operator adds them there with{' '}
                <code className="font-mono text-xs">countersign repo add PATH</code>.
              </>
            )}
          </>
        }
        inputMode="url"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        {...form.field('url')}
      />
      <TextField
        label="Name"
        placeholder="acme/web-shop"
        hint="Agents can use the full name or just the last part."
        autoComplete="off"
        spellCheck={false}
        {...form.field('name')}
        value={name}
        onChange={(event) => setTypedName(event.target.value)}
      />
      <CredentialKindField kind={kind} onChange={setKind} />
      <CredentialFields kind={kind} form={form} />
      <VisibilityField value={seenBy} onChange={setSeenBy} />
    </Form>
  );
}
