/** The frame around every page after sign-in: sidebar, command palette, shortcuts and account menu. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import {
  BookOpen,
  Inbox,
  Keyboard,
  Menu as MenuIcon,
  PanelLeftClose,
  PanelLeftOpen,
  Search,
} from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { Suspense, useEffect, useState } from 'react';
import { IconButton } from '../components/button.tsx';
import { useFocusBack } from '../components/focus-back.ts';
import { COMMAND_KEY, Keys } from '../components/kbd.tsx';
import { LoadingRows } from '../components/page.tsx';
import { CommandPalette } from './command-palette.tsx';
import { CountBadge, useNavCounts } from './nav-counts.tsx';
import { type NavItem, useNavItems } from './navigation.ts';
import { useCollapsedNavigation } from './navigation-room.ts';
import { PersonMenu } from './person-menu.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { useShortcuts } from './use-shortcuts.ts';

export function AppFrame() {
  const items = useNavItems();
  const counts = useNavCounts();
  const [isCollapsed, collapse] = useCollapsedNavigation();
  const [overlay, setOverlay] = useState<'palette' | 'help' | 'menu'>();
  const close = () => setOverlay(undefined);
  const focusBack = useFocusBack(overlay === 'menu');
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the page changes.
  useEffect(close, [path]);
  useShortcuts(items, { openPalette: () => setOverlay('palette'), openHelp: () => setOverlay('help') });

  return (
    <div
      className={`lg:grid ${isCollapsed ? 'lg:grid-cols-[3.5rem_minmax(0,1fr)]' : 'lg:grid-cols-[15rem_minmax(0,1fr)]'}`}
    >
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-page px-3 lg:hidden">
        <IconButton name="Menu" onClick={() => setOverlay('menu')}>
          <MenuIcon className="size-5" aria-hidden="true" />
        </IconButton>
        <Brand />
        <div className="ml-auto flex items-center gap-1">
          <Link
            to="/inbox"
            className="flex h-9 min-w-9 items-center justify-center gap-1.5 rounded-md px-2 text-quiet hover:bg-sunken hover:text-text"
          >
            <Inbox className="size-5" aria-hidden="true" />
            <span className="sr-only">Inbox</span>
            <CountBadge {...counts['/inbox']} />
          </Link>
          <IconButton name="Search and commands" onClick={() => setOverlay('palette')}>
            <Search className="size-5" aria-hidden="true" />
          </IconButton>
        </div>
      </header>
      <aside className="sticky top-0 hidden h-dvh border-r border-line bg-sunken lg:block">
        <Sidebar
          items={items}
          counts={counts}
          isCollapsed={isCollapsed}
          onCollapse={collapse}
          openPalette={() => setOverlay('palette')}
          openHelp={() => setOverlay('help')}
        />
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <Suspense
          fallback={
            <div className="p-8">
              <LoadingRows />
            </div>
          }
        >
          <Outlet />
        </Suspense>
      </main>
      <Radix.Root open={overlay === 'menu'} onOpenChange={(open) => !open && close()}>
        <Radix.Portal>
          <Radix.Overlay className="fixed inset-0 z-40 bg-black/45 lg:hidden" />
          <Radix.Content
            aria-describedby={undefined}
            onCloseAutoFocus={focusBack}
            className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] border-r border-line bg-sunken lg:hidden"
          >
            <Radix.Title className="sr-only">Menu</Radix.Title>
            <Sidebar
              items={items}
              counts={counts}
              openPalette={() => setOverlay('palette')}
              openHelp={() => setOverlay('help')}
            />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      <CommandPalette
        open={overlay === 'palette'}
        items={items}
        onClose={close}
        openHelp={() => setOverlay('help')}
      />
      <ShortcutHelp open={overlay === 'help'} items={items} onClose={close} />
    </div>
  );
}

export function Brand({ isCollapsed = false }: { isCollapsed?: boolean }) {
  return (
    <Link to="/" className="flex items-center gap-2 rounded-md px-1 text-[0.95rem] font-semibold">
      <img src="/icon.svg" alt="" width="24" height="24" className="size-6" />
      <span className={isCollapsed ? 'sr-only' : ''}>Countersign</span>
    </Link>
  );
}

const NAV_LINK =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-quiet transition-colors hover:bg-line/60 hover:text-text max-lg:h-10';

function Sidebar({
  items,
  counts,
  isCollapsed = false,
  onCollapse,
  openPalette,
  openHelp,
}: {
  items: NavItem[];
  counts: ReturnType<typeof useNavCounts>;
  /** Only icons; their names are tooltips. */
  isCollapsed?: boolean;
  /** Missing where it can't be collapsed. */
  onCollapse?(isCollapsed: boolean): void;
  openPalette(): void;
  openHelp(): void;
}) {
  const nameLook = isCollapsed ? 'sr-only' : '';
  const toggle = isCollapsed ? 'Expand navigation' : 'Collapse navigation';
  const Toggle = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <div className={`flex h-full flex-col gap-4 overflow-y-auto ${isCollapsed ? 'p-2' : 'p-3'}`}>
      <div
        className={`flex gap-1 pt-1 ${isCollapsed ? 'flex-col items-center' : 'items-center justify-between'}`}
      >
        <Brand isCollapsed={isCollapsed} />
        {onCollapse && (
          <button
            type="button"
            aria-expanded={!isCollapsed}
            aria-label={toggle}
            title={toggle}
            onClick={() => onCollapse(!isCollapsed)}
            className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-quiet hover:bg-line/60 hover:text-text"
          >
            <Toggle className="size-4" aria-hidden="true" />
          </button>
        )}
      </div>
      <button
        type="button"
        onClick={openPalette}
        title={isCollapsed ? 'Search and commands' : undefined}
        className="flex h-9 shrink-0 items-center gap-2 rounded-md border border-line bg-page px-2.5 text-sm text-quiet transition-colors hover:text-text"
      >
        <Search className="size-4 shrink-0" aria-hidden="true" />
        <span className={nameLook}>
          Search<span className="sr-only"> and commands</span>
        </span>
        {!isCollapsed && (
          <span className="ml-auto hidden lg:block">
            <Keys keys={[COMMAND_KEY, 'K']} />
          </span>
        )}
      </button>
      <nav aria-label="Main" className="grid gap-4">
        {(['Work', 'Settings'] as const).map((group) => (
          <div key={group}>
            {group !== 'Work' && (
              <p className={`mb-1 px-2 text-xs font-medium text-quiet ${nameLook}`}>{group}</p>
            )}
            <ul className="grid gap-0.5">
              {items
                .filter((item) => item.group === group)
                .map(({ icon: Icon, name, to }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      activeOptions={{ exact: to === '/', includeSearch: false }}
                      title={isCollapsed ? name : undefined}
                      className={`${NAV_LINK} aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent`}
                    >
                      <Icon className="size-4 shrink-0" aria-hidden="true" />
                      <span className={nameLook}>{name}</span>
                      {counts[to] && (
                        <span className={isCollapsed ? 'sr-only' : 'ml-auto'}>
                          <CountBadge {...counts[to]} />
                        </span>
                      )}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="mt-auto grid gap-0.5">
        <a href="/docs" title={isCollapsed ? 'API reference' : undefined} className={NAV_LINK}>
          <BookOpen className="size-4 shrink-0" aria-hidden="true" />
          <span className={nameLook}>API reference</span>
        </a>
        <button
          type="button"
          onClick={openHelp}
          title={isCollapsed ? 'Keyboard shortcuts' : undefined}
          className={NAV_LINK}
        >
          <Keyboard className="size-4 shrink-0" aria-hidden="true" />
          <span className={nameLook}>Keyboard shortcuts</span>
        </button>
        <div className="mt-2 grid">
          <PersonMenu isCollapsed={isCollapsed} />
        </div>
      </div>
    </div>
  );
}
