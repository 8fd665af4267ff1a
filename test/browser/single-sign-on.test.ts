/** Single sign-on in the browser: an admin sets it up, and someone signs in through the provider, back on the page they wanted. */
import { expect, it } from 'vitest';
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from '../helpers/servers/identity-provider.ts';
import { newAgent } from './agent.ts';
import { expectAccessibleAtBothWidths, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

const service = await startServiceWithPages({ ALLOW_PRIVATE_ADDRESSES: 'true' });
const { newPerson } = await startBrowser();
const { acme } = service;
const provider = await startIdentityProvider({ redirectUrl: `${service.url}/sign-in/return` });
const atProvider = new RegExp(provider.issuer);

it('is set up, tested and used', async () => {
  const admin = await newPerson(service.url, { as: acme.admin });
  await admin.page.goto('/settings/single-sign-on');
  await untilLoaded(admin.page, 'Single sign-on');
  await admin.page.getByLabel('Name').fill('Acme ID');
  await admin.page.getByLabel('Issuer').fill(`${provider.issuer}/`);
  await admin.page.getByLabel('Client ID').fill(CLIENT_ID);
  await admin.page.getByLabel('Client secret').fill(CLIENT_SECRET);
  await admin.page.getByRole('button', { name: 'Test the connection' }).click();
  await admin.page.getByText(`Enter exactly that as the issuer`).waitFor();
  await admin.page.getByLabel('Issuer').fill(provider.issuer);
  await admin.page.getByRole('button', { name: 'Test the connection' }).click();
  await admin.page.getByText('The connection works.').waitFor();
  await admin.page.getByRole('button', { name: 'Save' }).click();
  await admin.page.getByText('Single sign-on saved', { exact: true }).waitFor();
  await admin.page.getByRole('button', { name: 'Allow to link: Acme viewer' }).waitFor();
  await expectAccessibleAtBothWidths(admin.page, 'single sign-on');

  provider.people.set('ada', { name: 'Ada', email: 'ada@acme.example', email_verified: true });
  provider.people.set('eve', { name: 'Eve', email: acme.owner.email, email_verified: true });
  const ada = await newPerson(service.url);
  ada.allow(atProvider);
  await ada.page.goto('/plans?status=approved');
  await ada.page.getByRole('button', { name: 'Sign in with Acme ID' }).click();
  await ada.page.getByRole('link', { name: 'Continue as Ada' }).click();
  await untilLoaded(ada.page, 'Plans');
  expect(ada.page.url()).toBe(`${service.url}/plans?status=approved`);
  await ada.page.goto('/settings/account');
  await ada.page.getByText('Linked to ada@acme.example').waitFor();

  // An agent's sign-in leads through it too, and back to the question.
  const agent = await newAgent(service.url);
  const again = await newPerson(service.url);
  again.allow(atProvider);
  await again.page.goto(agent.address);
  await again.page.getByRole('button', { name: 'Sign in with Acme ID' }).click();
  await again.page.getByRole('link', { name: 'Continue as Ada' }).click();
  await again.page.waitForURL('**/connect/**');
  await again.page.getByRole('button', { name: 'Allow' }).waitFor();

  const eve = await newPerson(service.url, { phone: true });
  eve.allow(atProvider);
  eve.allow(/403/);
  await eve.page.goto('/sign-in');
  await eve.page.getByRole('button', { name: 'Sign in with Acme ID' }).click();
  await eve.page.getByRole('link', { name: 'Continue as Eve' }).click();
  await untilLoaded(eve.page, 'You’re not signed in');
  await eve.page.getByRole('alert').getByText('already exists').waitFor();
});
