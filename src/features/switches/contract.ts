/** The shapes of an organization's settings, each of them on or off. */
import { z } from 'zod';
import { timestamp } from '../../platform/core/shapes.ts';

/** Every setting with its default and what it does. */
export const SWITCHES = {
  self_approval: {
    default: false,
    meaning: 'Members can approve plans that they created and versions that they wrote.',
  },
  auto_resolve_addressed: {
    default: false,
    meaning: 'Review discussions are resolved as soon as a later commit addresses them.',
  },
} as const satisfies Record<string, { default: boolean; meaning: string }>;

export type SwitchKey = keyof typeof SWITCHES;
export const SWITCH_KEYS = Object.keys(SWITCHES) as [SwitchKey, ...SwitchKey[]];

export const OrganizationSwitch = z
  .object({
    key: z.enum(SWITCH_KEYS),
    enabled: z.boolean(),
    meaning: z.string(),
    updatedAt: timestamp().nullable().describe('When it was last changed.'),
  })
  .meta({ id: 'OrganizationSwitch' });

export const ListSwitchesInput = z.object({});
export const OrganizationSwitches = z
  .object({ switches: z.array(OrganizationSwitch) })
  .meta({ id: 'OrganizationSwitches' });
export const ChangeSwitchInput = z.object({ key: z.enum(SWITCH_KEYS), enabled: z.boolean().optional() });
