/** The sheet of keyboard shortcuts. */
import { Dialog } from '../components/dialog.tsx';
import type { Place } from './navigation.ts';

export function ShortcutHelp({ open, places, onClose }: { open: boolean; places: Place[]; onClose(): void }) {
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], 'Search and commands'],
    [['/'], 'Search and commands'],
    [['?'], 'This help'],
    ...places.map(({ key, name }): [string[], string] => [['g', key], `Go to ${name}`]),
    [['Esc'], 'Close what is open'],
  ];
  return (
    <Dialog open={open} title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid gap-2 text-sm">
        {rows.map(([keys, meaning]) => (
          <div key={keys.join(' ')} className="flex items-center justify-between gap-4">
            <dt>{meaning}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded border border-line bg-sunken px-1.5 py-0.5 text-center font-sans text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
