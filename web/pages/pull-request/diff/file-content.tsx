/** Shown of a file in place of its lines: images, the targets of a link, the commits of a submodule. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import type { ChangedFile } from './diff-types.ts';
import type { Content } from './file-rows.ts';
import { ImagePair } from './image-pair.tsx';
import { LinkPair } from './link-pair.tsx';
import { SubmoduleCommits } from './submodule-commits.tsx';

export function FileContent(props: {
  content: Content;
  file: ChangedFile;
  pullRequest: Pick<PullRequest, 'id' | 'repository'>;
  from: string;
  to: string;
}) {
  const { content, file, from, pullRequest, to } = props;
  switch (content.kind) {
    case 'images':
      return <ImagePair file={file} repository={pullRequest.repository.name} from={from} to={to} />;
    case 'links':
      return <LinkPair diff={content.diff} file={file} />;
    case 'submodule':
      return <SubmoduleCommits pullRequestId={pullRequest.id} file={file} from={from} to={to} />;
  }
}
