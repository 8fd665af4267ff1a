/** Short messages at the edge of the page, some with a way to undo what they report. They disappear after a while. */
import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type Kind = 'plain' | 'danger';
interface Message {
  id: number;
  kind: Kind;
  text: string;
  /** Undoes what the message reports. */
  undo?(): void;
}

type ShowToast = (text: string, kind?: Kind, undo?: () => void) => void;

const ToastContext = createContext<ShowToast>(() => undefined);
let lastId = 0;

export const useToast = () => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const showToast: ShowToast = useCallback((text, kind = 'plain', undo) => {
    lastId += 1;
    const id = lastId;
    setMessages((before) => [...before.slice(-3), { id, kind, text, undo }]);
  }, []);
  const drop = (id: number) => setMessages((before) => before.filter((message) => message.id !== id));
  return (
    <ToastContext value={showToast}>
      <Toast.Provider duration={6000} label="Message">
        {children}
        {messages.map(({ id, kind, text, undo }) => (
          <Toast.Root
            key={id}
            type={kind === 'danger' ? 'foreground' : 'background'}
            onOpenChange={(open) => !open && drop(id)}
            duration={undo ? 12_000 : undefined}
            className={`appear flex items-center gap-3 rounded-lg border bg-raised px-4 py-3 text-sm shadow-lg ${kind === 'danger' ? 'border-danger text-danger' : 'border-line'}`}
          >
            <Toast.Description className="min-w-0 flex-1 break-words">{text}</Toast.Description>
            {undo && (
              <Toast.Action
                altText="Undo"
                onClick={undo}
                className="-my-1 shrink-0 rounded-md px-2 py-1 font-medium text-accent hover:bg-accent-soft"
              >
                Undo
              </Toast.Action>
            )}
          </Toast.Root>
        ))}
        <Toast.Viewport className="fixed right-4 bottom-4 z-[60] grid w-80 max-w-[calc(100vw-2rem)] gap-2" />
      </Toast.Provider>
    </ToastContext>
  );
}
