/** The credential of a repository: which kind there is, a new one in its place, or none any more. */
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
} from '../repositories/credential-fields.tsx';
import type { Repository } from '../repositories/repository-state.tsx';
import { useChangeRepository } from './use-change-repository.ts';

const PRESENT: Record<CredentialKind, string> = {
  none: 'None: it is fetched as everybody may.',
  password: 'A password or access token, kept encrypted.',
  ssh_key: 'An SSH key, kept encrypted.',
};

export function CredentialSection({ repository }: { repository: Repository }) {
  const { credentialKind, id } = repository;
  const [asked, setAsked] = useState<'replace' | 'forget'>();
  const close = () => setAsked(undefined);
  const change = useChangeRepository(id);
  const forget = useMutation({
    mutationFn: () => change({ credential: null }, 'The credential is forgotten.'),
    onSuccess: close,
  });
  return (
    <Section title="Credential">
      <Card className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-64 text-sm">{PRESENT[credentialKind]}</p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAsked('replace')}>
            {credentialKind === 'none' ? 'Add a credential' : 'Replace'}
          </Button>
          {credentialKind !== 'none' && (
            <Button look="danger" onClick={() => setAsked('forget')}>
              Forget
            </Button>
          )}
        </div>
      </Card>
      <Dialog
        open={asked === 'replace'}
        title={credentialKind === 'none' ? 'Add a credential' : 'Replace the credential'}
        onClose={close}
      >
        <ReplaceForm repository={repository} onDone={close} />
      </Dialog>
      <ConfirmDialog
        open={asked === 'forget'}
        title="Forget the credential?"
        description="From then on it is fetched as everybody may. If the origin does not allow that, it is no longer refreshed; what was fetched stays."
        action="Forget it"
        busy={forget.isPending}
        problem={forget.error}
        onClose={() => {
          forget.reset();
          close();
        }}
        onConfirm={() => forget.mutate()}
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
    await change({ credential: credentialOf(kind, values) }, 'The credential is saved.');
    onDone();
  });
  return (
    <Form form={form} action="Save credential">
      <CredentialKindField kind={kind} kinds={['password', 'ssh_key']} onChange={setKind} />
      <CredentialFields kind={kind} form={form} />
    </Form>
  );
}
