/** Where one can go: the side bar, the command palette and the shortcuts are made from this list. */
import type { LucideIcon } from 'lucide-react';
import {
  Bot,
  Building2,
  FolderGit2,
  House,
  Inbox,
  KeyRound,
  NotebookText,
  ScrollText,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react';
import type { CallOutput } from '../api/client.ts';

export interface Place {
  to:
    | '/'
    | '/plans'
    | '/inbox'
    | '/repositories'
    | '/settings/agents'
    | '/settings/api-keys'
    | '/settings/account'
    | '/settings/people'
    | '/settings/webhooks'
    | '/settings/organization'
    | '/settings/audit';
  name: string;
  icon: LucideIcon;
  /** Pressed after `g`. */
  key: string;
  group: 'Work' | 'Settings';
  /** Admins and owners alone. */
  admin?: boolean;
}

const PLACES: Place[] = [
  { to: '/', name: 'Home', icon: House, key: 'h', group: 'Work' },
  { to: '/inbox', name: 'Inbox', icon: Inbox, key: 'i', group: 'Work' },
  { to: '/plans', name: 'Plans', icon: NotebookText, key: 'n', group: 'Work' },
  { to: '/repositories', name: 'Repositories', icon: FolderGit2, key: 'r', group: 'Work' },
  { to: '/settings/agents', name: 'Agents', icon: Bot, key: 't', group: 'Settings' },
  { to: '/settings/api-keys', name: 'API keys', icon: KeyRound, key: 'k', group: 'Settings' },
  { to: '/settings/account', name: 'Account', icon: UserRound, key: 'a', group: 'Settings' },
  { to: '/settings/people', name: 'People', icon: UsersRound, key: 'p', group: 'Settings', admin: true },
  { to: '/settings/webhooks', name: 'Webhooks', icon: Webhook, key: 'w', group: 'Settings', admin: true },
  {
    to: '/settings/organization',
    name: 'Organization',
    icon: Building2,
    key: 'o',
    group: 'Settings',
    admin: true,
  },
  { to: '/settings/audit', name: 'Audit log', icon: ScrollText, key: 'l', group: 'Settings', admin: true },
];

export function placesFor(session: CallOutput<'get-session'>): Place[] {
  return PLACES.filter((place) => isAdmin(session) || !place.admin);
}

export function isAdmin({ role }: CallOutput<'get-session'>): boolean {
  return role === 'admin' || role === 'owner';
}
