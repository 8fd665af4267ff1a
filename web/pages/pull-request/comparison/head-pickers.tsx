/** Picks the two heads that are compared. */
import { Link } from '@tanstack/react-router';
import { ArrowRight, ChevronDown } from 'lucide-react';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Menu, MenuChoice, MenuChoices, MenuHeading } from '../../../components/menu.tsx';
import { Time } from '../../../components/time.tsx';
import {
  type Head,
  type PullRequest,
  type Range,
  shortCommit,
} from '../../../parts/pull-request/pull-request-data.ts';
import type { ComparedHeads } from './compared-heads.ts';

const BASE = 'base';

export function HeadPickers(props: {
  pullRequest: PullRequest;
  compared: ComparedHeads;
  /** The head that this person looked at before. */
  lastSeen: string | null;
  onChoose(range: Range): void;
}) {
  const { compared, lastSeen, onChoose, pullRequest } = props;
  const { from, to } = compared;
  const { headCommit, heads } = pullRequest;
  if (heads.length < 2 || !to) return null;
  const choose = (start: string | undefined, end: string) =>
    onChoose({ ...(start && { from: start }), ...((start || end !== headCommit) && { to: end }) });
  const before = heads.filter(({ position }) => position < to.position);
  return (
    <div className="flex items-center gap-1.5">
      <Menu
        align="start"
        trigger={
          <Button size="small">
            <span className="sr-only">Compare from: </span>
            {from ? nameOf(from) : 'Base'}
            <ChevronDown className="-mr-1 size-4 text-quiet" aria-hidden="true" />
          </Button>
        }
      >
        <MenuHeading>Compare from</MenuHeading>
        <MenuChoices
          value={from?.commit ?? BASE}
          onValueChange={(chosen) => choose(chosen === BASE ? undefined : chosen, to.commit)}
        >
          <MenuChoice value={BASE}>
            <span className="flex-1">Base: everything that changed</span>
          </MenuChoice>
          {before.toReversed().map((head) => (
            <HeadChoice key={head.position} head={head} isSeen={head.commit === lastSeen} />
          ))}
        </MenuChoices>
      </Menu>
      <ArrowRight className="size-3.5 text-quiet" aria-label="to" />
      <Menu
        align="start"
        trigger={
          <Button size="small">
            <span className="sr-only">Compare to: </span>
            {to.commit === headCommit ? 'Newest' : nameOf(to)}
            <ChevronDown className="-mr-1 size-4 text-quiet" aria-hidden="true" />
          </Button>
        }
      >
        <MenuHeading>Compare to</MenuHeading>
        <MenuChoices
          value={to.commit}
          onValueChange={(chosen) => {
            const end = heads.findLast(({ commit }) => commit === chosen)!;
            choose(from && from.position < end.position ? from.commit : undefined, chosen);
          }}
        >
          {heads.toReversed().map((head) => (
            <HeadChoice
              key={head.position}
              head={head}
              isNewest={head.commit === headCommit}
              isSeen={head.commit === lastSeen}
            />
          ))}
        </MenuChoices>
      </Menu>
      {from && (
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: pullRequest.id }}
          search={{ view: 'commits', from: from.commit, to: to.commit }}
          className="ml-1 rounded text-[0.8125rem] whitespace-nowrap text-accent hover:underline max-sm:hidden"
        >
          Compare commits
        </Link>
      )}
    </div>
  );
}

function nameOf({ commit, position }: Head): string {
  return `Push ${position} · ${shortCommit(commit)}`;
}

function HeadChoice(props: { head: Head; isNewest?: boolean; isSeen: boolean }) {
  const { head, isNewest, isSeen } = props;
  return (
    <MenuChoice value={head.commit}>
      <span className="w-14 shrink-0 font-medium tabular-nums">Push {head.position}</span>
      <code className="flex-1 font-mono text-xs">{shortCommit(head.commit)}</code>
      {head.forced && <Badge kind="warn">Force-pushed</Badge>}
      {isSeen && <Badge>Last seen</Badge>}
      {isNewest && <Badge kind="accent">Newest</Badge>}
      <Time at={head.seenAt} />
    </MenuChoice>
  );
}
