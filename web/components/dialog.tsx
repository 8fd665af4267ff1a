/** Dialogs: they trap and restore focus, Escape closes, the page behind doesn't scroll. */
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { useFocusBack } from './focus-back.ts';
import { ProblemNotice } from './form.tsx';

interface DialogProps {
  open: boolean;
  title: string;
  description?: ReactNode;
  onClose(): void;
  children: ReactNode;
  /** Must be answered: no close button, no Escape, no click outside. */
  persistent?: boolean;
  /** Room for two texts beside each other. */
  wide?: boolean;
}

export function Dialog(props: DialogProps) {
  const { children, description, onClose, open, persistent = false, title, wide = false } = props;
  const focusBack = useFocusBack(open);
  const stay = persistent ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          onOpenAutoFocus={focusContent}
          onCloseAutoFocus={focusBack}
          onEscapeKeyDown={(event) => {
            // It closes what completes a name first.
            if (persistent || document.activeElement?.hasAttribute('aria-activedescendant'))
              event.preventDefault();
          }}
          onPointerDownOutside={stay}
          onInteractOutside={stay}
          className={`${wide ? 'max-w-4xl' : 'max-w-lg'} appear fixed inset-x-4 top-[max(1rem,12dvh)] z-50 mx-auto max-h-[min(calc(100dvh-2rem),calc(88dvh-1rem))] overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-2xl outline-none`}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div className="grid min-w-0 gap-1">
              <Radix.Title className="text-base font-semibold text-balance wrap-anywhere">
                {title}
              </Radix.Title>
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="text-sm text-pretty wrap-anywhere text-quiet">{description}</div>
                </Radix.Description>
              )}
            </div>
            {!persistent && (
              <div className="-mt-1.5 -mr-2">
                <Radix.Close asChild>
                  <IconButton name="Close">
                    <X className="size-4" aria-hidden="true" />
                  </IconButton>
                </Radix.Close>
              </div>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Without a field to focus, the dialog itself gets the focus, not its close button. */
function focusContent(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

/** Confirms something that can't be undone; the button names the action. */
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
        <Button autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button look="destroy" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
