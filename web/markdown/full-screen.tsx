/** A button that shows a wide table or a diagram over the whole window. */
import { Maximize2, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../components/button.tsx';
import { useFocusBack } from '../components/focus-back.ts';

/** The content is rendered only while it is open. */
export function FullScreen({ what, children }: { what: 'Table' | 'Diagram'; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const focusBack = useFocusBack(isOpen);
  return (
    <>
      <IconButton name="Open in full screen" onClick={() => setIsOpen(true)}>
        <Maximize2 className="size-3.5" aria-hidden="true" />
      </IconButton>
      <Radix.Root open={isOpen} onOpenChange={setIsOpen}>
        <Radix.Portal>
          <Radix.Content
            aria-describedby={undefined}
            onCloseAutoFocus={focusBack}
            className="fixed inset-0 z-50 grid grid-rows-[auto_minmax(0,1fr)] bg-page outline-none"
          >
            <div className="flex items-center justify-between gap-2 border-b border-line px-4 py-1.5">
              <Radix.Title className="text-sm font-semibold">{what}</Radix.Title>
              <Radix.Close asChild>
                <IconButton name="Close">
                  <X className="size-4" aria-hidden="true" />
                </IconButton>
              </Radix.Close>
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <div tabIndex={0} className="markdown overflow-auto p-4">
              {children}
            </div>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </>
  );
}
