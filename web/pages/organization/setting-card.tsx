/** One setting: on or off, its conditions, and its history. */
import { useId, useState } from 'react';
import { useOptimistic } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Card } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { Toggle } from '../../components/toggle.tsx';
import type { Setting } from '../../parts/organization/setting.ts';
import { SETTING_WORDS } from '../../parts/organization/setting-words.ts';
import { ConditionsForm } from './conditions-form.tsx';
import { describeConditions } from './describe-conditions.ts';
import { SettingHistory } from './setting-history.tsx';

export function SettingCard({ each }: { each: Setting }) {
  const { conditions, enabled, key, meaning, takesConditions, updatedAt, updatedBy } = each;
  const id = useId();
  const toast = useToast();
  const [open, setOpen] = useState<'conditions' | 'history'>();
  const { more, name } = SETTING_WORDS[key];
  const change = useOptimistic({
    operation: 'change-switch',
    list: 'list-switches',
    expect: (before, wanted) => ({
      switches: before.switches.map((other) =>
        other.key === wanted.key ? { ...other, enabled: wanted.enabled ?? other.enabled } : other,
      ),
    }),
  });
  const limits = describeConditions({
    ...conditions,
    repositories: conditions.repositories?.map((repository) => repository.name),
  });
  return (
    <Card className="flex items-start justify-between gap-5">
      <div className="grid min-w-0 gap-1">
        <h3 id={`${id}-name`} className="font-semibold">
          {name}
        </h3>
        <p id={`${id}-meaning`} className="text-sm">
          {meaning}
        </p>
        <p className="text-sm text-pretty text-quiet">{more}</p>
        {limits.length > 0 && (
          <p className="text-sm wrap-anywhere">
            <span className="font-medium">Only if:</span> {limits.join('; ')}
          </p>
        )}
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-quiet empty:hidden">
          {updatedAt && (
            <span>
              Last changed <Time at={updatedAt} />
              {updatedBy && ` by ${updatedBy.name}`}
            </span>
          )}
          {takesConditions && (
            <Button
              size="small"
              className="text-text"
              aria-label={`Conditions for ${name}`}
              onClick={() => setOpen('conditions')}
            >
              Conditions
            </Button>
          )}
          {updatedAt && (
            <Button
              size="small"
              className="text-text"
              aria-label={`History of ${name}`}
              onClick={() => setOpen('history')}
            >
              History
            </Button>
          )}
        </div>
      </div>
      <Toggle
        on={enabled}
        labelledBy={`${id}-name`}
        describedBy={`${id}-meaning`}
        disabled={change.isPending}
        onChange={(on) =>
          change.mutate(
            { key, enabled: on },
            {
              onSuccess: () => toast(`${name} turned ${on ? 'on' : 'off'}`),
              onError: (error) => toast(error.message, 'danger'),
            },
          )
        }
      />
      <Dialog
        open={open === 'conditions'}
        title={`Conditions for ${name}`}
        description="The setting is on only for pull requests that meet them all."
        onClose={() => setOpen(undefined)}
      >
        <ConditionsForm each={each} onSaved={() => setOpen(undefined)} />
      </Dialog>
      <Dialog open={open === 'history'} title={`History of ${name}`} onClose={() => setOpen(undefined)}>
        <SettingHistory settingKey={key} />
      </Dialog>
    </Card>
  );
}
