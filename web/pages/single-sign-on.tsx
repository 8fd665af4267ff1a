/** Settings → Single sign-on: the organization's OpenID Connect provider, and who is linked to it. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api/queries.ts';
import { CopyButton } from '../components/copy.tsx';
import { SecretText } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Card, ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { LinkedMembers } from './single-sign-on/linked-members.tsx';
import { SettingsForm } from './single-sign-on/settings-form.tsx';

export function SingleSignOnPage() {
  const { data, error, refetch } = useQuery(operationQuery('get-single-sign-on', {}));
  return (
    <Page
      title="Single sign-on"
      lead="People sign in with your identity provider: Google, Okta, Microsoft Entra ID, Keycloak, or any other with OpenID Connect."
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data && (
        <>
          {data.switchedOffAt && (
            <div className="mb-6">
              <Notice kind="warn">
                The operator switched single sign-on off on the host (<Time at={data.switchedOffAt} />
                ). To switch it on again, they run <code>countersign sso on</code>.
              </Notice>
            </div>
          )}
          <Section
            title="At the provider"
            lead="Register Countersign there as a web application with these URLs."
          >
            <Card className="grid gap-4">
              {data.redirectUrl.startsWith('http:') && (
                <Notice kind="warn">
                  Providers accept only redirect URLs with HTTPS, except for localhost. Ask the operator to
                  set <code>BASE_URL</code> to the HTTPS address of this service.
                </Notice>
              )}
              <Address label="Redirect URL" text={data.redirectUrl} />
              <Address label="Back-channel logout URL (optional)" text={data.logoutUrl} />
            </Card>
          </Section>
          <Section title="Settings">
            <Card>
              <SettingsForm
                key={data.settings?.issuer ?? 'new'}
                view={data}
                readOnly={data.setBy === 'environment'}
              />
            </Card>
          </Section>
          {data.settings && <LinkedMembers />}
        </>
      )}
    </Page>
  );
}

function Address({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">{label}</p>
      <div className="flex gap-2">
        <SecretText label={label} text={text} />
        <CopyButton text={text} name={`Copy the ${label.toLowerCase()}`} />
      </div>
    </div>
  );
}
