/** A webhook's secret, shown this once, with the way to use it. */
import type { CallOutput } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { CommandLine, CopyButton } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SecretText } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';

type Created = CallOutput<'create-webhook'>;

/** Closing it forgets the secret: whoever opens it keeps it nowhere else. */
export function SecretDialog({ created, onClose }: { created: Created | undefined; onClose(): void }) {
  return (
    <Dialog
      open={created !== undefined}
      persistent
      title="Copy the secret now"
      description={
        created && <>Deliveries to {created.webhook.url} are signed with it. It is shown this once.</>
      }
      onClose={onClose}
    >
      {created && (
        <div className="grid gap-4">
          <Notice kind="warn">
            Keep it like a password. If you lose it, make a new one: the old one ends with that.
          </Notice>
          <div className="flex items-center gap-2">
            <SecretText label="The webhook's secret" text={created.secret} />
            <CopyButton text={created.secret} name="Copy the secret" />
          </div>
          <CheckSignature />
          <div className="flex justify-end">
            <Button look="primary" onClick={onClose}>
              I have copied it
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** How a receiver tells that a delivery comes from here. */
export function CheckSignature() {
  return (
    <details className="text-sm">
      <summary className="w-fit rounded text-quiet hover:text-text">How to check a signature</summary>
      <div className="mt-3 grid gap-2">
        <p className="text-pretty text-quiet">
          Signatures follow the Standard Webhooks convention: libraries of it check them in most languages. By
          hand:
        </p>
        <CommandLine label="In Node.js" text={CHECK} />
      </div>
    </details>
  );
}

/** Short lines, so that none is broken where it is shown. */
const CHECK = `import { createHmac, timingSafeEqual } from 'node:crypto';

/** \`body\` is the text as it came, before it is parsed. */
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
