/** A switch that is on or off. */

export function Toggle(props: {
  on: boolean;
  disabled?: boolean;
  /** The id of the element that names it, or its name. */
  labelledBy?: string;
  label?: string;
  describedBy?: string;
  onChange(on: boolean): void;
}) {
  const { describedBy, disabled, label, labelledBy, on, onChange } = props;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={() => onChange(!on)}
      className="relative h-6 w-11 shrink-0 rounded-full border border-strong-line bg-strong-line transition-colors disabled:opacity-60 aria-checked:border-accent aria-checked:bg-accent"
    >
      <span
        aria-hidden="true"
        className={`absolute top-0.5 left-0.5 size-[1.125rem] rounded-full bg-page shadow-sm transition-transform ${on ? 'translate-x-5' : ''}`}
      />
    </button>
  );
}
