/** A menu that opens below its button. */
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

/** Not modal: a modal menu hides the page from screen readers, but leaves it reachable by keyboard. */
export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  trigger: ReactNode;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="appear z-[55] max-h-[min(28rem,var(--radix-dropdown-menu-content-available-height))] max-w-[min(24rem,calc(100vw-1rem))] min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1.5 shadow-xl"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const ITEM =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 py-1 text-sm outline-none data-highlighted:bg-accent-soft data-highlighted:text-accent';

export function MenuItem(props: {
  icon?: ReactNode;
  danger?: boolean;
  children: ReactNode;
  onSelect(): void;
}) {
  const { children, danger, icon, onSelect } = props;
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={
        danger ? `${ITEM} text-danger data-highlighted:bg-danger-soft data-highlighted:text-danger` : ITEM
      }
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

/** A radio item. */
export function MenuChoice({ value, children }: { value: string; children: ReactNode }) {
  return (
    <DropdownMenu.RadioItem value={value} className={ITEM}>
      <span className="size-4 shrink-0">
        <DropdownMenu.ItemIndicator>
          <Check className="size-4" aria-hidden="true" />
        </DropdownMenu.ItemIndicator>
      </span>
      {children}
    </DropdownMenu.RadioItem>
  );
}

export const MenuChoices = DropdownMenu.RadioGroup;

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />;
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2 pt-1 pb-1 text-xs font-medium text-quiet">
      {children}
    </DropdownMenu.Label>
  );
}
