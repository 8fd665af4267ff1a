/** Selects a version. */
import { ChevronDown } from 'lucide-react';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Menu, MenuChoice, MenuChoices, MenuHeading } from '../../../components/menu.tsx';
import { Time } from '../../../components/time.tsx';
import type { Plan, Version } from '../plan-data.ts';

export function VersionPicker(props: {
  plan: Plan;
  version: number;
  /** The purpose of the selected version. */
  label: string;
  onChoose(version: number): void;
}) {
  const { label, onChoose, plan, version } = props;
  return (
    <Menu
      align="start"
      trigger={
        <Button size="small">
          <span className="tabular-nums">
            <span className="sr-only">{label}: </span>v{version}
            {label === 'Version' && <span className="font-normal text-quiet"> of {plan.version}</span>}
          </span>
          <ChevronDown className="-mr-1 size-4 text-quiet" aria-hidden="true" />
        </Button>
      }
    >
      <MenuHeading>{label}</MenuHeading>
      <MenuChoices value={String(version)} onValueChange={(chosen) => onChoose(Number(chosen))}>
        {plan.versions.map((each) => (
          <MenuChoice key={each.versionId} value={String(each.version)}>
            <span className="w-8 shrink-0 font-medium tabular-nums">v{each.version}</span>
            <span className="min-w-0 flex-1 truncate">{each.author.name}</span>
            <Marks plan={plan} version={each} />
            <Time at={each.createdAt} />
          </MenuChoice>
        ))}
      </MenuChoices>
    </Menu>
  );
}

function Marks({ plan, version }: { plan: Plan; version: Version }) {
  const verdicts = plan.reviews.filter(
    (review) => review.versionId === version.versionId && review.withdrawnAt === null,
  );
  if (verdicts.some(({ verdict }) => verdict === 'approved')) return <Badge kind="good">Approved</Badge>;
  if (verdicts.length > 0) return <Badge kind="danger">Changes requested</Badge>;
  return version.unchanged ? <Badge>Unchanged</Badge> : null;
}
