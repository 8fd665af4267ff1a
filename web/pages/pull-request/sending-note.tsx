/** Whether something written here has reached the code host. */
import { CloudAlert, CloudUpload } from 'lucide-react';
import type { Sending } from '../../parts/pull-request/pull-request-data.ts';

export function SendingNote({ sending }: { sending: Sending }) {
  if (sending.state === 'waiting')
    return (
      <span className="inline-flex items-center gap-1 text-xs text-quiet" title="Not on the code host yet">
        <CloudUpload className="size-3.5" aria-hidden="true" />
        Sending
      </span>
    );
  if (sending.state === 'failed')
    return (
      <span
        className="inline-flex items-center gap-1 text-xs text-danger"
        title={sending.problem ?? undefined}
      >
        <CloudAlert className="size-3.5" aria-hidden="true" />
        Not sent{sending.problem && `: ${sending.problem}`}
      </span>
    );
  return null;
}
