/** Dialogs: focus goes in and comes back, Escape closes, the page behind stands still. */
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { ProblemNotice } from './form.tsx';

interface DialogProps {
  open: boolean;
  title: string;
  description?: ReactNode;
  onClose(): void;
  children: ReactNode;
  /** For what must be answered: no cross, no Escape, no click outside. */
  persistent?: boolean;
}

export function Dialog({ open, title, description, onClose, children, persistent = false }: DialogProps) {
  const stay = persistent ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          onInteractOutside={stay}
          className="appear fixed inset-x-4 top-[max(1rem,12dvh)] z-50 mx-auto max-h-[calc(100dvh-2rem)] max-w-lg overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-2xl"
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div className="grid gap-1">
              <Radix.Title className="text-base font-semibold text-balance break-words">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="text-sm text-quiet break-words">{description}</div>
                </Radix.Description>
              )}
            </div>
            {!persistent && (
              <Radix.Close asChild>
                <IconButton name="Close">
                  <X className="size-4" aria-hidden="true" />
                </IconButton>
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Asks before something that cannot be undone; the button says what will happen. */
export function ConfirmDialog(props: {
  open: boolean;
  title: string;
  description: ReactNode;
  action: string;
  busy: boolean;
  problem?: Error | null;
  onConfirm(): void;
  onClose(): void;
}) {
  const { action, busy, description, onClose, onConfirm, open, problem, title } = props;
  return (
    <Dialog open={open} title={title} description={description} onClose={onClose}>
      {problem && (
        <div className="mb-4">
          <ProblemNotice problem={problem} />
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
