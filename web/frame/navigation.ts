/** The pages of the navigation, from the route table: used by the sidebar, the command palette and the shortcuts. */
import { type AnyRoute, type LinkProps, useRouter } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { CallOutput } from '../api/client.ts';
import { useSession } from '../api/queries.ts';

interface NavEntry {
  name: string;
  icon: LucideIcon;
  /** Pressed after `g`. */
  key: string;
  group: 'Work' | 'Settings';
}

export interface NavItem extends NavEntry {
  to: NonNullable<LinkProps['to']>;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    nav?: NavEntry;
    /** The pages below are for admins and owners. */
    adminsOnly?: boolean;
  }
}

/** Every page of the navigation that the signed-in person can open. */
export function useNavItems(): NavItem[] {
  const session = useSession();
  const { routesById } = useRouter();
  return Object.values<AnyRoute>(routesById).flatMap(({ fullPath, options, parentRoute }) => {
    const nav = options.staticData?.nav;
    if (!nav || (parentRoute?.options.staticData?.adminsOnly && !isAdmin(session))) return [];
    return { ...nav, to: fullPath as NavItem['to'] };
  });
}

export function isAdmin({ role }: CallOutput<'get-session'>): boolean {
  return role === 'admin' || role === 'owner';
}
