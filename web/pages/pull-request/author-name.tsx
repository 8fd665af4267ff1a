/** Who wrote something: people, this service's reviewers and other bots are told apart. */
import { Bot, ShieldCheck } from 'lucide-react';
import { Avatar } from '../../components/avatar.tsx';
import type { Author } from '../../parts/pull-request/pull-request-data.ts';

const KINDS = {
  person: undefined,
  agent: { icon: Bot, name: 'with an agent' },
  reviewer: { icon: ShieldCheck, name: 'reviewer' },
  bot: { icon: Bot, name: 'bot' },
};

export function AuthorAvatar({ author, size }: { author: Author; size?: 'usual' | 'small' }) {
  const kind = KINDS[author.kind];
  if (kind && author.kind !== 'agent') {
    const Icon = kind.icon;
    return (
      <span
        aria-hidden="true"
        className={`inline-flex shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent ${size === 'small' ? 'size-5' : 'size-7'}`}
      >
        <Icon className={size === 'small' ? 'size-3' : 'size-4'} />
      </span>
    );
  }
  return <Avatar person={{ id: author.id ?? colorSeed(author.name), name: author.name }} size={size} />;
}

export function AuthorName({ author }: { author: Author }) {
  const kind = KINDS[author.kind];
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <span className="min-w-0 truncate font-semibold" title={author.name}>
        {author.name}
      </span>
      {kind && (
        <span className="inline-flex h-4.5 shrink-0 items-center gap-1 rounded-full border border-line px-1.5 text-[0.6875rem] text-quiet">
          <kind.icon className="size-3" aria-hidden="true" />
          {kind.name}
        </span>
      )}
    </span>
  );
}

/** Accounts of a code host have no ID here. */
function colorSeed(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 0xffff;
  return sum.toString(16);
}
