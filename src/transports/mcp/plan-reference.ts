/** How a tool is told which plan is meant: by its id or by the address of its page. */
import { z } from 'zod';
import { invalidRequest } from '../../platform/core/errors.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const PLAN = new RegExp(`^(?:\\S*/plans/)?(${UUID})(?:[/?#]\\S*)?$`, 'i');

/** The argument `planId`; what the tool gets is the id. */
export function planReference() {
  return z
    .string()
    .max(2000)
    .transform((given, context) => {
      const id = PLAN.exec(given.trim())?.[1]?.toLowerCase();
      if (!id)
        context.addIssue({ code: 'custom', message: 'must be the id of a plan, or the address of its page' });
      return id ?? '';
    })
    .describe('The plan: its id (the `sessionId` it was posted with), or the address of its page.');
}

/** The address of its page, for people. */
export function planUrl(baseUrl: string, planId: string): string {
  return `${baseUrl}/plans/${planId}`;
}

/** A cursor into a plan's text is worth nothing once there is a newer text. */
export function refuseOtherVersion(read: string | undefined, version: number): void {
  if (read !== undefined && read !== String(version)) {
    throw invalidRequest([
      {
        path: 'cursor',
        message: `belongs to version ${read} of the plan, which is now at ${version}; call again without it`,
      },
    ]);
  }
}
