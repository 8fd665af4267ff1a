/** How long an invitation can be accepted. */
import { DAY_MS } from '../../../platform/core/text/durations.ts';

export const INVITATION_LIFE_MS = 7 * DAY_MS;
