/** The shapes of single sign-on. */
import { z } from 'zod';
import { GIVEN_ROLES } from '../../engines/identity-provider/contract.ts';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';
import { SessionView } from '../accounts/contract.ts';

const Issuer = text({ max: 500 })
  .refine(
    (value) => /^https?:\/\/[^\s?#@]+$/i.test(value) && URL.canParse(value),
    'must be a URL without a query',
  )
  .describe("The provider's issuer, exactly as it publishes it.");
const ClientId = requiredText({ max: 500 });
const ClientSecret = requiredText({ max: 2000 }).optional();
const Domain = text({ max: 253 })
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i,
    'must be a domain such as example.com',
  )
  .toLowerCase();
const GivenRole = z.enum(GIVEN_ROLES);

const Settings = z.object({
  name: requiredText({ max: 60 }).describe(
    'The provider as people know it. Everyone can see it on the sign-in page.',
  ),
  issuer: Issuer,
  clientId: ClientId,
  enabled: z.boolean(),
  allowedDomains: z
    .array(Domain)
    .max(50)
    .describe('Email domains that can sign in; empty allows all that the provider has.'),
  newMembers: z
    .enum(['first_sign_in', 'invitation'])
    .describe('Whether people become members when they first sign in, or need an invitation.'),
  defaultRole: GivenRole.nullable().describe(
    'The role of people without a matching group; null refuses them.',
  ),
  roleClaim: requiredText({ max: 200 }).describe('The claim with the groups; a dot leads into an object.'),
  roleRules: z
    .array(z.object({ value: requiredText({ max: 200 }), role: GivenRole }))
    .max(100)
    .describe('With rules, the highest matching role is set at every sign-in. Owners keep their role.'),
  passwordSignIn: z
    .boolean()
    .describe('False: people sign in to this organization with single sign-on only.'),
  recheckMinutes: z
    .int()
    .min(5)
    .max(1440)
    .describe('Time between two checks of a person with their refresh token.'),
  signInHours: z
    .int()
    .min(1)
    .max(720)
    .describe('Without a refresh token: how long access lasts after a sign-in.'),
});

export const ChangeSingleSignOnInput = Settings.extend({
  clientSecret: ClientSecret.describe('Left out: the stored one is kept. Required with a new issuer.'),
});
export const SingleSignOnView = z
  .object({
    settings: Settings.nullable(),
    setBy: z.enum(['page', 'environment']),
    switchedOffAt: timestamp().nullable().describe('Set when the operator switched it off on the host.'),
    redirectUrl: z.string().describe('Register this redirect URL at the provider.'),
    logoutUrl: z.string().describe('Register this back-channel logout URL at the provider.'),
  })
  .meta({ id: 'SingleSignOn' });

export const TestSingleSignOnInput = z.object({
  issuer: Issuer,
  clientId: ClientId,
  clientSecret: ClientSecret.describe('Left out: the stored one is used, if the issuer is the stored one.'),
});
export const SingleSignOnTest = z
  .object({
    ok: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  })
  .meta({ id: 'SingleSignOnTest' });

export const SignInMethods = z
  .object({
    password: z.boolean(),
    singleSignOn: z.array(
      z.object({
        organizationId: uuid(),
        name: z.string(),
        passwordSignIn: z
          .boolean()
          .describe('Whether this organization also lets people in with a password.'),
      }),
    ),
  })
  .meta({ id: 'SignInMethods' });

export const StartSingleSignOnInput = z.object({
  organizationId: uuid(),
  returnTo: text({ max: 4000 }).optional().describe('The page to return to: a path of this service.'),
});
export const ProviderPage = z.object({ url: z.string() }).meta({ id: 'ProviderPage' });
export const FinishSingleSignOnInput = z.object({
  state: text({ min: 1, max: 200 }),
  code: text({ max: 8000 }).optional(),
  iss: text({ max: 1000 }).optional(),
  error: text({ max: 200 }).optional(),
});
export const FinishedSingleSignOn = z
  .object({ session: SessionView, returnTo: z.string() })
  .meta({ id: 'FinishedSingleSignOn' });

const Identity = z
  .object({
    issuer: z.string(),
    subject: z.string(),
    email: z.string(),
    lastSignInAt: timestamp(),
    confirmedAt: timestamp().describe('The last time the provider confirmed the person.'),
    recheckedWithToken: z.boolean().describe('Whether the provider gave a refresh token to check with.'),
  })
  .meta({ id: 'Identity' });
export const MyIdentity = z
  .object({
    provider: z.string().nullable().describe('The name of the provider; null when single sign-on is off.'),
    passwordSignIn: z.boolean(),
    identity: Identity.nullable(),
  })
  .meta({ id: 'MyIdentity' });
export const ListIdentitiesInput = z.object({
  ...PAGE_INPUT,
  cursor: text({ max: 2500 }).optional().describe('The `nextCursor` of the previous page.'),
});
export const IdentityPage = z
  .object({
    members: z.array(
      z.object({
        userId: uuid(),
        name: z.string(),
        email: z.string(),
        identity: Identity.nullable(),
        suspendedAt: timestamp().nullable(),
        linkAllowedUntil: timestamp().nullable(),
      }),
    ),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'IdentityPage' });
export const AllowIdentityLinkInput = z.object({ userId: uuid() });
export const AllowedIdentityLink = z.object({ until: timestamp() }).meta({ id: 'AllowedIdentityLink' });
export const UnlinkIdentityInput = z.object({ userId: uuid() });
export const ReceiveLogoutInput = z.object({ organizationId: uuid() });
