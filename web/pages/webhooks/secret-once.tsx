/** A webhook's secret, shown only once, with how to use it. */
import type { CallOutput } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { CommandLine, CopyButton } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SecretText } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';

type Created = CallOutput<'create-webhook'>;

/** Closing the dialog discards the secret. */
export function SecretDialog({ created, onClose }: { created: Created | undefined; onClose(): void }) {
  return (
    <Dialog
      open={created !== undefined}
      persistent
      title="Copy the signing secret"
      description={
        created && <>It signs deliveries to {created.webhook.url}. You won’t be able to see it again.</>
      }
      onClose={onClose}
    >
      {created && (
        <div className="grid gap-4">
          <Notice kind="warn">
            Treat it like a password. If you lose it, rotate it: the old one stops working immediately.
          </Notice>
          <div className="flex items-center gap-2">
            <SecretText label="Signing secret" text={created.secret} />
            <CopyButton text={created.secret} name="Copy signing secret" />
          </div>
          <CheckSignature />
          <div className="flex justify-end">
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** How a receiver verifies that a delivery is genuine. */
export function CheckSignature() {
  return (
    <details className="text-sm">
      <summary className="w-fit rounded text-quiet hover:text-text">How to verify signatures</summary>
      <div className="mt-3 grid gap-2">
        <p className="text-pretty text-quiet">
          Signatures follow the Standard Webhooks specification, which has libraries for most languages.
          Without a library:
        </p>
        <CommandLine label="In Node.js" text={CHECK} />
      </div>
    </details>
  );
}

/** Short lines, so that none wraps. */
const CHECK = `import { createHmac, timingSafeEqual } from 'node:crypto';

/** \`body\` is the raw request body, before parsing. */
export function isGenuine(headers, body, secret) {
  const id = headers['webhook-id'];
  const time = headers['webhook-timestamp'];
  const ageSeconds = Date.now() / 1000 - Number(time);
  const key = Buffer.from(secret.slice(6), 'base64');
  const expected = createHmac('sha256', key)
    .update(\`\${id}.\${time}.\${body}\`)
    .digest();
  const given = String(headers['webhook-signature'])
    .split(' ')
    .map((entry) => Buffer.from(entry.slice(3), 'base64'));
  return Math.abs(ageSeconds) < 300 && given.some(
    (each) => each.length === expected.length &&
      timingSafeEqual(each, expected),
  );
}`;
