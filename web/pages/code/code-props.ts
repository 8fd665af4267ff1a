/** The props of the folder and file views. */
import type { Repository } from '../../parts/repositories/repository-state.tsx';

export interface CodeProps {
  repository: Repository;
  /** The branch, tag or commit; undefined is the default branch. */
  at: string | undefined;
  path: string;
}
