/** GET /api/v2/system/checks: what `countersign doctor` prints, on the node that serves the request. */
import { defineOperation } from '../../context.ts';
import { CheckSystemInput, SystemChecks } from './contract.ts';
import { hostChecks, runCheck } from './host-checks.ts';

export const checkSystem = defineOperation({
  name: 'check-system',
  group: 'System',
  summary: 'Check the installation',
  description:
    'Runs the checks of `countersign doctor` on the node that serves the request. What organizations set up, such as code hosts, is checked for your organization only. Takes up to ten seconds.',
  http: { method: 'GET', path: '/api/v2/system/checks', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: CheckSystemInput,
  output: SystemChecks,
  problems: [],
  async run({ actor, baseUrl, db, settings }) {
    const { organizationId } = actor;
    const host = { settings, baseUrl, db, organizationId };
    const checks = hostChecks.map(async (check) => {
      const { detail, next, state } = await runCheck(check, host);
      return { name: check.name, state, detail, next: next ?? null };
    });
    return { checks: await Promise.all(checks) };
  },
});
