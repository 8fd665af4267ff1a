/** The command palette: type a few letters, press Enter. */
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { BookOpen, Keyboard, LogOut, Moon } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useFocusBack } from '../components/focus-back.ts';
import { Keys } from '../components/kbd.tsx';
import type { Place } from './navigation.ts';
import { nextTheme, useTheme } from './theme.ts';
import { useSignOut } from './use-sign-out.ts';

export function CommandPalette({
  open,
  places,
  onClose,
  openHelp,
}: {
  open: boolean;
  places: Place[];
  onClose(): void;
  openHelp(): void;
}) {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const [theme, setTheme] = useTheme();
  const focusBack = useFocusBack(open);
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={focusBack}
          className="appear fixed inset-x-4 top-[max(1rem,14dvh)] z-50 mx-auto max-w-lg overflow-hidden rounded-xl border border-line bg-raised shadow-2xl"
        >
          <Radix.Title className="sr-only">Search and commands</Radix.Title>
          <Command label="Search and commands" loop>
            <Command.Input
              placeholder="Where to, or what to do?"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-sm outline-none placeholder:text-quiet"
            />
            <Command.Empty className="px-3 py-6 text-center text-sm text-quiet">
              Nothing matches.
            </Command.Empty>
            <Command.List className="max-h-[min(28rem,60dvh)] overflow-y-auto p-2">
              {places.map(({ icon: Icon, key, name, to }) => (
                <Entry
                  key={to}
                  keys={['g', key]}
                  onSelect={run(() => void navigate({ to }))}
                  icon={<Icon className="size-4" aria-hidden="true" />}
                >
                  Go to {name}
                </Entry>
              ))}
              <Entry
                onSelect={run(() => location.assign('/docs'))}
                icon={<BookOpen className="size-4" aria-hidden="true" />}
              >
                Open the API reference
              </Entry>
              <Entry
                onSelect={run(() => setTheme(nextTheme(theme)))}
                icon={<Moon className="size-4" aria-hidden="true" />}
              >
                Change the theme (now {theme})
              </Entry>
              <Entry
                keys={['?']}
                onSelect={run(openHelp)}
                icon={<Keyboard className="size-4" aria-hidden="true" />}
              >
                Keyboard shortcuts
              </Entry>
              <Entry
                onSelect={run(() => void signOut())}
                icon={<LogOut className="size-4" aria-hidden="true" />}
              >
                Sign out
              </Entry>
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Entry(props: { icon: ReactNode; children: ReactNode; keys?: string[]; onSelect(): void }) {
  const { children, icon, keys, onSelect } = props;
  return (
    <Command.Item
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
    >
      {icon}
      <span className="flex-1">{children}</span>
      {keys && <Keys keys={keys} />}
    </Command.Item>
  );
}
