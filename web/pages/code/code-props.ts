/** What the views of a folder and of a file are given. */
import type { Repository } from '../repositories/repository-state.tsx';

export interface CodeProps {
  repository: Repository;
  /** The branch, tag or commit; undefined is the default branch. */
  at: string | undefined;
  path: string;
}
