/** The shapes of accounts: organizations, people, sessions, invitations. */
import { z } from 'zod';
import { ROLES } from '../../platform/core/operations/actor.ts';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, secretText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

/** With invisible characters, two different names or addresses could look the same. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** The ones that names need: joiners and emoji variants. */
const IN_NAMES = /\u200c|\u200d|\ufe0e|\ufe0f/g;

export const Email = text({ max: 320 })
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
  .refine(
    (email) => !INVISIBLE.test(email) && !/\p{Cc}/u.test(email),
    'must not contain invisible characters',
  )
  .toLowerCase();
export const MAX_NAME_LENGTH = 200;
/** Names are shown on one line, in pages, mails, terminals and logs. */
const nameOf = () =>
  requiredText({ max: MAX_NAME_LENGTH })
    .refine(
      (name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name),
      'must not contain line breaks or other control characters',
    )
    .refine((name) => {
      const rest = name.replaceAll(IN_NAMES, '');
      return (rest !== '' || name === '') && !INVISIBLE.test(rest);
    }, 'must not contain invisible characters');
export const PersonName = nameOf();
export const OrganizationName = nameOf();
export const NewPassword = text({ min: 8, max: 1000 }).describe('8 to 1,000 characters.');
/** A password that is only compared, so it has no minimum length. */
const GivenPassword = text({ max: 1000 });
const Token = text({ min: 1, max: 200 });

export const RoleName = z.enum(ROLES);

export const SessionView = z
  .object({
    user: z.object({ id: uuid(), name: z.string(), email: z.string() }),
    organization: z.object({ id: uuid(), name: z.string() }),
    role: RoleName,
    organizations: z
      .array(z.object({ id: uuid(), name: z.string(), role: RoleName }))
      .describe('All organizations that this user can switch to.'),
  })
  .meta({ id: 'SessionView' });

export const SetupState = z
  .object({
    needed: z.boolean().describe('True until the service has been set up.'),
  })
  .meta({ id: 'SetupState' });
export const SetUpInput = z.object({
  token: Token.describe('The token from the setup link that the service prints at startup.'),
  organizationName: OrganizationName,
  name: PersonName.describe("The owner's name."),
  email: Email,
  password: NewPassword,
});

export const SignInInput = z.object({
  email: Email,
  password: GivenPassword,
  organizationId: uuid().optional().describe('The organization to sign in to; default the one joined first.'),
});
export const SwitchOrganizationInput = z.object({ organizationId: uuid() });
export const ChangeProfileInput = z.object({
  name: PersonName.optional(),
  email: Email.optional(),
  currentPassword: GivenPassword.optional().describe('Required to change the email address.'),
});
export const ChangePasswordInput = z.object({ currentPassword: GivenPassword, newPassword: NewPassword });

export const Device = z
  .object({
    id: uuid(),
    current: z.boolean().describe('Whether this is the session of the request.'),
    userAgent: z.string().nullable(),
    address: z.string(),
    createdAt: timestamp(),
    lastUsedAt: timestamp(),
    expiresAt: timestamp(),
  })
  .meta({ id: 'Device' });
export const DeviceList = z.object({ sessions: z.array(Device) }).meta({ id: 'DeviceList' });
export const RevokeSessionInput = z.object({ sessionId: uuid() });

export const Member = z
  .object({
    userId: uuid(),
    name: z.string(),
    email: z.string(),
    role: RoleName,
    createdAt: timestamp(),
    deactivatedAt: timestamp().nullable(),
    suspendedAt: timestamp()
      .nullable()
      .describe(
        'Set when the single sign-on provider no longer knows the person; ends when they sign in again.',
      ),
  })
  .meta({ id: 'Member' });
export const ListMembersInput = z.object({
  ...PAGE_INPUT,
  // It contains a name, which may be long.
  cursor: text({ max: 2500 }).optional().describe('The `nextCursor` of the previous page.'),
});
export const ListedMember = Member.extend({
  can: z
    .object({
      deactivate: z.boolean(),
      reactivate: z.boolean(),
      changeRoleTo: z.array(RoleName).describe('The roles that the caller can change this member to.'),
    })
    .describe('What the caller can change about this member.'),
}).meta({ id: 'ListedMember' });
export const MemberPage = z
  .object({ members: z.array(ListedMember), nextCursor: nextCursorShape() })
  .meta({ id: 'MemberPage' });
export const ChangeMemberInput = z.object({
  userId: uuid(),
  role: RoleName.optional(),
  active: z
    .boolean()
    .optional()
    .describe('False immediately ends all sessions and API keys of this member in the organization.'),
});

