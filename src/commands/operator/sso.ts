/** `countersign sso`: switches single sign-on off and on from the host, for when nobody can sign in with it. */
import { operatorOf } from '../../features/audit/index.ts';
import { switchSingleSignOn } from '../../features/single-sign-on/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import type { Call, Command } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printable } from '../terminal/printable.ts';
import { findOrganization, ORGANIZATION_OPTION } from './check-option.ts';

export const ssoOff: Command = {
  name: 'sso off',
  summary: 'Switch single sign-on off, so that people can sign in with a password',
  detail:
    'For emergencies: takes effect immediately, wins over the page and over environment\nvariables, and is recorded in the audit log. People without a password get one with `countersign user reset-password`.',
  options: [ORGANIZATION_OPTION],
  example: 'countersign sso off',
  quiet: true,
  async run(call) {
    const { changed, organization, name, issuer } = await flip(call, false);
    const what = `Single sign-on with ${name} (${issuer})`;
    process.stdout.write(
      changed
        ? `${what} is off for ${organization}. Password sign-in is on.\nPeople without a password: countersign user reset-password --email ADDRESS\nTo switch single sign-on on again: countersign sso on\n`
        : `${what} was already off for ${organization}. Nothing was changed.\n`,
    );
  },
};

export const ssoOn: Command = {
  name: 'sso on',
  summary: 'Switch single sign-on on again after `sso off`',
  options: [ORGANIZATION_OPTION],
  example: 'countersign sso on',
  quiet: true,
  async run(call) {
    const { changed, organization, name, issuer, passwordSignIn } = await flip(call, true);
    const passwords = passwordSignIn ? 'Password sign-in stays on.' : 'Password sign-in is off.';
    process.stdout.write(
      changed
        ? `The settings of single sign-on with ${name} (${issuer}) apply to ${organization} again. ${passwords}\n`
        : `Single sign-on of ${organization} wasn't switched off on the host. Nothing was changed.\n`,
    );
  },
};

async function flip(call: Call, on: boolean) {
  return withDatabase(call, async (db) => {
    const organization = await findOrganization(db, call);
    const outcome = await switchSingleSignOn(db, operatorOf(organization.id, systemClock.now()), on);
    if (!outcome) {
      throw new StartFailure(
        'refused',
        `${printable(organization.name)} has no single sign-on. Nothing was changed.`,
      );
    }
    return {
      ...outcome,
      name: printable(outcome.name),
      issuer: printable(outcome.issuer),
      organization: printable(organization.name),
    };
  });
}
