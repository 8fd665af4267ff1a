/** The account menu: organization, theme, sign out. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Check, ChevronsUpDown, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { call } from '../api/client.ts';
import { sessionQuery, useSession } from '../api/queries.ts';
import { useToast } from '../components/toast.tsx';
import { type Theme, useTheme } from './theme.ts';
import { useSignOut } from './use-sign-out.ts';

const THEMES: { theme: Theme; name: string; icon: ReactNode }[] = [
  { theme: 'system', name: 'System', icon: <Monitor className="size-4" aria-hidden="true" /> },
  { theme: 'light', name: 'Light', icon: <Sun className="size-4" aria-hidden="true" /> },
  { theme: 'dark', name: 'Dark', icon: <Moon className="size-4" aria-hidden="true" /> },
];

export function PersonMenu({ isCollapsed = false }: { isCollapsed?: boolean }) {
  const session = useSession();
  const signOut = useSignOut();
  const switchTo = useSwitchOrganization();
  const [theme, setTheme] = useTheme();
  return (
    // Not modal: a modal menu hides the page from screen readers, but leaves it reachable by keyboard.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className={`flex items-center gap-2.5 rounded-lg ${isCollapsed ? 'p-1' : 'p-2'} text-left transition-colors hover:bg-line/60 data-[state=open]:bg-line/60`}
      >
        <span
          aria-hidden="true"
          className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
        >
          {[...session.user.name][0]?.toUpperCase()}
        </span>
        <span className={isCollapsed ? 'sr-only' : 'min-w-0 flex-1'}>
          <span className="block truncate text-sm font-medium">{session.user.name}</span>
          <span className="block truncate text-xs text-quiet">{session.organization.name}</span>
        </span>
        {!isCollapsed && <ChevronsUpDown className="size-4 shrink-0 text-quiet" aria-hidden="true" />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side="top"
          align="start"
          sideOffset={6}
          className="appear z-[55] max-h-[80dvh] w-(--radix-dropdown-menu-trigger-width) min-w-52 overflow-y-auto rounded-lg border border-line bg-raised p-1.5 shadow-xl"
        >
          <DropdownMenu.Label className="truncate px-2 py-1 text-xs text-quiet">
            {session.user.email}
          </DropdownMenu.Label>
          {session.organizations.length > 1 && (
            <>
              <Heading>Organization</Heading>
              {session.organizations.map(({ id, name }) => (
                <Item key={id} onSelect={() => id !== session.organization.id && void switchTo(id)}>
                  <span className="min-w-0 flex-1 truncate">{name}</span>
                  {id === session.organization.id && <Check className="size-4" aria-label="current" />}
                </Item>
              ))}
            </>
          )}
          <Heading>Theme</Heading>
          <DropdownMenu.RadioGroup value={theme} onValueChange={(chosen) => setTheme(chosen as Theme)}>
            {THEMES.map(({ icon, name, theme: each }) => (
              <DropdownMenu.RadioItem
                key={each}
                value={each}
                onSelect={(event) => event.preventDefault()}
                className={ITEM}
              >
                {icon}
                <span className="flex-1">{name}</span>
                <DropdownMenu.ItemIndicator>
                  <Check className="size-4" aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
          <Item onSelect={() => void signOut()}>
            <LogOut className="size-4" aria-hidden="true" />
            Sign out
          </Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const ITEM =
  'flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm outline-none data-highlighted:bg-accent-soft data-highlighted:text-accent';

function Item({ children, onSelect }: { children: ReactNode; onSelect(): void }) {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={ITEM}>
      {children}
    </DropdownMenu.Item>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <DropdownMenu.Label className="px-2 pt-2 pb-1 text-xs font-medium text-quiet">
      {children}
    </DropdownMenu.Label>
  );
}

function useSwitchOrganization(): (organizationId: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  return async (organizationId) => {
    try {
      const session = await call('switch-organization', { organizationId });
      await router.navigate({ to: '/' });
      client.setQueryData(sessionQuery.queryKey, session);
      // Reset, not removed: queries on the page are fetched again.
      void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    } catch (error) {
      toast((error as Error).message, 'danger');
    }
  };
}
