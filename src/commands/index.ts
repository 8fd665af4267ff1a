/** Every command, in the order of the help text; nothing else. */
import { backup, backupVerify } from './backup.ts';
import type { Command } from './command.ts';
import { discussions } from './discussions.ts';
import { doctor } from './doctor.ts';
import { hostAdd, hostList, hostRemove } from './host.ts';
import { init } from './init.ts';
import { keyCreate, keyList, keyRevoke } from './key.ts';
import { planPost, planStatus, planWait } from './plan.ts';
import { pullRequestClose, pullRequestList, pullRequestOpen } from './pull-request.ts';
import { repoAdd, repoList, repoRefresh, repoRemove, repoStatus } from './repo.ts';
import { restore } from './restore.ts';
import { review } from './review.ts';
import { reviewerExport, reviewerImport, reviewerList } from './reviewer.ts';
import { serve } from './serve.ts';
import { organizationAdd, organizationList, setup } from './setup.ts';
import { ssoOff, ssoOn } from './sso.ts';
import { userAdd, userDeactivate, userList, userResetPassword } from './user.ts';

export const commands: readonly Command[] = [
  init,
  serve,
  setup,
  organizationAdd,
  organizationList,
  userAdd,
  userList,
  userDeactivate,
  userResetPassword,
  ssoOff,
  ssoOn,
  keyCreate,
  keyList,
  keyRevoke,
  hostAdd,
  hostList,
  hostRemove,
  repoAdd,
  repoList,
  repoStatus,
  repoRefresh,
  repoRemove,
  pullRequestOpen,
  pullRequestList,
  pullRequestClose,
  reviewerList,
  reviewerImport,
  reviewerExport,
  review,
  backup,
  backupVerify,
  restore,
  planPost,
  planStatus,
  planWait,
  discussions,
  doctor,
];
