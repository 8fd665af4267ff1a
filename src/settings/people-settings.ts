/** Single sign-on and mail. */

import { GIVEN_ROLES, type RoleRule } from '../engines/identity-provider/contract.ts';
import type { MailServer } from '../platform/core/ports/mail-server.ts';
import { InvalidSetting, integer, oneOf, readHosts, readLine, type Setting } from './setting.ts';

export const peopleSettings = {
  SMTP_URL: {
    defaultNote: 'none: no mail is sent',
    takes: 'an SMTP URL',
    meaning:
      'The mail server for notifications, such as `smtps://user:password@mail.example.com` or `smtp://mail.example.com:587`. `smtps` uses TLS from the start (port 465), `smtp` STARTTLS if the server offers it (port 587); with a user, TLS is required. Percent-encode special characters. Set it on web and worker processes alike. See [notifications.md](notifications.md).',
    read: readSmtpUrl,
  },
  MAIL_FROM: {
    defaultNote: 'required with SMTP_URL',
    takes: 'an address',
    meaning:
      'The sender of notifications, such as `countersign@example.com` or `Countersign <countersign@example.com>`.',
    read: readSender,
  },
  SSO_ISSUER: {
    defaultNote: 'none: single sign-on is set up in the web app',
    takes: 'a URL',
    meaning:
      'The issuer of your OpenID Connect provider, exactly as it publishes it. With it, all single sign-on settings come from these variables and the page shows them read-only. See [single-sign-on.md](single-sign-on.md). It may be on a private network.',
    read: (text: string) => {
      const url = URL.parse(text);
      if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
        throw new InvalidSetting('must be an HTTP or HTTPS URL without a query');
      }
      return text;
    },
  },
  SSO_CLIENT_ID: {
    defaultNote: 'required with SSO_ISSUER',
    takes: 'ASCII characters without spaces',
    meaning: 'The client ID (application ID) that the provider gave you.',
    read: readClientValue,
  },
  SSO_CLIENT_SECRET: {
    defaultNote: 'required with SSO_ISSUER',
    takes: 'ASCII characters without spaces',
    meaning: 'The client secret that the provider gave you. It is stored encrypted.',
    read: readClientValue,
  },
  SSO_ORGANIZATION: {
    defaultNote: 'the first organization',
    takes: 'the name or ID of an organization',
    meaning: 'The organization that these settings are for.',
    read: readLine,
  },
  SSO_NAME: {
    default: 'single sign-on',
    takes: 'at most 200 characters',
    meaning: 'The name of the provider on the sign-in button, such as `Okta`.',
    read: readLine,
  },
  SSO_ALLOWED_DOMAINS: {
    default: '',
    takes: 'domains, separated by commas',
    meaning: 'Email domains that can sign in. Empty allows every address that the provider verified.',
    read: readHosts,
  },
  SSO_NEW_MEMBERS: {
    default: 'first_sign_in',
    meaning: 'Whether people become members when they first sign in, or need an invitation.',
    ...oneOf(['first_sign_in', 'invitation']),
  },
  SSO_DEFAULT_ROLE: {
    default: 'member',
    meaning: 'The role of new members, and of people in no mapped group. `none` refuses them.',
    ...oneOf([...GIVEN_ROLES, 'none']),
  },
  SSO_ROLE_CLAIM: {
    default: 'groups',
    takes: 'the name of a claim',
    meaning: 'The claim with the groups. Use dots for a nested claim, such as `realm_access.roles`.',
    read: readClientValue,
  },
  SSO_ROLES: {
    default: '',
    takes: 'pairs such as `engineering=member,platform=admin`',
    meaning:
      'Which group gets which role (`viewer`, `member` or `admin`). The highest one counts, at every sign-in.',
    read: readRoleRules,
  },
  SSO_PASSWORD_SIGN_IN: {
    default: 'on',
    meaning:
      'Whether people can sign in with a password as well. Before you turn it off, sign in with single sign-on once. `countersign sso off` is the way back in.',
    ...oneOf(['on', 'off']),
  },
  SSO_RECHECK_MINUTES: {
    default: '10',
    meaning: 'How often the provider is asked whether a person may still use the service.',
    ...integer(5, 1440),
  },
  SSO_SIGN_IN_HOURS: {
    default: '24',
    meaning: 'Where the provider gives no refresh token to ask with: how long access lasts after a sign-in.',
    ...integer(1, 720),
  },
} satisfies Record<string, Setting<unknown>>;

function readClientValue(text: string): string {
  if (!/^[\x21-\x7e]{1,2000}$/.test(text)) {
    throw new InvalidSetting('must have at most 2,000 ASCII characters and no spaces');
  }
  return text;
}

/** Groups may contain colons, slashes and spaces, but neither `=` nor a comma. */
function readRoleRules(text: string): RoleRule[] {
  return text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [value, name, ...more] = pair.split('=').map((part) => part.trim());
      const role = GIVEN_ROLES.find((each) => each === name);
      if (!value || !role || more.length > 0) {
        throw new InvalidSetting(`must be pairs such as engineering=member, with ${GIVEN_ROLES.join(', ')}`);
      }
      return { value, role };
    });
}

/** Never repeats the text, which may contain a password. */
function readSmtpUrl(text: string): Omit<MailServer, 'from'> {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') {
    throw new InvalidSetting('must be a URL such as smtps://user:password@mail.example.com');
  }
  if (url.search || url.hash || (url.pathname !== '' && url.pathname !== '/')) {
    throw new InvalidSetting('must not have a path, query or fragment');
  }
  const secure = url.protocol === 'smtps:';
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      credentials:
        url.username === ''
          ? undefined
          : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    };
  } catch {
    throw new InvalidSetting('must have a percent-encoded user and password');
  }
}

function readSender(text: string): string {
  if (!/^(?:[^\p{Cc}<>,;:"@]{1,100} )?(?:<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/u.test(text)) {
    throw new InvalidSetting('must be an address such as Countersign <countersign@example.com>');
  }
  return text;
}
