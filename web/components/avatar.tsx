/** A person as the first letter of their name, in a color derived from their id. */

const SIZES = { usual: 'size-7 text-xs', small: 'size-5 text-[0.625rem]' };
const COLORS = [
  'bg-accent-soft text-accent',
  'bg-good-soft text-good',
  'bg-warn-soft text-warn',
  'bg-danger-soft text-danger',
  'bg-line text-text',
];

export function Avatar({ person, size = 'usual' }: { person: Person; size?: keyof typeof SIZES }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none ${SIZES[size]} ${colorOf(person.id)}`}
    >
      {firstLetter(person.name)}
    </span>
  );
}

interface Person {
  id: string;
  name: string;
}

const ASCII_LETTER = /^[a-z](?=[ -~]|$)/i;

/** One grapheme, not half of an emoji. */
function firstLetter(name: string): string {
  // Most names: the first use of a segmenter takes some milliseconds.
  const letter = ASCII_LETTER.exec(name.trim());
  if (letter) return letter[0].toUpperCase();
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first?.segment.toUpperCase() ?? '?';
}

/** Ids made at the same time differ at their end. */
function colorOf(id: string): string {
  return COLORS[Number.parseInt(id.slice(-4), 16) % COLORS.length]!;
}
