/** The commands of the palette: every page of the navigation, and what can be done from anywhere. */
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Keyboard, LogOut, Moon, PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NavItem } from './navigation.ts';
import { useCollapsedNavigation } from './navigation-room.ts';
import { nextTheme, useTheme } from './theme.ts';
import { useSignOut } from './use-sign-out.ts';

interface PaletteCommand {
  name: string;
  icon: ReactNode;
  keys?: string[];
  act(): void;
}

export function usePaletteCommands(items: readonly NavItem[], openHelp: () => void): PaletteCommand[] {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const [theme, setTheme] = useTheme();
  const [isCollapsed, collapse] = useCollapsedNavigation();
  return [
    ...items.map(({ icon: Icon, key, name, to }) => ({
      name: `Go to ${name}`,
      icon: <Icon className="size-4" aria-hidden="true" />,
      keys: ['g', key],
      act: () => void navigate({ to }),
    })),
    {
      name: 'Open API reference',
      icon: <BookOpen className="size-4" aria-hidden="true" />,
      act: () => location.assign('/docs'),
    },
    {
      name: `Change theme (current: ${theme})`,
      icon: <Moon className="size-4" aria-hidden="true" />,
      act: () => setTheme(nextTheme(theme)),
    },
    {
      name: isCollapsed ? 'Expand navigation' : 'Collapse navigation',
      icon: <PanelLeft className="size-4" aria-hidden="true" />,
      act: () => collapse(!isCollapsed),
    },
    {
      name: 'Keyboard shortcuts',
      icon: <Keyboard className="size-4" aria-hidden="true" />,
      keys: ['?'],
      act: openHelp,
    },
    {
      name: 'Sign out',
      icon: <LogOut className="size-4" aria-hidden="true" />,
      act: () => void signOut(),
    },
  ];
}
