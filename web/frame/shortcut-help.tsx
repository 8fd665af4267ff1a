/** The sheet of keyboard shortcuts. */
import { Dialog } from '../components/dialog.tsx';
import { COMMAND_KEY, Keys } from '../components/kbd.tsx';
import type { Place } from './navigation.ts';

export function ShortcutHelp({ open, places, onClose }: { open: boolean; places: Place[]; onClose(): void }) {
  const rows: [string[], string][] = [
    [[COMMAND_KEY, 'K'], 'Search and commands'],
    [['/'], 'The same, with one key'],
    [['?'], 'This help'],
    ...places.map(({ key, name }): [string[], string] => [['g', key], `Go to ${name}`]),
    [['Esc'], 'Close what is open'],
  ];
  return (
    <Dialog open={open} title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid gap-2.5 text-sm">
        {rows.map(([keys, meaning]) => (
          <div key={keys.join(' ')} className="flex items-center justify-between gap-4">
            <dt>{meaning}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
