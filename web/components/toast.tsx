/** Short messages at the edge of the page that go away by themselves. */
import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type Kind = 'plain' | 'danger';
interface Message {
  id: number;
  kind: Kind;
  text: string;
}

const ToastContext = createContext<(text: string, kind?: Kind) => void>(() => undefined);
let lastId = 0;

export const useToast = () => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const say = useCallback((text: string, kind: Kind = 'plain') => {
    lastId += 1;
    const id = lastId;
    setMessages((before) => [...before.slice(-3), { id, kind, text }]);
  }, []);
  const drop = (id: number) => setMessages((before) => before.filter((message) => message.id !== id));
  return (
    <ToastContext value={say}>
      <Toast.Provider duration={6000} label="Message">
        {children}
        {messages.map(({ id, kind, text }) => (
          <Toast.Root
            key={id}
            type={kind === 'danger' ? 'foreground' : 'background'}
            onOpenChange={(open) => !open && drop(id)}
            className={`appear rounded-lg border bg-raised px-4 py-3 text-sm shadow-lg ${kind === 'danger' ? 'border-danger text-danger' : 'border-line'}`}
          >
            <Toast.Description className="break-words">{text}</Toast.Description>
          </Toast.Root>
        ))}
        <Toast.Viewport className="fixed right-4 bottom-4 z-[60] grid w-80 max-w-[calc(100vw-2rem)] gap-2" />
      </Toast.Provider>
    </ToastContext>
  );
}
