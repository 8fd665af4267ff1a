/** The credential of a repository: add, replace or remove it. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { Card, Section } from '../../components/page.tsx';
import {
  CredentialFields,
  type CredentialKind,
  CredentialKindField,
  credentialOf,
  NO_CREDENTIAL,
} from '../../parts/repositories/credential-fields.tsx';
import type { Repository } from '../../parts/repositories/repository-state.tsx';
import { useChangeRepository } from './use-change-repository.ts';

const PRESENT: Record<CredentialKind, string> = {
  none: 'None: fetched anonymously.',
  password: 'Password or access token, stored encrypted.',
  ssh_key: 'SSH key, stored encrypted.',
};

export function CredentialSection({ repository }: { repository: Repository }) {
  const { credentialKind, id } = repository;
  const [asked, setAsked] = useState<'replace' | 'remove'>();
  const close = () => setAsked(undefined);
  const change = useChangeRepository(id);
  const remove = useMutation({
    mutationFn: () => change({ credential: null }, 'Credential removed'),
    onSuccess: close,
  });
  return (
    <Section isBeside title="Credential">
      <Card className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-64 text-sm">{PRESENT[credentialKind]}</p>
        <div className="ml-auto flex flex-wrap gap-2">
          <Button onClick={() => setAsked('replace')}>
            {credentialKind === 'none' ? 'Add credential' : 'Replace'}
          </Button>
          {credentialKind !== 'none' && (
            <Button look="danger" onClick={() => setAsked('remove')}>
              Remove
            </Button>
          )}
        </div>
      </Card>
      <Dialog
        open={asked === 'replace'}
        title={credentialKind === 'none' ? 'Add credential' : 'Replace credential'}
        onClose={close}
      >
        <ReplaceForm repository={repository} onDone={close} />
      </Dialog>
      <ConfirmDialog
        open={asked === 'remove'}
        title="Remove the credential?"
        description="The repository is then fetched anonymously. If the remote doesn’t allow that, refreshes fail; code that was already fetched stays."
        action="Remove credential"
        busy={remove.isPending}
        problem={remove.error}
        onClose={() => {
          remove.reset();
          close();
        }}
        onConfirm={() => remove.mutate()}
      />
    </Section>
  );
}

/** Mounted only while the dialog is open, so that it keeps no secret. */
function ReplaceForm({ repository, onDone }: { repository: Repository; onDone(): void }) {
  const change = useChangeRepository(repository.id);
  const [kind, setKind] = useState<CredentialKind>(
    repository.credentialKind === 'ssh_key' ? 'ssh_key' : 'password',
  );
  const form = useForm(NO_CREDENTIAL, async (values) => {
    await change({ credential: credentialOf(kind, values) }, 'Credential saved');
    onDone();
  });
  return (
    <Form form={form} action="Save credential">
      <CredentialKindField kind={kind} kinds={['password', 'ssh_key']} onChange={setKind} />
      <CredentialFields kind={kind} form={form} />
    </Form>
  );
}
