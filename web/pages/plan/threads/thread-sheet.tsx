/** On narrow pages: threads or the draft in a sheet over the lower part. */
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from '../../../components/button.tsx';
import { useFocusBack } from '../../../components/focus-back.ts';

export function ThreadSheet(props: { open: boolean; title: string; onClose(): void; children: ReactNode }) {
  const { children, onClose, open, title } = props;
  const focusBack = useFocusBack(open);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={focusBack}
          // A draft asks for confirmation first.
          onEscapeKeyDown={(event) => event.target instanceof HTMLTextAreaElement && event.preventDefault()}
          className="appear fixed inset-x-0 bottom-0 z-50 max-h-[75dvh] overflow-y-auto overscroll-contain rounded-t-2xl border-t border-line bg-page p-3 pb-6 shadow-2xl outline-none"
        >
          <div className="mb-1 flex items-center justify-between gap-2">
            <Radix.Title className="pl-1 text-sm font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton name="Close">
                <X className="size-4" aria-hidden="true" />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="grid grid-cols-1 gap-3">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
