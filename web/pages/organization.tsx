/** Settings → Organization: settings for everyone in the organization, and the paths that reviews skip. */
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { addressOf } from '../api/client.ts';
import { operationQuery, useSession } from '../api/queries.ts';
import { ButtonAnchor } from '../components/button.tsx';
import { ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { SETTING_WORDS } from '../parts/organization/setting-words.ts';
import { ExcludedPaths } from './organization/excluded-paths.tsx';
import { SettingCard } from './organization/setting-card.tsx';

export function OrganizationPage() {
  const { organization } = useSession();
  const { data, error, refetch } = useQuery(operationQuery('list-switches', {}));
  const shown = (about: 'plans' | 'reviews') =>
    data?.switches
      .filter(({ key }) => SETTING_WORDS[key].about === about)
      .map((each) => <SettingCard key={each.key} each={each} />);
  return (
    <Page title="Organization" lead={`Settings for everyone in ${organization.name}.`}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={9} />}
      {data && (
        <>
          <Section title="Plans">{shown('plans')}</Section>
          <Section title="Reviews" lead="With conditions, a setting is on for some pull requests only.">
            {shown('reviews')}
          </Section>
          <ExcludedPaths />
          <Section
            title="Export"
            lead="Everything in the organization as JSON lines, without passwords, keys and source code. The export is recorded in the audit log."
          >
            <div>
              <ButtonAnchor href={addressOf('export-organization', {})} download>
                <Download className="size-4" aria-hidden="true" />
                Export organization
              </ButtonAnchor>
            </div>
          </Section>
        </>
      )}
    </Page>
  );
}
