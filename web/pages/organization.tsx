/** Settings → Organization: settings for everyone in the organization, and the paths that reviews skip. */
import { useQuery } from '@tanstack/react-query';
import type { CallOutput } from '../api/client.ts';
import { operationQuery, useSession } from '../api/queries.ts';
import { ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { ExcludedPaths } from './organization/excluded-paths.tsx';
import { SwitchCard } from './organization/switch-card.tsx';

type Key = CallOutput<'list-switches'>['switches'][number]['key'];

const ABOUT_PLANS: readonly Key[] = ['planner', 'self_approval'];

export function OrganizationPage() {
  const { organization } = useSession();
  const { data, error, refetch } = useQuery(operationQuery('list-switches', {}));
  const shown = (aboutPlans: boolean) =>
    data?.switches
      .filter(({ key }) => ABOUT_PLANS.includes(key) === aboutPlans)
      .map((each) => <SwitchCard key={each.key} each={each} />);
  return (
    <Page title="Organization" lead={`Settings for everyone in ${organization.name}.`}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={9} />}
      {data && (
        <>
          <Section title="Plans">{shown(true)}</Section>
          <Section title="Reviews" lead="With conditions, a setting is on for some pull requests only.">
            {shown(false)}
          </Section>
          <ExcludedPaths />
        </>
      )}
    </Page>
  );
}
