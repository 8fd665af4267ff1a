/** Keyboard keys; not shown on devices that are used by touch, unless they are the point. */

export function Keys({ always = false, keys }: { keys: string[]; always?: boolean }) {
  return (
    <span className={`flex shrink-0 gap-1 ${always ? '' : 'pointer-coarse:hidden'}`}>
      {keys.map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-xs text-quiet"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

/** The modifier of shortcuts: Command on Apple devices, Ctrl elsewhere. */
export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';
