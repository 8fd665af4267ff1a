/** The list of keyboard shortcuts: those of the page first, then those that work everywhere. */
import { Dialog } from '../components/dialog.tsx';
import { COMMAND_KEY, Keys } from '../components/kbd.tsx';
import type { NavItem } from './navigation.ts';
import { pageShortcuts } from './use-shortcuts.ts';

type Row = [keys: string[], meaning: string];

export function ShortcutHelp({ open, items, onClose }: { open: boolean; items: NavItem[]; onClose(): void }) {
  const ofPage = open ? pageShortcuts().map(({ keys, meaning }): Row => [keys.slice(0, 1), meaning]) : [];
  const everywhere: Row[] = [
    [[COMMAND_KEY, 'K'], 'Search and commands'],
    ...(ofPage.some(([[key]]) => key === '/') ? [] : [[['/'], 'Quick search'] as Row]),
    [['?'], 'Keyboard shortcuts'],
    ...items.map(({ key, name }): Row => [['g', key], `Go to ${name}`]),
    [['Esc'], 'Close'],
  ];
  return (
    <Dialog open={open} title="Keyboard shortcuts" onClose={onClose}>
      {ofPage.length > 0 && (
        <>
          <h3 className="mb-2 text-xs font-medium text-quiet">On this page</h3>
          <Rows rows={ofPage} />
          <h3 className="mt-5 mb-2 text-xs font-medium text-quiet">Everywhere</h3>
        </>
      )}
      <Rows rows={everywhere} />
    </Dialog>
  );
}

function Rows({ rows }: { rows: Row[] }) {
  return (
    <dl className="grid gap-2.5 text-sm">
      {rows.map(([keys, meaning]) => (
        <div key={keys.join(' ')} className="flex items-center justify-between gap-4">
          <dt>{meaning}</dt>
          <dd>
            <Keys keys={keys} always />
          </dd>
        </div>
      ))}
    </dl>
  );
}
