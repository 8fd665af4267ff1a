/** The command palette: type a few letters, press Enter. */
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { BookOpen, Keyboard, LogOut, Moon } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
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
          className="appear fixed inset-x-4 top-[max(1rem,14dvh)] z-50 mx-auto max-w-lg overflow-hidden rounded-xl border border-line bg-raised shadow-2xl"
        >
          <Radix.Title className="sr-only">Search and commands</Radix.Title>
          <Command label="Search and commands" loop>
            <Command.Input
              placeholder="Where to, or what to do?"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-sm outline-none placeholder:text-quiet"
            />
            <Command.List className="max-h-80 overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-sm text-quiet">
                Nothing matches.
              </Command.Empty>
              {places.map(({ icon: Icon, name, to }) => (
                <Entry
                  key={to}
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
              <Entry onSelect={run(openHelp)} icon={<Keyboard className="size-4" aria-hidden="true" />}>
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

function Entry({ icon, children, onSelect }: { icon: ReactNode; children: ReactNode; onSelect(): void }) {
  return (
    <Command.Item
      onSelect={onSelect}
      className="flex h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
    >
      {icon}
      <span>{children}</span>
    </Command.Item>
  );
}
