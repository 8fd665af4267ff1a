/** Repository → Search: lines of code by text or regular expression, or files by name; the address holds the whole query. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { CodeSearch } from '../../page-search.ts';
import { RefPicker } from '../../parts/code/ref-picker.tsx';
import { FoundCode } from '../../parts/code-search/found-code.tsx';
import { SearchForm } from '../../parts/code-search/search-form.tsx';
import type { Repository } from '../../parts/repositories/repository-state.tsx';
import { RepositoryFrame } from '../../parts/repository/repository-frame.tsx';
import { FoundFiles } from './found-files.tsx';
import { SearchHelp } from './search-help.tsx';

export function CodeSearchPage() {
  const { repositoryId } = useParams({ from: '/signed-in/repositories/$repositoryId/search' });
  const search = useSearch({ from: '/signed-in/repositories/$repositoryId/search' });
  return (
    <RepositoryFrame
      repositoryId={repositoryId}
      title={search.pattern ? `Search for ${search.pattern}` : 'Search'}
      needsCode
    >
      {(repository) => <Search repository={repository} search={search} />}
    </RepositoryFrame>
  );
}

function Search({ repository, search }: { repository: Repository; search: CodeSearch }) {
  const navigate = useNavigate({ from: '/repositories/$repositoryId/search' });
  return (
    <>
      <SearchForm
        repository={repository}
        search={search}
        picker={
          <RefPicker
            repository={repository}
            current={search.ref}
            onPick={(ref) => {
              const { ref: _before, ...others } = search;
              void navigate({ search: { ...others, ...(ref && { ref }) } });
            }}
          />
        }
      />
      {!search.pattern && <SearchHelp search={search} />}
      {search.pattern && search.mode === 'files' && (
        <FoundFiles repository={repository} at={search.ref} pattern={search.pattern} />
      )}
      {search.pattern && search.mode !== 'files' && <FoundCode repository={repository} search={search} />}
    </>
  );
}
