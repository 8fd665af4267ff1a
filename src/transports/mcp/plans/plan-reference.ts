/** The `planId` argument: a plan's id or the URL of its page. */
import { z } from 'zod';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const PLAN = new RegExp(`^(?:\\S*/plans/)?(${UUID})(?:[/?#]\\S*)?$`, 'i');

/** Accepts both forms and yields the id. */
export function planReference() {
  return z
    .string()
    .max(2000)
    .transform((given, context) => {
      const id = PLAN.exec(given.trim())?.[1]?.toLowerCase();
      if (!id)
        context.addIssue({ code: 'custom', message: 'must be the id of a plan or the URL of its page' });
      return id ?? '';
    })
    .describe('The `sessionId` that the plan was posted with, or its URL.');
}

/** The URL of its page, for people. */
export function planUrl(baseUrl: string, planId: string): string {
  return `${baseUrl}/plans/${planId}`;
}

/** A cursor into a plan's text is useless once there is a newer version. */
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
