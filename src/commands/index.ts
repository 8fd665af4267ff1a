/** Every command, in the order of the help text; nothing else. */
import type { Command } from './command.ts';

/** By first word. Files are loaded on demand, because loading all of them takes most of a second. */
const FAMILIES: Readonly<Record<string, () => Promise<Command[]>>> = {
  init: async () => [(await import('./init/init.ts')).init],
  serve: async () => [(await import('./serve/serve.ts')).serve],
  setup: async () => [(await import('./operator/setup.ts')).setup],
  organization: async () => {
    const { organizationAdd, organizationList } = await import('./operator/setup.ts');
    const { organizationDelete, organizationExport } = await import('./operator/privacy.ts');
    return [organizationAdd, organizationList, organizationExport, organizationDelete];
  },
  user: async () => {
    const { userAdd, userDeactivate, userList, userResetPassword } = await import('./operator/user.ts');
    const { userDelete } = await import('./operator/privacy.ts');
    return [userAdd, userList, userDeactivate, userDelete, userResetPassword];
  },
  team: async () => {
    const { teamAdd, teamCreate, teamDelete, teamList, teamRemove, teamRename, teamShow } = await import(
      './operator/team.ts'
    );
    return [teamList, teamShow, teamCreate, teamRename, teamDelete, teamAdd, teamRemove];
  },
  sso: async () => {
    const { ssoOff, ssoOn } = await import('./operator/sso.ts');
    return [ssoOff, ssoOn];
  },
  key: async () => {
    const { keyCreate, keyList, keyRevoke } = await import('./operator/key.ts');
    return [keyCreate, keyList, keyRevoke];
  },
  host: async () => {
    const { hostAdd, hostList, hostRemove } = await import('./operator/host.ts');
    return [hostAdd, hostList, hostRemove];
  },
  repo: async () => {
    const { repoAdd, repoList, repoRefresh, repoRemove, repoStatus } = await import('./operator/repo.ts');
    return [repoAdd, repoList, repoStatus, repoRefresh, repoRemove];
  },
  'pull-request': async () => {
    const { pullRequestClose, pullRequestList, pullRequestOpen } = await import('./operator/pull-request.ts');
    return [pullRequestOpen, pullRequestList, pullRequestClose];
  },
  rule: async () => {
    const { ruleList, ruleRemove, ruleSet } = await import('./operator/rule.ts');
    return [ruleList, ruleSet, ruleRemove];
  },
  reviewer: async () => {
    const { reviewerExport, reviewerImport, reviewerList } = await import('./operator/reviewer.ts');
    return [reviewerList, reviewerImport, reviewerExport];
  },
  advisories: async () => [(await import('./operator/advisories.ts')).advisoriesImport],
  decision: async () => [(await import('./operator/decision.ts')).decisionExport],
  review: async () => {
    const { review, reviewDiff } = await import('./clone/review.ts');
    return [review, reviewDiff];
  },
  backup: async () => {
    const { backup, backupVerify } = await import('./operator/backup.ts');
    return [backup, backupVerify];
  },
  restore: async () => [(await import('./operator/restore.ts')).restore],
  plan: async () => {
    const { planPost, planStatus, planWait } = await import('./clone/plan.ts');
    return [planPost, planStatus, planWait];
  },
  hook: async () => [(await import('./clone/hook.ts')).hookPreReceive],
  status: async () => [(await import('./clone/status.ts')).statusSet],
  discussions: async () => [
    (await import('./clone/discussions.ts')).discussions,
    (await import('./operator/discussion-labels.ts')).discussionLabels,
  ],
  doctor: async () => [(await import('./doctor/doctor.ts')).doctor],
};

/** The commands that start with the given word; all of them if none does. */
export async function loadCommands(firstWord?: string): Promise<Command[]> {
  const one = firstWord !== undefined && Object.hasOwn(FAMILIES, firstWord) && FAMILIES[firstWord];
  const loads = one ? [one] : Object.values(FAMILIES);
  return (await Promise.all(loads.map((load) => load()))).flat();
}