export const Invitation = z
  .object({
    id: uuid(),
    email: z.string(),
    role: RoleName,
    invitedBy: z.object({ id: uuid(), name: z.string() }),
    createdAt: timestamp(),
    expiresAt: timestamp(),
    acceptedAt: timestamp().nullable(),
    revokedAt: timestamp().nullable(),
    mail: z
      .enum(['pending', 'sent', 'failed', 'unclear'])
      .nullable()
      .describe('What became of its mail: null when the service sends none. `unclear`: it may have arrived.'),
    linkDomain: z.string().nullable().describe('The domain of the link with which it was asked for.'),
  })
  .meta({ id: 'Invitation' });
export const MAX_INVITED = 200;
export const InviteMembersInput = z.object({
  emails: z.array(Email).min(1).max(MAX_INVITED).describe('Repeated addresses count once.'),
  role: RoleName,
});
export const InvitedMembers = z
  .object({
    people: z.array(
      z.object({
        email: z.string(),
        outcome: z.enum(['invited', 'already_invited', 'already_member']),
        invitation: Invitation.nullable().describe('The new or the pending invitation.'),
        link: secretText(
          'The invitation link of a person who was invited now. It is shown only once.',
        ).nullable(),
      }),
    ),
  })
  .meta({ id: 'InvitedMembers' });

export const MAX_LINK_DAYS = 90;
export const MAX_LINK_USES = 1000;
export const MAX_OPEN_LINKS = 20;
const Domain = text({ min: 1, max: 255 })
  .toLowerCase()
  .transform((domain) => domain.replace(/^@/, ''))
  .pipe(
    z.string().regex(/^(?!-)[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u, 'must be a domain such as example.com'),
  );
const LinkRoleName = z.enum(['viewer', 'member']);
export const InvitationLink = z
  .object({
    id: uuid(),
    domain: z.string(),
    role: LinkRoleName,
    createdBy: z.object({ id: uuid(), name: z.string() }),
    createdAt: timestamp(),
    expiresAt: timestamp(),
    maxUses: z.number().int(),
    uses: z.number().int().describe('Addresses that were sent an invitation.'),
    joined: z.number().int().describe('People who accepted one.'),
    revokedAt: timestamp().nullable(),
  })
  .meta({ id: 'InvitationLink' });
export const CreateInvitationLinkInput = z.object({
  domain: Domain.describe('Of email addresses, such as `example.com`; subdomains are other domains.'),
  role: LinkRoleName.optional().describe('Default `member`. Admins are invited by address.'),
  days: z.number().int().min(1).max(MAX_LINK_DAYS).optional().describe('How long the link works; default 7.'),
  maxUses: z
    .number()
    .int()
    .min(1)
    .max(MAX_LINK_USES)
    .optional()
    .describe('Addresses it can invite; default 100.'),
});
export const CreatedInvitationLink = z
  .object({ invitationLink: InvitationLink, link: secretText('The link to share. It is shown only once.') })
  .meta({ id: 'CreatedInvitationLink' });
export const ListInvitationLinksInput = z.object({ ...PAGE_INPUT });
export const InvitationLinkPage = z
  .object({
    invitationLinks: z.array(InvitationLink),
    canCreate: z.boolean().describe('Whether the service sends mail, which links need to prove an address.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'InvitationLinkPage' });
export const RevokeInvitationLinkInput = z.object({ linkId: uuid() });
export const LookUpInvitationLinkInput = z.object({ token: Token });
export const InvitationLinkOffer = z
  .object({ organizationId: uuid(), organizationName: z.string(), domain: z.string(), role: LinkRoleName })
  .meta({ id: 'InvitationLinkOffer' });
export const RequestInvitationInput = z.object({ token: Token, email: Email });
export const RequestedInvitation = z.object({ email: z.string() }).meta({ id: 'RequestedInvitation' });
export const InviteMemberInput = z.object({ email: Email, role: RoleName });
export const CreatedInvitation = z
  .object({
    invitation: Invitation,
    link: secretText('The invitation link to share. It is shown only once.'),
  })
  .meta({ id: 'CreatedInvitation' });
export const ListInvitationsInput = z.object({ ...PAGE_INPUT });
export const InvitationPage = z
  .object({ invitations: z.array(Invitation), nextCursor: nextCursorShape() })
  .meta({ id: 'InvitationPage' });
export const RevokeInvitationInput = z.object({ invitationId: uuid() });

export const LookUpInvitationInput = z.object({ token: Token });
export const InvitationOffer = z
  .object({
    organizationId: uuid(),
    organizationName: z.string(),
    email: z.string(),
    role: RoleName,
    knownUser: z
      .boolean()
      .describe('True when the email address already has an account; accepting then requires its password.'),
  })
  .meta({ id: 'InvitationOffer' });
export const AcceptInvitationInput = z.object({
  token: Token,
  name: PersonName.optional().describe('Required for a new account.'),
  password: text({ max: 1000 }).describe(
    'The password of the existing account, or a new one for a new account.',
  ),
});
