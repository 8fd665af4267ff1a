/** The shapes of accounts: organizations, people, sessions, invitations. */
import { z } from 'zod';
import { ROLES } from '../../platform/core/actor.ts';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/page.ts';
import { requiredText, secretText, text, timestamp, uuid } from '../../platform/core/shapes.ts';

export const Email = text({ max: 320 })
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
  .toLowerCase();
/** Names are shown on one line, in pages, mails, terminals and logs. */
const nameOf = () =>
  requiredText({ max: 200 }).refine(
    (name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name),
    'must not contain line breaks or other control characters',
  );
export const PersonName = nameOf();
export const OrganizationName = nameOf();
export const NewPassword = text({ min: 8, max: 1000 }).describe('8 to 1,000 characters.');
/** A password that is only compared: whatever its length, it is right or wrong. */
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
      .describe('Every organization that this user may switch to.'),
  })
  .meta({ id: 'SessionView' });

export const SetupState = z
  .object({
    needed: z.boolean().describe('True while nobody has set the service up.'),
  })
  .meta({ id: 'SetupState' });
export const SetUpInput = z.object({
  token: Token.describe('From the setup link that the service printed when it started.'),
  organizationName: OrganizationName,
  name: PersonName.describe("The owner's name."),
  email: Email,
  password: NewPassword,
});

export const SignInInput = z.object({
  email: Email,
  password: GivenPassword,
  organizationId: uuid()
    .optional()
    .describe('Which organization to open; the first one joined when it is left out.'),
});
export const SwitchOrganizationInput = z.object({ organizationId: uuid() });
export const ChangeProfileInput = z.object({
  name: PersonName.optional(),
  email: Email.optional(),
  currentPassword: GivenPassword.optional().describe('Required to change the e-mail address.'),
});
export const ChangePasswordInput = z.object({ currentPassword: GivenPassword, newPassword: NewPassword });

export const Device = z
  .object({
    id: uuid(),
    current: z.boolean().describe('Whether it is the session of this request.'),
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
  })
  .meta({ id: 'Member' });
export const ListMembersInput = z.object({
  ...PAGE_INPUT,
  // It carries a name, which may be long.
  cursor: text({ max: 2500 }).optional().describe('The `nextCursor` of the page before.'),
});
export const ListedMember = Member.extend({
  can: z
    .object({
      deactivate: z.boolean(),
      reactivate: z.boolean(),
      changeRoleTo: z.array(RoleName).describe('The other roles that this person can be given.'),
    })
    .describe('What the caller may change about this person.'),
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
    .describe('False ends all sessions and keys of this person in the organization at once.'),
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
  })
  .meta({ id: 'Invitation' });
export const InviteMemberInput = z.object({ email: Email, role: RoleName });
export const CreatedInvitation = z
  .object({
    invitation: Invitation,
    link: secretText('The link to hand to the person invited. It is shown this once.'),
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
    organizationName: z.string(),
    email: z.string(),
    role: RoleName,
    knownUser: z
      .boolean()
      .describe('True when the address has an account already: then its password is asked for.'),
  })
  .meta({ id: 'InvitationOffer' });
export const AcceptInvitationInput = z.object({
  token: Token,
  name: PersonName.optional().describe('Needed for a new account.'),
  password: text({ max: 1000 }).describe('A new one for a new account, else the one that the account has.'),
});
